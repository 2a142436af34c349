package differential

import "strings"

// odd is a request that no client sends so, or that only one does: spellings of
// paths, methods, headers and parameters.
func (g *generator) odd(i int) request {
	app, id := appOf(i), pathID(i)
	one := "/eureka/apps/" + app + "/" + id
	all := []request{
		{name: "odd method", method: g.pick("POST", "PUT", "DELETE", "PATCH", "OPTIONS"), path: g.pick("/eureka/apps", "/eureka/apps/delta", "/eureka/vips/a", "/eureka/instances/a")},
		{name: "odd method", method: g.pick("POST", "PATCH", "OPTIONS"), path: one},
		{name: "odd method", method: g.pick("PUT", "DELETE", "PATCH", "OPTIONS"), path: "/eureka/apps/" + app},
		{name: "odd method", method: g.pick("GET", "POST", "OPTIONS"), path: one + g.pick("/status", "/metadata")},
		{name: "odd path", method: "GET", path: g.pick("/eureka", "/eureka/", "/eureka/app", "/eureka/v2", "/eureka/v2/", "/eureka/apps/"+app+"/"+id+"/x", "/eureka/vips", "/eureka/peerreplication/batch")},
		{name: "odd path", method: "GET", path: g.pick("/eureka/apps;x=1", "/eureka/apps/"+app+";x=1", "/eureka/apps/"+app+"/;x=1", "//eureka/apps", "/eureka/apps/"+app+"/", one+"/")},
		{name: "odd double slash", method: "GET", path: g.pick("/eureka//apps", "/eureka/apps//delta", "/eureka/apps//"+app, "/eureka/apps/"+app+"//"+id, "/eureka/apps//")},
		{name: "odd version", method: "GET", path: g.pick("/eureka/v1/apps", "/v2/apps", "/apps", "/eureka/V2/apps")},
		{name: "odd spelling", method: "GET", path: g.pick("/eureka/%61pps", "/eureka/./apps", "/eureka/x/../apps", "/eureka/Apps")},
		{name: "odd query", method: "GET", path: "/eureka/apps" + g.pick("?regions=a", "?regions=", "?x=%zz", "?", "?a&b=")},
		{name: "odd accept", method: "GET", path: g.pick("/eureka/apps", one, "/eureka/apps/delta"), headers: []string{"Accept: " + g.pick(
			"text/html", "image/png", "application/json, application/xml", "application/xml, application/json", "application/xml;q=0.5, application/json;q=0.4",
			"text/html, image/gif, image/jpeg, */*; q=0.2", "application/*", "APPLICATION/JSON", "application/json;charset=utf-8", "text/xml", "*", "")}},
		{name: "odd encoding", method: "GET", path: g.pick("/eureka/apps", "/eureka/apps/delta"), headers: []string{
			acceptJSON, "Accept-Encoding: " + g.pick("gzip;q=0", "GZIP", "x-gzip", "*", "gzip;q=0.1, identity", "br")}},
		g.oddWrite(i, g.pick("", "=", "=+5", "=1.5", "=-1", "=0", "=abc", "=99999999999999999999", "=5&lastDirtyTimestamp=6")),
		g.oddRegistration(i),
		g.withTouch(i, request{name: "odd metadata", method: "PUT", path: one + "/metadata?" + g.pick("a=1&a=2", "=x", "a", "a=%41+b%20c", "a&b&", "instanceId=«n»zz", "%C3%BC=%C3%BC")}),
	}
	return all[g.IntN(len(all))]
}

func (g *generator) withTouch(i int, r request) request {
	r.touches = append(r.touches, instance{appOf(i), pathID(i)})
	return r
}

// oddWrite is a write whose dirty timestamp or value is none.
func (g *generator) oddWrite(i int, stamp string) request {
	one := "/eureka/apps/" + appOf(i) + "/" + pathID(i)
	switch g.IntN(4) {
	case 0:
		return g.withTouch(i, request{name: "odd stamp of a heartbeat", method: "PUT", path: one + "?lastDirtyTimestamp" + stamp})
	case 1:
		return g.withTouch(i, request{name: "odd stamp of an override", method: "PUT", path: one + "/status?value=" + g.status() + "&lastDirtyTimestamp" + stamp})
	case 2:
		return g.withTouch(i, request{name: "odd stamp of a removal", method: "DELETE", path: one + "/status?lastDirtyTimestamp" + stamp})
	}
	value := g.pick("", "?value", "?value=", "?value=up", "?value=%20UP", "?value=NONE", "?value=UP&value=DOWN", "?Value=UP")
	return g.withTouch(i, request{name: "odd value", method: g.pick("PUT", "DELETE"), path: one + "/status" + value})
}

// oddRegistration is a good registration under another label, or to a strange
// place.
func (g *generator) oddRegistration(i int) request {
	fields := g.registration(i)
	label, body := g.pick("Content-Type: text/json", "Content-Type: application/hal+json", "Content-Type: APPLICATION/JSON", "Content-Type: application/json;charset=ISO-8859-1",
		"Content-Type: application/json; charset=utf-8", "Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded", ""), inJSON(fields)
	if g.chance(0.3) {
		label, body = g.pick("Content-Type: text/xml", "Content-Type: application/atom+xml", "Content-Type: application/xml;charset=utf-8"), inXML(fields)
	}
	r := request{name: "odd label", method: "POST", path: "/eureka/apps/" + appOf(i), headers: []string{label}, body: body}
	if label == "" {
		r.headers = nil
	}
	if g.chance(0.2) {
		r = request{name: "odd app", method: "POST", path: "/eureka/apps/" + appOf((i+1)%instances), headers: []string{contentJSON}, body: inJSON(fields)}
	}
	if g.chance(0.2) {
		r.path = strings.Replace(r.path, "/eureka/", "/eureka/v2/", 1) + "/"
	}
	return g.withTouch(i, r)
}
