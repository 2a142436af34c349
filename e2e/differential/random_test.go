package differential

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
)

// instances are how many a sequence is about, applications how many they are of.
const (
	instances    = 8
	applications = 3
	hostIsID     = 7 // it registers without an id
)

func token(i int) string { return fmt.Sprintf("«%d»", i) }

func appOf(i int) string { return []string{"ORDERS«n»", "CART«n»", "A_B-C«n»"}[i%applications] }

// idOf is the id of an instance, as it is and not as a URL has it.
func idOf(i int) string {
	return token(i) + []string{"", ":orders:80", " with space", "#1", ".a+b", "?x=y", "-ü", ""}[i]
}

func pathID(i int) string {
	if i == hostIsID {
		return "h" + token(i) + ".example"
	}
	return strings.ReplaceAll(token(i)+url.PathEscape(strings.TrimPrefix(idOf(i), token(i))), "+", "%2B")
}

// sequence is the random one of a seed.
func sequence(seed uint64, steps int) []request {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	requests := make([]request, steps)
	for i := range requests {
		requests[i] = g.request()
	}
	return requests
}

func (g *generator) request() request {
	kinds := []struct {
		weight int
		make   func(i int) request
	}{
		{19, g.register}, {18, g.heartbeat}, {10, g.override}, {7, g.removeOverride}, {5, g.updateMetadata},
		{6, g.cancel}, {5, g.batch}, {6, g.hostile}, {4, g.odd}, {20, g.read},
	}
	choice := g.IntN(100)
	for _, kind := range kinds {
		if choice -= kind.weight; choice < 0 {
			return kind.make(g.IntN(instances))
		}
	}
	panic("the weights are no hundred")
}

func (g *generator) register(i int) request {
	r := g.write("register json", "POST", "/eureka/apps/"+g.anyCase(appOf(i)), i)
	fields := g.registration(i)
	if g.chance(0.4) {
		r.name, r.body, r.headers = "register xml", inXML(fields), append(r.headers, contentXML)
		return r
	}
	r.body, r.headers = inJSON(fields), append(r.headers, contentJSON)
	return r
}

// write is a request about an instance, now and then from a peer.
func (g *generator) write(name, method, path string, i int) request {
	r := request{name: name, method: method, path: path, touches: []instance{{appOf(i), pathID(i)}}}
	if g.chance(0.2) {
		r.headers = append(r.headers, replica)
	}
	if g.chance(0.5) {
		r.headers = append(r.headers, g.pick(acceptJSON, acceptXML, "Accept: */*"))
	}
	return r
}

func (g *generator) heartbeat(i int) request {
	query := url.Values{}
	if g.chance(0.7) {
		query.Set("status", g.status())
	}
	if g.chance(0.8) {
		query.Set("lastDirtyTimestamp", fmt.Sprint(g.heard(i)))
	}
	if g.chance(0.2) {
		query.Set("overriddenstatus", g.status())
	}
	r := g.write("heartbeat", "PUT", g.path(i)+encode(query), i)
	if r.isReplica() && query.Has("overriddenstatus") {
		r.name += withOverride
	}
	return r
}

// heard is a dirty timestamp that the server may have heard of.
func (g *generator) heard(i int) int64 { return max(g.newest[i], 1) + g.number(-1, 0, 0, 0, 1) }

func (g *generator) path(i int) string {
	return g.pick("/eureka", "/eureka", "/eureka", "/eureka/v2") + "/apps/" + g.anyCase(appOf(i)) + "/" + pathID(i)
}

