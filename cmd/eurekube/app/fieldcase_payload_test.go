package app

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// tree is the JSON answer to a path as the standard library reads it without
// being told what to expect.
func (r *rig) tree(path string) map[string]any {
	r.Helper()
	answer := r.get(path, asJSON)
	if answer.Code != http.StatusOK {
		r.Fatalf("GET %s = %d, want 200", path, answer.Code)
	}
	var tree map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &tree); err != nil {
		r.Fatalf("GET %s: %v in\n%s", path, err, answer.Body)
	}
	return tree
}

// at walks down a tree by keys; a list is entered at its only element.
func (r *rig) at(tree any, keys ...string) any {
	r.Helper()
	for _, key := range keys {
		if list, ok := tree.([]any); ok && len(list) == 1 {
			tree = list[0]
		}
		object, ok := tree.(map[string]any)
		if !ok {
			r.Fatalf("%q of %T, want it in an object or in a list of one", key, tree)
		}
		if tree, ok = object[key]; !ok {
			r.Fatalf("%q is missing in %v", key, object)
		}
	}
	return tree
}

// contains fails unless an answer's body has all the texts.
func (r *rig) contains(body string, texts ...string) {
	r.Helper()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			r.Errorf("%q is not in\n%s", text, body)
		}
	}
}

func TestFieldCase1_NoPodsAreAnEmptyArray(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve()
		for _, path := range []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/vips/orders"} {
			apps := r.at(r.tree(path), "applications")
			r.equal(path+": application", r.at(apps, "application"), any([]any{}))
			r.equal(path+": apps__hashcode", r.at(apps, "apps__hashcode"), any(""))
			version, _ := r.at(apps, "versions__delta").(string)
			if _, err := strconv.ParseInt(version, 10, 64); err != nil {
				t.Errorf("%s: versions__delta is %v, want a string that holds an integer", path, r.at(apps, "versions__delta"))
			}
			r.equal(path+" in both forms", r.apps(path).Applications, []application{})
		}
	})
}

func TestFieldCase2_OnePodIsAListOfOne(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		for _, path := range []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/vips/orders"} {
			apps, ok := r.at(r.tree(path), "applications", "application").([]any)
			if !ok || len(apps) != 1 {
				t.Fatalf("%s: application is %v, want an array of 1", path, apps)
			}
			if instances, ok := r.at(apps[0], "instance").([]any); !ok || len(instances) != 1 {
				t.Errorf("%s: instance is %v, want an array of 1", path, instances)
			}
		}
		app := r.tree("/eureka/apps/ORDERS")
		r.equal("name", r.at(app, "application", "name"), any("ORDERS"))
		if instances, ok := r.at(app, "application", "instance").([]any); !ok || len(instances) != 1 {
			t.Errorf("instance is %v, want an array of 1", instances)
		}
	})
}

func TestFieldCase3_TypesOfAPodsValues(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		i := r.at(r.tree("/eureka/apps/ORDERS"), "application", "instance")
		r.equal("port", r.at(i, "port"), any(map[string]any{"$": 8080.0, "@enabled": "true"}))
		for _, key := range []string{"lastUpdatedTimestamp", "lastDirtyTimestamp", "isCoordinatingDiscoveryServer"} {
			if _, ok := r.at(i, key).(string); !ok {
				t.Errorf("%s is %v, want a string", key, r.at(i, key))
			}
		}
		r.equal("countryId", r.at(i, "countryId"), any(1.0))
		r.equal("leaseInfo.durationInSecs", r.at(i, "leaseInfo", "durationInSecs"), any(90.0))
	})
}

func TestFieldCase12_AppInUpperVIPInLowerCase(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "Orders-API"))
		r.serve()
		app := r.app("orders-api")
		r.equal("name", app.Name, "ORDERS-API")
		i := app.Instances[0]
		r.equal("app, vipAddress and secureVipAddress", []string{i.App, i.VIPAddress, i.SecureVIPAddress}, []string{"ORDERS-API", "orders-api", "orders-api"})
		r.equal("instances by VIP", len(r.apps("/eureka/vips/orders-api").Applications), 1)
	})
}

func TestFieldCase16_UnderscoresAreDoubledInXMLNamesOnly(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders", annotation("metadata.team_name", "blue_green")))
		r.serve()
		r.contains(r.get("/eureka/apps").Body.String(), "<team__name>blue_green</team__name>", "<apps__hashcode>", "<versions__delta>")
		r.contains(r.get("/eureka/apps", asJSON).Body.String(), `"team_name":"blue_green"`, `"apps__hashcode"`, `"versions__delta"`)
	})
}

func TestFieldCase19_XMLWithoutAccept(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		answer := r.get("/eureka/apps")
		if got := answer.Header().Get("Content-Type"); !strings.HasPrefix(got, "application/xml") {
			t.Errorf("Content-Type is %q, want application/xml", got)
		}
		r.contains(answer.Body.String(),
			"<versions__delta>"+strconv.FormatInt(r.apps("/eureka/apps").VersionsDelta, 10)+"</versions__delta>",
			`<port enabled="true">8080</port>`, `<securePort enabled="false">443</securePort>`,
			`DefaultDataCenterInfo">`, "<countryId>1</countryId>", "<isCoordinatingDiscoveryServer>false</isCoordinatingDiscoveryServer>")
	})
}

func TestFieldCase22_BothPortBlocksOfAPod(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "secure", annotation("secure-port", "8443")))
		r.serve()
		i := r.one("ORDERS")
		r.equal("port", i.Port, portInfo{8080, "true"})
		r.equal("securePort", i.SecurePort, portInfo{443, "false"})
		r.equal("ipAddr", i.IPAddr, "10.0.0.5")
		if _, ok := r.at(r.tree("/eureka/apps/ORDERS"), "application", "instance", "metadata").(map[string]any); !ok {
			t.Error("metadata is no object")
		}
		r.equal("securePort of a pod that has one", r.one("SECURE").SecurePort, portInfo{8443, "true"})
	})
}

func TestFieldCase23_GzipOnlyWhenAskedFor(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "cart"))
		r.serve()
		plain := r.get("/eureka/apps", asJSON)
		for _, refused := range []string{"gzip;q=0", "identity", "deflate", "*"} {
			answer := r.get("/eureka/apps", asJSON, "Accept-Encoding: "+refused)
			r.equal(refused+": Content-Encoding", answer.Header().Get("Content-Encoding"), "")
			r.equal(refused+": body", answer.Body.String(), plain.Body.String())
		}
		answer := r.get("/eureka/apps", asJSON, "Accept-Encoding: gzip")
		r.equal("Content-Encoding", answer.Header().Get("Content-Encoding"), "gzip")
		r.contains(answer.Header().Get("Vary"), "Accept-Encoding")
		unpacker, err := gzip.NewReader(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(unpacker)
		if err != nil {
			t.Fatal(err)
		}
		r.equal("unpacked body", string(body), plain.Body.String())
	})
}
