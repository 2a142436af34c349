package differential

import (
	"slices"
	"strings"
)

// refusals are registrations that are none.
func refusals() []request {
	var all []request
	for _, name := range []string{"hostName", "ipAddr", "dataCenterInfo"} {
		all = append(all, post("register without "+name, 0, base(0, without(name))), post("register empty "+name, 0, base(0, text(name, ""))),
			post("register null "+name, 0, base(0, field{name: name, json: "null"})))
	}
	all = append(all,
		post("register without id and host", 0, base(0, without("instanceId"), without("hostName"))),
		post("register another app", 0, base(0, text("app", "BAD«n»"))),
		post("register a data centre without name", 0, base(0, group("dataCenterInfo", "", field{name: "@class", json: `"com.netflix.appinfo.MyDataCenterInfo"`}))),
		post("register a data centre that is none", 0, base(0, dataCenter("Nowhere", "MyDataCenterInfo"))),
	)
	for _, body := range []string{"", "{", "null", "[]", `{"instance":null}`, `{"other":{}}`, `{"instance":{}}`, "<instance/>"} {
		r := post("register broken JSON", 0, nil)
		r.body = body
		all = append(all, r)
	}
	for _, body := range []string{"", "<instance", "<other/>", "<instance><a></b></instance>", `<!DOCTYPE i [<!ENTITY e "x">]><instance><hostName>&e;</hostName></instance>`, inXML(base(0)) + "x", "{}"} {
		r := post("register broken XML", 0, nil)
		r.headers, r.body = []string{contentXML, acceptXML}, body
		all = append(all, r)
	}
	for _, label := range []string{"text/plain", "application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		r := post("register under another label", 0, base(0))
		r.headers = []string{"Content-Type: " + label}
		all = append(all, r)
	}
	return append(all, reads("/eureka/apps", "/eureka/apps/delta")...)
}

// tolerated are registrations that ours takes and theirs does not, or understands
// otherwise.
func tolerated() []request {
	unwrapped := post("register unwrapped", 0, nil)
	unwrapped.body = group("", "", base(0)...).json
	unlabelled := post("register without label", 0, base(0))
	unlabelled.headers = nil
	zipped := post("register gzip", 0, base(0))
	zipped.headers = append(zipped.headers, gzipped)
	long := post("register a long body", 0, base(0, group("metadata", "", text("a", strings.Repeat("long", 300_000)))))
	xml := func(name string, fields []field) request {
		r := post(name, 0, nil)
		r.headers, r.body = []string{contentXML}, inXML(fields)
		return r
	}
	return []request{
		unwrapped, unlabelled, zipped, long,
		post("register without app", 0, base(0, without("app"))),
		post("register without VIP", 0, base(0, without("vipAddress"))),
		post("register an empty URL", 0, base(0, text("homePageUrl", ""))),
		post("register an empty status", 0, base(0, text("status", ""))),
		post("register an empty flag", 0, base(0, field{name: "port", json: `{"$":80,"@enabled":""}`})),
		post("register a status in lower case", 0, base(0, text("status", "down"))),
		post("register a status that is none", 0, base(0, text("status", "SICK"))),
		post("register a port that is none", 0, base(0, field{name: "port", json: `{"$":"http","@enabled":"true"}`})),
		post("register empty text as metadata", 0, base(0, field{name: "metadata", json: `""`})),
		post("register empty text as a lease", 0, slices.Insert(base(0), 1, field{name: "leaseInfo", json: `""`})),
		post("register a flag in upper case", 0, base(0, field{name: "port", json: `{"$":80,"@enabled":"TRUE"}`})),
		post("register a dirty timestamp of 0", 2, base(2, number("lastDirtyTimestamp", 0, false))),
		register(4), post("register a dirty timestamp of 0 over another", 4, base(4, number("lastDirtyTimestamp", 0, false), text("asgName", "later"))),
		post("register a bare secure port 0", 0, base(0, field{name: "securePort", json: "0"})),
		post("register a bare port", 0, base(0, field{name: "port", json: "80"})),
		post("register port 0", 0, base(0, port("port", 0, true, false))),
		post("register an unknown class", 0, base(0, dataCenter("MyOwn", "Unknown"))),
		post("register much metadata", 1, base(1, group("metadata", "", text("a", strings.Repeat("long", 261_700))))),
		put("metadata without bound", 1, "/metadata?b="+strings.Repeat("long", 1_900)),
		post("register an unknown object", 0, base(0, field{name: "unknown", json: `{"a":1}`}, text("homePageUrl", "http://h"))),
		post("register an unknown array", 0, base(0, field{name: "unknown", json: `[1,2]`}, text("homePageUrl", "http://h"))),
		xml("register XML with countryId = empty", base(0, text("countryId", ""))),
		xml("register XML with an element in a port", base(0, field{name: "port", json: "0", xml: "<port><a>80</a></port>"})),
		xml("register XML", base(0, field{name: "port", json: "0", xml: "<port>80</port>"}, field{name: "securePort", json: "0", xml: "<securePort>443</securePort>"})),
		xml("register XML", base(0, text("status", "up"), number("countryId", 3, false), field{name: "unknown", json: "0", xml: "<unknown><a/>b</unknown>"})),
	}
}