func encode(query url.Values) string {
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

func (g *generator) override(i int) request {
	query := url.Values{"value": {g.status()}}
	if g.chance(0.5) {
		query.Set("lastDirtyTimestamp", fmt.Sprint(g.heard(i)))
	}
	return g.write("override", "PUT", g.path(i)+"/status"+encode(query), i)
}

func (g *generator) removeOverride(i int) request {
	query := url.Values{}
	if g.chance(0.5) {
		query.Set("value", g.status())
	}
	if g.chance(0.5) {
		query.Set("lastDirtyTimestamp", fmt.Sprint(g.heard(i)))
	}
	return g.write("remove override", "DELETE", g.path(i)+"/status"+encode(query), i)
}

func (g *generator) updateMetadata(i int) request {
	query := url.Values{}
	for range g.IntN(3) {
		query.Add(g.pick("colour", "zone", "a_b", "k8s.io/team"), g.pick("blue", "", "<&>", "ü"))
	}
	return g.write("metadata", "PUT", g.path(i)+"/metadata"+encode(query), i)
}

func (g *generator) cancel(i int) request {
	return g.write("cancel", "DELETE", g.path(i), i)
}

// read is a read in one of its forms.
func (g *generator) read(i int) request {
	path := g.pick("/apps", "/apps/", "/apps/delta", "/apps/delta", "/apps/"+g.anyCase(appOf(i)), "/apps/NONE«n»",
		"/apps/"+appOf(i)+"/"+pathID(i), "/instances/"+pathID(i), "/vips/vip«n»", "/vips/other«n»", "/vips/VIP«n»", "/vips/none«n»", "/svips/secure«n»", "/svips/vip«n»")
	r := request{name: "read", method: "GET", path: g.pick("/eureka", "/eureka/v2") + path}
	if g.chance(0.05) {
		r.method = "HEAD"
	}
	switch g.IntN(4) {
	case 0, 1:
		r.headers = append(r.headers, acceptJSON)
	case 2:
		r.headers = append(r.headers, acceptXML)
	}
	if g.chance(0.3) {
		r.headers = append(r.headers, "X-Eureka-Accept: "+g.pick("compact", "full", "COMPACT", "none"))
	}
	if g.chance(0.4) {
		r.headers = append(r.headers, "Accept-Encoding: "+g.pick("gzip", "gzip, deflate", "identity", "deflate"))
	}
	return r
}

// batch is what a peer passes on.
func (g *generator) batch(int) request {
	r := request{name: "batch", method: "POST", path: "/eureka/peerreplication/batch/", headers: []string{contentJSON, acceptJSON}}
	var items []string
	for range g.IntN(4) {
		i := g.IntN(instances)
		r.touches = append(r.touches, instance{appOf(i), pathID(i)})
		items = append(items, g.item(i))
	}
	if slices.ContainsFunc(items, bringsOverride) {
		r.name += withOverride
	}
	r.body = `{"replicationList":[` + strings.Join(items, ",") + "]}"
	return r
}

// withOverride ends the name of what brings an override in a peer's heartbeat.
const withOverride = " with an override"

// bringsOverride reports whether an item of a batch does.
func bringsOverride(item string) bool {
	return strings.Contains(item, `"action":"Heartbeat"`) && strings.Contains(item, `"overriddenStatus"`)
}

func (g *generator) item(i int) string {
	id := idOf(i)
	if i == hostIsID {
		id = "h" + token(i) + ".example"
	}
	stamp := number("lastDirtyTimestamp", g.heard(i), false)
	fields := []field{text("appName", g.anyCase(appOf(i))), text("id", id)}
	switch action := g.pick("Register", "Heartbeat", "Cancel", "StatusUpdate", "DeleteStatusOverride"); action {
	case "Register":
		instance := group("instanceInfo", "", g.registration(i)...)
		fields = append(fields, stamp, text("status", "UP"), instance, text("action", action))
	case "Heartbeat":
		fields = append(fields, stamp, text("status", g.status()), text("action", action))
		if g.chance(0.3) {
			fields = append(fields, text("overriddenStatus", g.status()))
		}
	case "Cancel":
		fields = append(fields, text("action", action))
	default:
		fields = append(fields, stamp, text("status", g.status()), text("action", action))
	}
	return group("", "", fields...).json
}
