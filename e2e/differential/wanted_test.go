package differential

import "github.com/eurekube/eurekube/e2e/springserver"

// Parts of answers that differ in whole.
const (
	// refused is one line of text in place of what theirs takes or says otherwise.
	refused = `(body: .* → \S.*|header Content-Disposition: .* → -|header Content-Type: \S+ → (text/plain; charset=utf-8|application/json|application/xml)|header Content-Length: 0 → -|: … → -)`
	// taken is an empty answer in place of a refusal.
	taken = `(body: .* → -|header Content-Type: application/(json|xml) → -|header Content-Length: - → 0)`
	// answered is a document in place of a refusal.
	answered = `(body: .* → -|header Content-Type: \S+ → application/(json|xml)|header (ETag|Vary|Content-Encoding|Content-Disposition): .*|header Content-Length: 0 → -|DELETED: - → last|(/.*)?: - → …)`
)

// typed are fields that hold no text, or not any text.
const typed = `(status|overridden[sS]tatus|(port|securePort)(\.\S+)?|countryId|dataCenterInfo(\.name)?|leaseInfo(\.\S+)?|metadata(\.\S+)?|isCoordinatingDiscoveryServer|last(Dirty|Updated)Timestamp)`

// registrations are the names of requests that register, of chance and by hand.
const registrations = `^(register|hostile|odd label|odd app|batch)`

