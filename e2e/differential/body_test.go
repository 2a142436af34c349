package differential

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// field is one field of a registration, in both forms. Text is what stands
// between the quotes or the tags.
type field struct {
	name string
	json string // a value
	xml  string // an element
}

func text(name, value string) field {
	return field{name: name, json: strconv.Quote(value), xml: element(name, "", value)}
}

// number is a field that Spring's clients send as a number and Jersey's as text.
func number(name string, value int64, quoted bool) field {
	digits := strconv.FormatInt(value, 10)
	f := field{name: name, json: digits, xml: element(name, "", digits)}
	if quoted {
		f.json = strconv.Quote(digits)
	}
	return f
}

func element(name, attributes, content string) string {
	content = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(content)
	return "<" + name + attributes + ">" + content + "</" + name + ">"
}

func port(name string, value int, enabled bool, quoted bool) field {
	f := field{name: name, json: fmt.Sprintf(`{"$":%d,"@enabled":"%t"}`, value, enabled)}
	if quoted {
		f.json = fmt.Sprintf(`{"@enabled":%t,"$":"%d"}`, enabled, value)
	}
	f.xml = element(name, fmt.Sprintf(` enabled="%t"`, enabled), strconv.Itoa(value))
	return f
}

func group(name, attributes string, members ...field) field {
	var object, elements []string
	for _, m := range members {
		object = append(object, strconv.Quote(m.name)+":"+m.json)
		elements = append(elements, m.xml)
	}
	return field{
		name: name, json: "{" + strings.Join(object, ",") + "}",
		xml: "<" + name + attributes + ">" + strings.Join(elements, "") + "</" + name + ">",
	}
}

func inJSON(fields []field) string {
	return `{"instance":` + group("", "", fields...).json + "}"
}

func inXML(fields []field) string {
	return group("instance", "", fields...).xml
}

// registration is an instance as clients send it: always what a server insists
// on, and the rest as chance has it.
func (g *generator) registration(i int) []field {
	quoted := g.chance(0.5)
	fields := []field{
		text("hostName", "h"+token(i)+".example"),
		text("app", g.anyCase(appOf(i))),
		text("ipAddr", fmt.Sprintf("10.0.0.%d", i)),
		text("vipAddress", g.pick("vip«n»", "vip«n»,other«n»", "VIP«n»", "other«n»", "vip«n», spaced«n»")),
		text("secureVipAddress", g.pick("secure«n»", "vip«n»")),
		text("status", g.status()),
		g.dataCenter(i),
	}
	if i != hostIsID {
		fields = append([]field{text("instanceId", idOf(i))}, fields...)
	}
	optional := []field{
		port("port", 8080+i, g.chance(0.9), quoted), port("securePort", 443, g.chance(0.3), quoted),
		number("countryId", 1, quoted), g.lease(quoted), g.metadata(),
		text(g.pick("overriddenStatus", "overriddenstatus"), g.pick("UNKNOWN", "UNKNOWN", "UNKNOWN", "OUT_OF_SERVICE", "UP")),
		text("homePageUrl", "http://h"+token(i)+":80/?a=b&c=<d>"), text("statusPageUrl", "http://h/info"),
		text("healthCheckUrl", "http://h/health"), text("secureHealthCheckUrl", "https://h/health"),
		text("sid", g.pick("na", "unknown", "other")), text("asgName", "group"), text("appGroupName", g.pick("GROUP", "Group")),
		number("lastUpdatedTimestamp", 1, quoted), g.dirtyField(i, quoted),
		text("actionType", g.pick("ADDED", "MODIFIED", "DELETED")),
		text("isCoordinatingDiscoveryServer", g.pick("true", "false")),
		text("unknownField", "text"),
	}
	for _, f := range optional {
		if g.chance(0.7) {
			fields = append(fields, f)
		}
	}
	return fields
}

func (g *generator) dataCenter(i int) field {
	switch {
	case i != hostIsID && g.chance(0.2): // Amazon's would be its id
		return group("dataCenterInfo", ` class="com.netflix.appinfo.AmazonInfo"`,
			field{name: "@class", json: `"com.netflix.appinfo.AmazonInfo"`}, text("name", "Amazon"),
			group("metadata", "", text("instance-id", "a"+token(i)), text("availability-zone", "us-east-1c"), text("public-ipv4", "192.0.2.1")))
	case g.chance(0.3):
		return dataCenter("Netflix", "InstanceInfo$DefaultDataCenterInfo")
	}
	return dataCenter("MyOwn", "MyDataCenterInfo")
}

// dataCenter is one without metadata, of a class that clients name.
func dataCenter(name, class string) field {
	class = "com.netflix.appinfo." + class
	return group("dataCenterInfo", ` class="`+class+`"`, field{name: "@class", json: strconv.Quote(class)}, text("name", name))
}

func (g *generator) lease(quoted bool) field {
	return group("leaseInfo", "",
		number("renewalIntervalInSecs", g.number(30, 5, 0, -1), quoted), number("durationInSecs", g.number(90, 300, 0, -1), quoted),
		number("registrationTimestamp", g.number(0, 5), quoted), number("lastRenewalTimestamp", 0, quoted),
		number("evictionTimestamp", g.number(0, 5), quoted), number("serviceUpTimestamp", g.number(0, 0, 5), quoted))
}

// metadata are keys that XML names can hold and keys that they cannot, and text
// that has to be escaped.
func (g *generator) metadata() field {
	all := []field{
		{name: "zone", json: `"z1"`, xml: "<zone>z1</zone>"},
		{name: "a_b", json: `"<&>\"'"`, xml: `<a__b>&lt;&amp;&gt;"'</a__b>`},
		{name: "k8s.io/team", json: `"ümläut 漢 😀"`, xml: "<k8s.io_.002fteam>ümläut 漢 😀</k8s.io_.002fteam>"},
		{name: "$x", json: `""`, xml: "<_-x></_-x>"},
		{name: "1st", json: `"a\nb\tc"`, xml: "<_.0031st>a\nb\tc</_.0031st>"},
		{name: "number", json: "8", xml: "<number>8</number>"},
		{name: "flag", json: "true", xml: "<flag>true</flag>"},
		{name: "management.port", json: `"8081"`, xml: "<management.port>8081</management.port>"},
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return group("metadata", "", all[:g.IntN(4)]...)
}

func (g *generator) dirtyField(i int, quoted bool) field {
	return number("lastDirtyTimestamp", g.dirty(i), quoted)
}

// generator makes sequences from a seed. It keeps no model of the servers: what a
// request leads to is theirs to say.
type generator struct {
	*rand.Rand
	newest [10]int64 // the latest dirty timestamp of each instance
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }

func (g *generator) pick(values ...string) string { return values[g.IntN(len(values))] }

func (g *generator) number(values ...int64) int64 { return values[g.IntN(len(values))] }

func (g *generator) status() string {
	return g.pick("UP", "UP", "UP", "UP", "UP", "DOWN", "STARTING", "OUT_OF_SERVICE", "UNKNOWN")
}

// dirty is a dirty timestamp, long past: older than the latest of the instance,
// the same or newer.
func (g *generator) dirty(i int) int64 {
	if g.newest[i] == 0 {
		g.newest[i] = first
	}
	stamp := g.newest[i] + g.number(-1, 0, 0, 0, 1, 1)
	g.newest[i] = max(g.newest[i], stamp)
	return stamp
}

// anyCase spells an application as clients may.
func (g *generator) anyCase(name string) string {
	if g.chance(0.3) {
		return strings.ToLower(name)
	}
	return name
}
