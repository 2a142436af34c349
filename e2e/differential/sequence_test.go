package differential

import (
	"slices"
	"strings"
)

// written are the sequences written by hand: one of each kind of request and of
// each rule that a difference could hide behind, and all differences that chance
// would not meet.
func written() []named {
	return []named{
		{"life", life()}, {"deltas", deltas()}, {"VIPs", vips()}, {"overrides", overrides()}, {"reported statuses", reportedStatuses()},
		{"dirty timestamps", dirtyTimestamps()}, {"leases", leases()}, {"ids", ids()}, {"data centres", dataCentres()}, {"metadata", metadata()},
		{"batches", batches()}, {"replicas", replicas()}, {"paths", paths()}, {"refused registrations", refusals()}, {"other registrations", tolerated()},
		{"status of the server", []request{get("status", "/eureka/status", acceptXML), get("status", "/eureka/status", acceptJSON)}},
		{"characters", characters()}, {"empty metadata keys", emptyKeys()}, // the last, see TestServersAgree
	}
}

// named is a sequence with a name.
type named struct {
	name     string
	requests []request
}

// base is a registration of instance i with what most clients send.
func base(i int, changes ...field) []field {
	fields := []field{
		text("instanceId", idOf(i)), text("hostName", "h"+token(i)+".example"), text("app", appOf(i)), text("ipAddr", "10.0.0.1"),
		text("vipAddress", "vip«n»"), text("status", "UP"), port("port", 8080, true, false), dataCenter("MyOwn", "MyDataCenterInfo"),
		number("lastDirtyTimestamp", first, true),
	}
	for _, change := range changes {
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == change.name })
		switch {
		case at < 0:
			fields = append(fields, change)
		case change.json == "":
			fields = slices.Delete(fields, at, at+1)
		default:
			fields[at] = change
		}
	}
	return fields
}

// without takes a field out of base.
func without(name string) field { return field{name: name} }

// first is the dirty timestamp of base, long past.
const first = 1_600_000_000_000

// register registers base with changes, in JSON.
func register(i int, changes ...field) request { return post("register", i, base(i, changes...)) }

func post(name string, i int, fields []field) request {
	return about(i, request{name: name, method: "POST", path: "/eureka/apps/" + appOf(i), headers: []string{contentJSON, acceptJSON}, body: inJSON(fields)})
}

// about is a write whose effect shows in instance i.
func about(i int, r request) request {
	r.touches = []instance{{appOf(i), pathID(i)}}
	return r
}

func put(name string, i int, rest string, headers ...string) request {
	return about(i, request{name: name, method: "PUT", path: "/eureka/apps/" + appOf(i) + "/" + pathID(i) + rest, headers: headers})
}

func remove(name string, i int, rest string, headers ...string) request {
	return about(i, request{name: name, method: "DELETE", path: "/eureka/apps/" + appOf(i) + "/" + pathID(i) + rest, headers: headers})
}

func get(name, path string, headers ...string) request {
	return request{name: name, method: "GET", path: path, headers: headers}
}

// reads are reads of the paths in all forms, plain and compressed.
func reads(paths ...string) []request {
	var all []request
	for _, path := range paths {
		for _, headers := range [][]string{
			{acceptJSON}, {acceptXML, "Accept-Encoding: gzip"},
			{acceptJSON, "X-Eureka-Accept: compact", "Accept-Encoding: gzip"}, {acceptXML, "X-Eureka-Accept: compact"},
		} {
			all = append(all, get("read", path, headers...))
		}
	}
	return all
}

// everywhere are the reads of all that tell of instance i.
func everywhere(i int) []request {
	return reads("/eureka/apps", "/eureka/apps/delta", "/eureka/apps/"+appOf(i), "/eureka/apps/"+appOf(i)+"/"+pathID(i),
		"/eureka/instances/"+pathID(i), "/eureka/vips/vip«n»", "/eureka/svips/vip«n»")
}

func life() []request {
	steps := slices.Concat(
		everywhere(0), []request{register(0)}, everywhere(0),
		[]request{register(1), register(3), put("heartbeat", 0, ""), put("heartbeat", 0, "?status=UP&lastDirtyTimestamp=1600000000000")}, everywhere(0),
		[]request{register(0, text("homePageUrl", "http://h/"), text("statusPageUrl", "http://h/a?b=c&d"), text("asgName", "g"), text("sid", "s"))}, everywhere(0),
		[]request{remove("cancel", 0, ""), remove("cancel", 0, ""), put("heartbeat", 0, "")}, everywhere(0),
		[]request{register(0), remove("cancel", 1, ""), remove("cancel", 3, "")}, everywhere(0),
		[]request{put("heartbeat", 5, ""), put("override", 5, "/status?value=UP"), remove("remove override", 5, "/status"), put("metadata", 5, "/metadata?a=b"), remove("cancel", 5, "")},
	)
	for i, r := range steps {
		if r.method == "GET" && i%5 == 0 {
			r.method = "HEAD"
			steps = append(steps, r)
		}
	}
	return steps
}

func deltas() []request {
	return slices.Concat(
		[]request{register(0), register(3), register(1)}, reads("/eureka/apps/delta"),
		[]request{put("override", 0, "/status?value=DOWN"), remove("cancel", 3, "")}, reads("/eureka/apps/delta"),
		[]request{register(3), register(0), put("metadata", 1, "/metadata?a=b")}, reads("/eureka/apps/delta"),
		[]request{remove("cancel", 0, ""), remove("cancel", 1, ""), remove("cancel", 3, "")}, reads("/eureka/apps/delta", "/eureka/apps"),
		[]request{register(6)}, reads("/eureka/apps/delta", "/eureka/apps"),
	)
}

func vips() []request {
	const spaced = "vip«n»,other«n», spaced«n»,,VIP«n»"
	many := strings.Repeat("many«n»,", 64) + "last«n»"
	return slices.Concat(
		[]request{register(0, text("vipAddress", spaced), text("secureVipAddress", "secure«n»,vip«n»")), register(1, text("vipAddress", "other«n»"))},
		reads("/eureka/vips/vip«n»", "/eureka/vips/VIP«n»", "/eureka/vips/other«n»", "/eureka/vips/spaced«n»", "/eureka/vips/%20spaced«n»",
			"/eureka/vips/vip«n»,other«n»", "/eureka/svips/secure«n»", "/eureka/svips/other«n»", "/eureka/vips/none"),
		[]request{put("override", 0, "/status?value=DOWN")}, reads("/eureka/vips/other«n»"),
		[]request{remove("cancel", 1, "")}, reads("/eureka/vips/other«n»"),
		[]request{register(0, text("vipAddress", many))}, reads("/eureka/vips/many«n»"),
		[]request{get("read by the 65th name", "/eureka/vips/last«n»", acceptJSON)},
	)
}
