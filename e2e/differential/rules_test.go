package differential

import (
	"slices"
	"strings"
)

func overrides() []request {
	return slices.Concat(
		[]request{register(0), put("override", 0, "/status?value=OUT_OF_SERVICE"), put("heartbeat", 0, "?status=UP"), register(0)}, everywhere(0),
		// Without a value it is UNKNOWN until the client registers.
		[]request{remove("remove override", 0, "/status"), put("heartbeat", 0, "?status=UP"), register(0), put("heartbeat", 0, "")}, everywhere(0),
		// The present status stores no override, so that the next report counts.
		[]request{put("override", 0, "/status?value=UP"), register(0, text("status", "DOWN")), put("override", 0, "/status?value=DOWN"), register(0)},
		[]request{put("override", 0, "/status?value=DOWN"), register(0, text("status", "STARTING")), register(0), put("override", 0, "/status?value=UP"), register(0)},
		[]request{put("override", 0, "/status?value=STARTING&lastDirtyTimestamp=1600000000009"), put("heartbeat", 0, "?lastDirtyTimestamp=1600000000009"),
			put("override", 0, "/status?value=UNKNOWN&lastDirtyTimestamp=1"), put("heartbeat", 0, ""), remove("remove override", 0, "/status?value=UP&lastDirtyTimestamp=1600000000010"),
			remove("remove override", 0, "/status?value=DOWN"), put("heartbeat", 0, "?lastDirtyTimestamp=1600000000010")}, everywhere(0),
		// A cancel ends it.
		[]request{put("override", 0, "/status?value=OUT_OF_SERVICE"), remove("cancel", 0, ""), register(0)}, everywhere(0),
		// A registration that brings one.
		[]request{register(1, text("overriddenStatus", "OUT_OF_SERVICE")), register(1), put("heartbeat", 1, "")}, everywhere(1),
		[]request{register(3, text("overriddenstatus", "DOWN"), text("status", "STARTING")), register(3)}, everywhere(3),
		[]request{
			register(6), remove("removal that makes it UP", 6, "/status?value=UP"), put("override", 6, "/status?value=DOWN"), register(6, text("status", "STARTING")),
			remove("remove override", 6, "/status?value=OUT_OF_SERVICE"), remove("cancel", 6, ""),
			register(6, text("status", "DOWN")), put("override", 6, "/status?value=OUT_OF_SERVICE"), remove("removal that makes it UP", 6, "/status?value=UP"),
		},
	)
}

// reportedStatuses are reports that change each status to each other.
func reportedStatuses() []request {
	var all []request
	statuses := []string{"UP", "DOWN", "STARTING", "OUT_OF_SERVICE", "UNKNOWN"}
	for _, from := range statuses {
		for _, to := range statuses {
			all = append(all, remove("cancel", 2, ""), register(2, text("status", from)), put("heartbeat", 2, "?status="+to), register(2, text("status", to)), put("heartbeat", 2, ""))
		}
	}
	return append(all, everywhere(2)...)
}

func dirtyTimestamps() []request {
	var all []request
	for _, from := range []string{"", replica} {
		for _, stamp := range []string{"1599999999999", "1600000000000", "1600000000001", "0", "-1"} {
			all = append(all, register(0), put("heartbeat", 0, "?lastDirtyTimestamp="+stamp), put("override", 0, "/status?value=DOWN&lastDirtyTimestamp="+stamp),
				remove("remove override", 0, "/status?value=UP&lastDirtyTimestamp="+stamp), remove("cancel", 0, ""))
			for i := range all[len(all)-5:] {
				if from != "" {
					all[len(all)-1-i].headers = append(all[len(all)-1-i].headers, from)
				}
			}
		}
	}
	for _, stamp := range []int64{first - 1, first, first + 1} {
		all = append(all, register(1), register(1, number("lastDirtyTimestamp", stamp, false), text("vipAddress", "next«n»"), text("status", "DOWN")),
			put("heartbeat", 1, "?lastDirtyTimestamp=1600000000000"), remove("cancel", 1, ""))
	}
	all = append(all, register(1, without("lastDirtyTimestamp")), put("heartbeat", 1, "?lastDirtyTimestamp=1600000000000"),
		register(3, number("lastDirtyTimestamp", first+1, true)), register(3, group("leaseInfo", "", number("renewalIntervalInSecs", 7, false), number("durationInSecs", 77, false))))
	for _, stamp := range []string{"", "=", "=+5", "=1.5", "=abc", "=99999999999999999999", "=5&lastDirtyTimestamp=x", "=%zz"} {
		all = append(all, register(0), put("odd stamp of a heartbeat", 0, "?lastDirtyTimestamp"+stamp), put("odd stamp of an override", 0, "/status?value=DOWN&lastDirtyTimestamp"+stamp),
			remove("odd stamp of a removal", 0, "/status?lastDirtyTimestamp"+stamp), put("odd stamp of a heartbeat", 7, "?lastDirtyTimestamp"+stamp))
	}
	return append(all, everywhere(1)...)
}