// characters are text that a form cannot hold as it is.
func characters() []request {
	control := post("register a control character", 0, base(0, field{name: "asgName", json: `"a\u0001b"`}))
	half := post("register half of a pair", 1, base(1, field{name: "homePageUrl", json: `"a\ud83db"`}))
	return slices.Concat(
		[]request{register(3, text("homePageUrl", "<a href='x'>&amp;\"</a>\t"), text("asgName", "ü漢😀"), group("metadata", "", text("k ey", "v"), text("_", "$"), text("ä", "]]>")))}, everywhere(3),
		[]request{half}, renamed("read half of a pair", reads("/eureka/apps/"+appOf(1))), []request{remove("cancel", 1, "")},
		[]request{control}, renamed("read a control character", reads("/eureka/apps/"+appOf(0))), renamed("read a control character", reads("/eureka/vips/vip«n»")),
	)
}

// paths are spellings of paths and headers.
func paths() []request {
	one := "/eureka/apps/" + appOf(0) + "/" + pathID(0)
	all := []request{register(0)}
	for _, path := range []string{"/eureka", "/eureka/v2/apps/", "/eureka/apps;x=1", one + ";x=1", one + "/", one + "/x", "/eureka/apps/" + appOf(0) + ";x=1/" + pathID(0), "//eureka/apps", "/eureka/apps?regions=a"} {
		all = append(all, get("odd path", path, acceptJSON))
	}
	for _, path := range []string{"/eureka//apps", "/eureka/apps//delta", "/eureka/apps//"} {
		all = append(all, get("odd double slash", path))
	}
	for _, path := range []string{"/eureka/v1/apps", "/v2/apps", "/apps", "/eureka/V2/apps", "/eureka/Apps"} {
		all = append(all, get("odd version", path))
	}
	all = append(all, get("odd spelling", "/eureka/%61pps"), get("odd spelling", "/eureka/./apps"), get("odd spelling", "/eureka/x/../apps"))
	for _, accept := range []string{"text/html", "image/png", "application/json, application/xml", "application/xml, application/json", "*/*", "application/*", "text/xml", "APPLICATION/JSON", ""} {
		all = append(all, get("odd accept", "/eureka/apps", "Accept: "+accept), get("odd accept", one, "Accept: "+accept), get("odd accept", "/eureka/apps/delta", "Accept: "+accept))
	}
	for _, encoding := range []string{"gzip;q=0", "GZIP", "x-gzip", "*", "br", "gzip;q=0.5", "identity, gzip"} {
		all = append(all, get("odd encoding", "/eureka/apps", acceptJSON, "Accept-Encoding: "+encoding))
	}
	for _, path := range []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/apps/" + appOf(0), one, one + "/status", one + "/metadata", "/eureka/vips/a", "/eureka/instances/a", "/eureka/peerreplication/batch", "/eureka/asg/a/status"} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
			r := request{name: "odd method", method: method, path: path}
			if strings.HasPrefix(path, "/eureka/asg") {
				r.name, r.path = "asg", path+"?value=ENABLED"
			}
			if (method == "PUT" || method == "DELETE") && strings.HasPrefix(path, one) || method == "POST" && (path == "/eureka/apps/"+appOf(0) || strings.HasSuffix(path, "batch")) {
				continue // they are no odd ones
			}
			if method == "GET" && !strings.HasPrefix(path, one+"/") && !strings.HasSuffix(path, "batch") && !strings.HasPrefix(path, "/eureka/asg") {
				continue
			}
			all = append(all, r)
		}
	}
	for _, value := range []string{"", "?value", "?value=", "?value=up", "?value=%20UP", "?value=NONE", "?value=DOWN&value=UP", "?Value=UP"} {
		all = append(all, register(0), put("odd value", 0, "/status"+value), put("override", 0, "/status?value=DOWN"), remove("odd value", 0, "/status"+value))
	}
	return all
}