// wanted are the differences that we mean. Those of one subject stand together,
// in the order of the rows.
var wanted = []allowance{
	{subject: "`versions__delta`", differences: `200→200 /applications/versions__delta: "?\d+"? → "?\d{16}"?`},
	{subject: "`DELETED` in deltas", differences: `200→200 DELETED: before others → last`},
	{subject: "A listed instance that changes", differences: `(200→200|409→409) /.*/actionType: "?ADDED"? → "?MODIFIED"?`},
	{subject: "404 and 405", differences: `(404→404|405→405) (body: error page → -|header Content-Type: \S+ → -|header Content-Disposition: inline;filename=f.txt → -|header Vary: .*Access-Control-Request-Headers → -|header Content-Length: - → 0)`},

	{subject: "`Accept` that admits neither JSON nor XML", requests: `^odd accept`, differences: `406→(200|404) .*`},
	{subject: "`Accept` with both", requests: `^odd accept`, differences: `200→200 header Content-Type: application/xml → application/json`},
	{subject: "Doubled slashes inside a path", requests: `^odd double slash`, differences: `404→200 ` + answered},
	{subject: "`%2F` in an id", requests: `an id with a slash$`, differences: `400→200 ` + answered},
	{subject: "Encoded letters in a path", requests: `^odd spelling`, differences: `404→200 ` + answered},
	{subject: "`Accept-Encoding: gzip;q=0`", requests: `^odd encoding`, differences: `200→200 header Content-Encoding: gzip → -`},
	{subject: "`Accept-Encoding` in upper case", requests: `^odd encoding`, differences: `200→200 header Content-Encoding: - → gzip`},
	{subject: "`Accept` in upper case or with parameters", requests: `^odd accept`, differences: `200→200 (header Content-Type: (APPLICATION/JSON|application/json;charset=utf-8) → application/json|/applications: … → -|: - → …)`},
	{subject: "Names in a VIP address", requests: `^read by the 65th name$`, differences: `200→200 /applications/(apps__hashcode: "DOWN_1_" → ""|application\[ORDERS\]: … → -)`},
	{subject: "VIP answers", requests: `^read`, differences: `200→200 header Content-Encoding: - → gzip`},
	{subject: "`GET status` in JSON", requests: `^status$`, differences: `500→200 ` + answered},
	{subject: "What `GET status` tells", requests: `^status$`, differences: `200→200 /com.netflix.eureka.util.StatusInfo/(generalStats|applicationStats|instanceInfo)/.*`},
	{subject: "`ETag`, `If-None-Match`", requests: `^(read|odd|hostile .*, then the instance$)`, differences: `200→200 header ETag: - → tag`},
	{subject: "Status of one instance in XML", differences: `(200→200|409→409) /instance\[.*\]/status: DOWN → (OUT_OF_SERVICE|UNKNOWN)`},
	{subject: "A colon in a metadata key, in XML", requests: `^read a colon in metadata$`, differences: `200→200 /application\[.*\]/instance\[.*\]/metadata/(a:b: v → -|a_.003ab: - → v)`},
	{subject: "Characters that XML 1.0 forbids", differences: `(200→200|409→409) forbidden characters: as references → -`},
	{subject: "Characters that XML 1.0 forbids", requests: `^read a control character$`, differences: `(404|200)→200 ` + answered},
	{subject: "Half of a surrogate pair", differences: `(200→200|409→409) /.*/homePageUrl: .*\?.* → .*�.*`},
	{subject: "An empty metadata key", requests: `an empty key`, differences: `200→200 /instance/metadata(/: .* → -|: … → .*|/@class: - → .*)`, parts: true},
	{subject: "`registeredApplicationsEmpty` in the compact form", differences: `200→200 /applications/registeredApplicationsEmpty: (true|false) → -`, release: springserver.Boot4},
	{subject: "`Vary`", differences: `(200→200|409→409) header Vary: - → Accept(, Accept-Encoding, X-Eureka-Accept)?`},
	{subject: "`Allow` and `OPTIONS`", requests: `^odd method`, differences: `405→405 header Allow: .*GET.* → .*GET,HEAD,OPTIONS.*`},
	{subject: "`Allow` and `OPTIONS`", requests: `^odd method`, differences: `200→200 (body: .*wadl.dev.java.net.* → -|header Content-Length: - → 0|header Content-Type: application/(vnd.sun.wadl\+xml|json) → -|header Allow: .*)`},
	{subject: "`PUT asg/{name}/status`", requests: `^asg$`, differences: `(200|400|405)→404 .*`},

	{subject: "Reason of a refused body", requests: `^(hostile|register)`, differences: `(400|500)→400 ` + refused},
	{subject: "Reason of a 415", requests: `^(odd label|register under another label)`, differences: `415→415 (body: error page → Content-Type .* is neither JSON nor XML|header Content-Type: application/json → text/plain; charset=utf-8)`},
	{subject: "`Content-Type` of a registration", requests: `^(odd label|register without label)`, differences: `415→204 ` + taken, parts: true},
	{subject: "gzip request bodies", requests: `^register gzip$`, differences: `400→204 ` + taken, parts: true},
	{subject: "Length of a body", requests: `^register a long body$`, differences: `204→413 ` + refused, parts: true},
	{subject: "App of a registration without one", requests: `^(register without app|hostile (json|xml) app (absent|= (null|empty( text)?)))$`, differences: `400→204 ` + taken, parts: true},
	{subject: "Registration without an object around it", requests: `^(register|hostile json) unwrapped`, differences: `400→204 ` + taken, parts: true},
	{subject: "A field that cannot be read", requests: `^(hostile ((json|xml) ` + typed + ` = |json \S+ = (\{\}|object|\[\]|array)$|xml \S+ = (an element|text and element)$)|register (a (status|port) that is none|port 0)$)`, differences: `204→400 ` + refused, parts: true},
	{subject: "Case of a status, and of true and false, in a registration", requests: `^(register a status in lower case|hostile json (status|overridden[sS]tatus) = lower case)`, differences: `200→200 /.*/(status|overriddenStatus): .*`, parts: true},
	{subject: "Case of a status, and of true and false, in a registration", requests: `^(register a flag in upper case|hostile json (port|securePort)\.@enabled = True), then`, differences: `200→200 /(application/instance\[.*\]|instance)/(port|securePort)/@enabled: "false" → "true"`, parts: true},
	{subject: "Empty text or `null` in a field", requests: `^(register an empty|hostile (json|xml) \S+ = (empty|null)).*then the instance$`, differences: `200→200 /.*/([a-zA-Z]+Url|asgName|sid|secureVipAddress|appGroupName): "?"? → -`, parts: true},
	{subject: "Empty text or `null` in a field", requests: `^(register an empty|hostile (json|xml) \S+ = (empty|null)).*then the instance$`, differences: `200→200 /.*/(status|overriddenStatus|countryId|\$|@enabled|lastDirtyTimestamp|isCoordinatingDiscoveryServer|leaseInfo/serviceUpTimestamp): .* → .*`, parts: true},
	{subject: "Unknown fields, also in `leaseInfo`", requests: `^hostile ((xml|json) leaseInfo = .*|xml unknownField = (an element|text and element)|json unknownField = (\{\}|object|\[\]|array)), then the instance$`, differences: `200→200 /.*`, parts: true},
	{subject: "Unknown fields, also in `leaseInfo`", requests: `^(hostile (xml|json) leaseInfo = |register empty text as a lease$)`, differences: `400→204 ` + taken, parts: true},
	{subject: "Unknown fields, also in `leaseInfo`", requests: `^(hostile (xml (port|securePort)|json unknownField) = |hostile json (port|securePort) = object|register (an unknown|XML with an element in a port))`, differences: `400→204 ` + taken, parts: true},
	{subject: "Empty text or `null` in a field", requests: `^(hostile json metadata = empty text|register empty text as metadata|(hostile xml|register XML with) (countryId|last(Dirty|Updated)Timestamp) = empty)$`, differences: `400→204 ` + taken, parts: true},
	{subject: "A port without an object around it", requests: `^(hostile json ((port|securePort) = digits|securePort = 0)|register a bare port|register a bare secure port 0)$`, differences: `400→204 ` + taken, parts: true},
	{subject: "Class of a data centre", requests: `^(hostile json dataCenterInfo\.@class = |register an unknown class$)`, differences: `400→204 ` + taken, parts: true},
	{subject: "Amazon's data centre without metadata", requests: `^register Amazon without metadata, then`, differences: `200→200 /instance/lastDirtyTimestamp: .* → .*`, parts: true},
	{subject: "`null` in metadata", requests: `^(register null in metadata|hostile json metadata.key = null), then`, differences: `200→200 /.*/metadata(/.*: "null" → -|: … → .*|/@class: - → .*)`, parts: true},
	{subject: "VIP of a registration without one", requests: `^(register without VIP|hostile .* vipAddress )`, differences: `200→200 /.*/vipAddress: (-|"?"?) → .*`, parts: true},
	{subject: "Id of a registration without one", differences: `(200→200|409→409) /.*/instanceId: (-|"?"?) → .*`},
	{subject: "Id of a registration without one", requests: `^odd metadata, then`, differences: `200→200 /instance/instanceId: "hs7\.example:zz" → "hs7\.example"`, parts: true},

	{subject: "`lastDirtyTimestamp` that is no number", requests: `^odd stamp`, differences: `(500|200)→400 ` + refused, parts: true},
	{subject: "`lastDirtyTimestamp` 0 in a registration", requests: `^register a dirty timestamp of 0, then`, differences: `200→200 /instance/lastDirtyTimestamp: "0" → "now"`, parts: true},
	{subject: "`lastDirtyTimestamp` 0 in a registration", requests: `^(hostile (json|xml) lastDirtyTimestamp = (0|empty text)|register a dirty timestamp of 0 over another), then`, differences: `200→200 /(application/)?instance.*`, parts: true}, // there what was before may stay
	{subject: "`value` of a status request", requests: `^odd value`, differences: `500→400 ` + refused, parts: true},
	{subject: "`value` of a status request", requests: `^odd value`, differences: `500→200 ` + taken, parts: true},
	{subject: "A status that a client reports", requests: registrations + `.*then the instance`, differences: `200→200 /.*/(status: "(UP|OUT_OF_SERVICE)" → "(UP|OUT_OF_SERVICE)"|leaseInfo/serviceUpTimestamp: 0 → now)`, parts: true},
	{subject: "`leaseInfo` after a stale registration", requests: registrations + `.*then the instance`, differences: `200→200 /.*/leaseInfo/(renewalIntervalInSecs|durationInSecs): \d+ → \d+`, parts: true},
	{subject: "`serviceUpTimestamp` when the removal of an override makes an instance `UP`", requests: `^(remov|batch).*then the instance`, differences: `200→200 /instance/leaseInfo/serviceUpTimestamp: 0 → now`, parts: true},
	{subject: "An override that a peer's heartbeat brings", requests: `^(heartbeat|batch) with an override, then the instance`, differences: `200→200 /instance/(status: ".*" → ".*"|leaseInfo/serviceUpTimestamp: 0 → now)`, parts: true},
	{subject: "Overrides", requests: `^register under the override of another, then`, differences: `200→200 /instance/overriddenStatus: "OUT_OF_SERVICE" → "UNKNOWN"`, parts: true},

	{subject: "A batch that is none", requests: `^batch that is none$`, differences: `(400|500)→400 ` + refused},
	{subject: "An item of a batch that cannot be carried out", requests: `^batch that is none$`, differences: `400→200 ` + answered},
	{subject: "An item of a batch that cannot be carried out", requests: `^batch with an item that is none$`, differences: `200→200 /responseList\[\d+\]/statusCode: (200|404|500) → (400|404)`, parts: true},
	{subject: "The instance in a 409 of a batch", requests: `^batch`, differences: `200→200 /responseList\[\d+\]/responseEntity/.*`},
	{subject: "Items of a batch", requests: `^batch of 1001$`, differences: `200→400 ` + refused},
	{subject: "Answer to a batch with `Accept: */*`", requests: `^batch answered in XML$`, differences: `200→200 (header Content-Type: application/xml → application/json|: - → …|/com.netflix.eureka.cluster.protocol.ReplicationListResponse: … → -)`},
	{subject: "A metadata update without bound", requests: `^metadata without bound`, differences: `200→413 ` + refused, parts: true},
	{subject: "`lastRenewalTimestamp`", differences: `(200→200|409→409) /.*/lastRenewalTimestamp: \d{13} → now`},
	{subject: "A lease of more than 24 days", requests: `^register for a month, then`, differences: `404→200 ` + answered, parts: true},
}
