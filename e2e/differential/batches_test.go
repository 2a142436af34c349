package differential

import (
	"fmt"
	"slices"
	"strings"
)

// batch is a batch of items about the instances given.
func batch(name string, about []int, items ...string) request {
	r := request{name: name, method: "POST", path: "/eureka/peerreplication/batch/", headers: []string{contentJSON, acceptJSON}}
	r.body = `{"replicationList":[` + strings.Join(items, ",") + "]}"
	for _, i := range about {
		r.touches = append(r.touches, instance{appOf(i), pathID(i)})
	}
	return r
}

// item is one item about instance i; rest are further members.
func item(action string, i int, rest string) string {
	return fmt.Sprintf(`{"appName":"%s","id":"%s",%s"action":"%s"}`, appOf(i), idOf(i), rest, action)
}

func registerItem(i int, changes ...field) string {
	return item("Register", i, `"lastDirtyTimestamp":1600000000000,"status":"UP","instanceInfo":`+group("", "", base(i, changes...)...).json+",")
}

func batches() []request {
	const stamp = `"lastDirtyTimestamp":1600000000000,`
	all := []request{
		batch("batch", nil),
		batch("batch", []int{0, 1}, registerItem(0), registerItem(1), item("Heartbeat", 0, stamp+`"status":"UP",`), item("StatusUpdate", 1, stamp+`"status":"DOWN",`)),
		batch("batch", []int{0, 1}, item("DeleteStatusOverride", 1, stamp+`"status":"UP",`), item("Cancel", 0, ""), item("Cancel", 0, ""), item("Heartbeat", 0, stamp)),
		batch("batch", []int{1}, item("Heartbeat", 1, `"lastDirtyTimestamp":1599999999999,`), item("Heartbeat", 1, `"lastDirtyTimestamp":"1600000000001",`), item("Heartbeat", 1, "")),
		batch("batch"+withOverride, []int{1}, item("Heartbeat", 1, `"lastDirtyTimestamp":1600000000001,"overriddenStatus":"OUT_OF_SERVICE",`), item("Heartbeat", 1, `"overriddenStatus":"DOWN",`)),
		batch("batch", []int{1}, item("DeleteStatusOverride", 1, stamp)),
		batch("batch", []int{2}, item("StatusUpdate", 2, stamp+`"status":"DOWN",`), item("DeleteStatusOverride", 2, stamp)),
		batch("batch of an instance that it changes", []int{3}, registerItem(3), item("Heartbeat", 3, `"lastDirtyTimestamp":1599999999999,`), item("StatusUpdate", 3, stamp+`"status":"DOWN",`)),
		batch("batch with an item that is none", []int{4}, item("StatusUpdate", 4, ""), item("DeleteStatusOverride", 4, ""), `{"appName":"A","action":"Heartbeat"}`, `{"id":"a","action":"Cancel"}`),
		batch("batch with an item that is none", []int{4}, item("Register", 4, `"status":"UP",`), registerItem(4, text("app", "BAD«n»")), registerItem(4, without("hostName"))),
		batch("batch that is none", nil, `{"action":"Renew"}`), batch("batch that is none", nil, `{"unknown":1}`), batch("batch that is none", nil, "1"),
		batch("batch of 1001", nil, slices.Repeat([]string{item("Cancel", 5, "")}, 1001)...),
	}
	for _, body := range []string{"", "null", "{}", "[]", `{"replicationList":null}`, `{"replicationList":{}}`, "{"} {
		r := batch("batch that is none", nil)
		r.body = body
		all = append(all, r)
	}
	for _, accept := range []string{"*/*", "application/xml", "application/xml, application/json"} {
		r := batch("batch answered in XML", nil, item("Cancel", 5, ""))
		r.headers = []string{contentJSON, "Accept: " + accept}
		all = append(all, r)
	}
	return append(all, everywhere(1)...)
}

// replicas are single requests that a peer passes on.
func replicas() []request {
	r := register(0)
	r.headers = append(r.headers, replica)
	return slices.Concat(
		[]request{put("heartbeat", 0, "", replica), r, put("heartbeat", 0, "?lastDirtyTimestamp=1599999999999&status=UP", replica, acceptJSON),
			put("heartbeat", 0, "?lastDirtyTimestamp=1599999999999", replica, acceptXML), put("heartbeat"+withOverride, 0, "?lastDirtyTimestamp=1600000000001&overriddenstatus=OUT_OF_SERVICE", replica),
			put("heartbeat"+withOverride, 0, "?lastDirtyTimestamp=1600000000000&overriddenstatus=UNKNOWN", replica), put("override", 0, "/status?value=DOWN&lastDirtyTimestamp=1600000000002", replica),
			remove("remove override", 0, "/status?value=UP", replica), put("metadata", 0, "/metadata?a=b", replica)},
		everywhere(0), []request{remove("cancel", 0, "", replica), remove("cancel", 0, "", replica)}, everywhere(0),
	)
}