func metadata() []request {
	return slices.Concat(
		[]request{register(0, group("metadata", "", text("a", "1"), text("zone", "z"))), put("metadata", 0, "/metadata?a=2&b=%C3%BC+%26"), put("heartbeat", 0, "")}, everywhere(0),
		[]request{put("metadata", 0, "/metadata"), put("metadata", 0, "/metadata?a=&c"), put("metadata", 0, "/metadata?a=1&a=2"), register(0)}, everywhere(0),
		[]request{put("override", 0, "/status?value=OUT_OF_SERVICE"), put("metadata", 0, "/metadata?a=3"), put("heartbeat", 0, "")}, everywhere(0),
		[]request{
			put("metadata", 0, "/metadata?a="+strings.Repeat("x", 7000)), register(1),
			post("register null in metadata", 1, base(1, group("metadata", "", field{name: "a", json: "null"}, text("b", "1")))),
		},
		reads("/eureka/apps"),
		[]request{post("register a colon in metadata", 6, base(6, group("metadata", "", text("a:b", "v"))))},
		renamed("read a colon in metadata", reads("/eureka/apps/"+appOf(6))),
	)
}

// emptyKeys leave XML that is broken on Spring's server.
func emptyKeys() []request {
	return []request{
		register(0), put("metadata with an empty key", 0, "/metadata?=x"), remove("cancel", 0, ""),
		post("register an empty key of metadata", 3, base(3, group("metadata", "", text("", "v"), text("b", "1")))),
	}
}

// renamed gives requests another name.
func renamed(name string, requests []request) []request {
	for i := range requests {
		requests[i].name = name
	}
	return requests
}

// leases are the fields of leases; what their durations lead to takes time.
func leases() []request {
	lease := func(renewal, duration int64) field {
		return group("leaseInfo", "", number("renewalIntervalInSecs", renewal, false), number("durationInSecs", duration, false),
			number("registrationTimestamp", 5, false), number("lastRenewalTimestamp", 5, false), number("evictionTimestamp", 5, false), number("serviceUpTimestamp", 5, false))
	}
	return slices.Concat(
		[]request{register(0, lease(5, 15)), put("heartbeat", 0, "")}, everywhere(0),
		[]request{register(0, lease(0, 0)), register(0, lease(-1, -1)), register(0), register(0, group("leaseInfo", "")), register(0, text("status", "DOWN"))}, everywhere(0),
		[]request{register(1, lease(30, 3600)), put("heartbeat of a long lease", 1, "")}, renamed("read a long lease", everywhere(1)),
		[]request{post("register for a month", 3, base(3, lease(30, 2_600_000)))},
	)
}

func ids() []request {
	all := slices.Concat([]request{register(2), register(3), register(4), register(5), register(6)},
		reads("/eureka/apps", "/eureka/apps/"+appOf(2)+"/"+pathID(2), "/eureka/apps/"+appOf(3)+"/"+pathID(3), "/eureka/instances/"+pathID(4), "/eureka/instances/"+pathID(5), "/eureka/instances/"+pathID(6)))
	for _, i := range []int{2, 3, 4, 5, 6} {
		all = append(all, put("heartbeat", i, ""), put("override", i, "/status?value=DOWN"), put("metadata", i, "/metadata?a=b"), remove("cancel", i, ""))
	}
	// Without an id the host name is the id.
	all = append(all, register(7, without("instanceId")), put("heartbeat", 7, ""), put("override", 7, "/status?value=DOWN"))
	all = append(all, everywhere(7)...)
	all = append(all, put("odd metadata", 7, "/metadata?instanceId=zz")) // Spring's server makes an id of it
	// One id in two applications.
	other := post("register", 1, base(1, text("instanceId", token(0))))
	other.touches[0].id = token(0)
	all = append(all, register(0), other,
		request{name: "override one of two", method: "PUT", path: "/eureka/apps/" + appOf(1) + "/" + token(0) + "/status?value=OUT_OF_SERVICE", touches: []instance{other.touches[0]}},
		renamed("register under the override of another", []request{register(0)})[0])
	slash := post("register an id with a slash", 0, base(0, text("instanceId", "a/"+token(0))))
	slash.touches = nil
	return append(all, slash, get("read an id with a slash", "/eureka/apps/"+appOf(0)+"/a%2F"+token(0), acceptJSON))
}

func dataCentres() []request {
	amazon := func(metadata ...field) field {
		members := []field{{name: "@class", json: `"com.netflix.appinfo.AmazonInfo"`}, text("name", "Amazon")}
		if metadata != nil {
			members = append(members, group("metadata", "", metadata...))
		}
		return group("dataCenterInfo", ` class="com.netflix.appinfo.AmazonInfo"`, members...)
	}
	inXMLToo := post("register", 1, base(1, amazon(text("instance-id", "i«1»"), text("ami-id", "ami"))))
	inXMLToo.headers, inXMLToo.body = []string{contentXML}, inXML(base(1, amazon(text("instance-id", "i«1»"), text("ami-id", "ami"))))
	withoutID := post("register", 3, base(3, without("instanceId"), amazon(text("instance-id", "i«3»"))))
	withoutID.touches[0].id = "i«3»"
	return slices.Concat(
		[]request{
			register(0, amazon(text("instance-id", "i«0»"), text("availability-zone", "us-east-1c"), text("public-ipv4", "192.0.2.1"), text("public-hostname", "p"), text("local-ipv4", "10.0.0.1"), text("other", "x"))),
			inXMLToo, register(2, dataCenter("Netflix", "InstanceInfo$DefaultDataCenterInfo")), register(4, dataCenter("MyOwn", "InstanceInfo$DefaultDataCenterInfo")),
		},
		everywhere(0), everywhere(1), everywhere(2),
		[]request{withoutID, put("heartbeat", 0, ""),
			register(5, amazon(text("ami-id", "ami"))), // its metadata gets the instance's id
			post("register Amazon without metadata", 6, base(6, amazon()))},
	)
}
