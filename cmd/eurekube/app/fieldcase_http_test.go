package app

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
)

func TestFieldCase25_UnknownNamesAreEmpty404(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		for _, path := range []string{"/eureka/apps/GONE", "/eureka/apps/GONE/x", "/eureka/apps/ORDERS/x", "/eureka/instances/x", "/eureka/nowhere", "/eureka", "/nowhere"} {
			answer := r.get(path, asJSON)
			r.equal(path+": status", answer.Code, http.StatusNotFound)
			r.equal(path+": body", answer.Body.String(), "")
			r.equal(path+": Content-Type", answer.Header().Get("Content-Type"), "")
		}
	})
}

func TestFieldCase7_ThePageForPeopleIsThere(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		for _, path := range []string{"/", "//"} {
			answer := r.get(path)
			r.equal("GET "+path, answer.Code, http.StatusOK)
			r.contains(answer.Body.String(), "1 instances of 1 applications", "ORDERS")
		}
		r.equal("PUT /", ask(r.api, http.MethodPut, "/").Code, http.StatusMethodNotAllowed)
	})
}

func TestFieldCase30_DoubledSlashesAreReadAsOne(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		want := r.get("/eureka/apps/ORDERS/10.0.0.5:orders:8080").Body.String()
		for _, path := range []string{"//eureka/apps/ORDERS/10.0.0.5:orders:8080", "/eureka//apps/ORDERS/10.0.0.5:orders:8080", "///eureka/v2//apps//ORDERS//10.0.0.5:orders:8080//"} {
			answer := r.get(path)
			r.equal(path+": status", answer.Code, http.StatusOK)
			r.equal(path+": body", answer.Body.String(), want)
			r.equal("PUT "+path, ask(r.api, http.MethodPut, path).Code, http.StatusOK)
		}
	})
}

func TestFieldCase31_TrailingSlashChangesNothing(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		for _, path := range readPaths {
			without, with := r.get(path, asJSON), r.get(path+"/", asJSON)
			r.equal(path+": status", without.Code, http.StatusOK)
			r.equal(path+"/: status", with.Code, http.StatusOK)
			r.equal(path+"/: body", steady(with), steady(without))
		}
	})
}

// readPaths are all reads of a registry that lists pod a of the field cases.
var readPaths = []string{
	"/eureka/apps", "/eureka/apps/delta", "/eureka/apps/ORDERS", "/eureka/apps/ORDERS/10.0.0.5:orders:8080",
	"/eureka/instances/10.0.0.5:orders:8080", "/eureka/vips/orders", "/eureka/svips/orders", "/eureka/status",
}

var memory = regexp.MustCompile(`"[a-z-]*memory[a-z-]*":"[^"]*"`)

// steady is the body without the memory in use, which status tells and which
// grows from one request to the next.
func steady(answer *httptest.ResponseRecorder) string {
	return memory.ReplaceAllString(answer.Body.String(), `"memory":""`)
}

func TestFieldCase32_V2IsTheSameAPI(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders"))
		r.serve()
		for _, path := range readPaths {
			v2 := "/eureka/v2" + path[len("/eureka"):]
			answer := r.get(v2, asJSON)
			r.equal(v2+": status", answer.Code, http.StatusOK)
			r.equal(v2+": body", steady(answer), steady(r.get(path, asJSON)))
		}
	})
}

func TestFieldCase33_AnyCharacterInAnID(t *testing.T) {
	tests := []struct {
		name, service string
		app           string
		ids           []string // spellings in a path
	}{
		{"hash", "svc#1.2.0", "SVC%231.2.0", []string{"10.0.0.5:svc%231.2.0:8080", "10.0.0.5%3asvc%231.2.0%3A8080"}},
		{"space", "my svc", "MY%20SVC", []string{"10.0.0.5:my%20svc:8080"}},
		{"plus", "a+b", "A+B", []string{"10.0.0.5:a+b:8080", "10.0.0.5:a%2Bb:8080"}},
		{"slash", "a/b", "A%2fB", []string{"10.0.0.5:a%2Fb:8080"}},
		{"percent", "50%25", "50%2525", []string{"10.0.0.5:50%2525:8080"}},
		{"question mark", "who?", "WHO%3F", []string{"10.0.0.5:who%3f:8080"}},
		{"semicolon", "a;b", "A%3BB", []string{"10.0.0.5:a%3Bb:8080"}},
		{"umlaut", "käse", "K%C3%84SE", []string{"10.0.0.5:k%C3%A4se:8080"}},
		{"markup", `<a href="x">&`, "%3CA%20HREF=%22X%22%3E&", []string{"10.0.0.5:%3Ca%20href=%22x%22%3E&:8080"}},
		{"dots", "..", "..", []string{"10.0.0.5:..:8080"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.create(pod("a", "10.0.0.5", "x", annotation("service", tt.service)))
				r.serve()
				want := r.apps("/eureka/apps").Applications[0].Instances[0]
				r.equal("instanceId", want.ID, "10.0.0.5:"+tt.service+":8080")
				r.equal("the application's only instance", r.one(tt.app), want)
				for _, id := range tt.ids {
					for _, path := range []string{"/eureka/apps/" + tt.app + "/" + id, "/eureka/instances/" + id} {
						var fromXML instance
						var fromJSON struct {
							Instance instance `json:"instance"`
						}
						r.read(path, &fromJSON, &fromXML)
						r.equal(path+" in JSON", fromJSON.Instance, want)
						r.equal(path+" in XML", fromXML, want)
					}
				}
			})
		})
	}
}

func TestFieldCase36_OneAppWhateverItsCase(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.1", "Orders"), pod("b", "10.0.0.2", "ORDERS"))
		r.serve()
		r.equal("applications", len(r.apps("/eureka/apps").Applications), 1)
		app := r.app("oRdErS")
		r.equal("name", app.Name, "ORDERS")
		r.equal("instances", len(app.Instances), 2)
		r.equal("instances of the VIP", len(r.apps("/eureka/vips/orders").Applications[0].Instances), 2)
	})
}

func TestFieldCase42_AVIPHasItsOwnHash(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(
			pod("o1", "10.0.0.1", "orders"), pod("o2", "10.0.0.2", "orders"),
			pod("c1", "10.0.1.1", "cart"), pod("c2", "10.0.1.2", "cart"), pod("c3", "10.0.1.3", "cart"),
			pod("b1", "10.0.2.1", "both", annotation("vip", "cart,both")),
		)
		r.serve()
		for _, path := range []string{"/eureka/vips/orders", "/eureka/svips/orders"} {
			orders := r.apps(path)
			r.equal(path+": applications", len(orders.Applications), 1)
			r.equal(path+": name", orders.Applications[0].Name, "ORDERS")
			r.equal(path+": instances", len(orders.Applications[0].Instances), 2)
			r.equal(path+": apps__hashcode", orders.HashCode, "UP_2_")
		}
		r.equal("hash of a VIP that two applications have", r.apps("/eureka/vips/cart").HashCode, "UP_4_")
		r.equal("hash of the list", r.apps("/eureka/apps").HashCode, "UP_6_")
	})
}
