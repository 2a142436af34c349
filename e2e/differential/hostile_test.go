package differential

import (
	"slices"
	"strings"
)

// hostile is a registration with one thing wrong. Its name says what.
func (g *generator) hostile(i int) request {
	r := g.write("", "POST", "/eureka/apps/"+appOf(i), i)
	r.headers = slices.DeleteFunc(r.headers, func(header string) bool { return header == replica }) // it adds nothing here
	fields := g.registration(i)
	at := slices.IndexFunc(fields, func(f field) bool { return f.name == "dataCenterInfo" })
	fields[at] = dataCenter("MyOwn", "MyDataCenterInfo") // Amazon's may be the id
	// It may come to have another id.
	r.touches = append(r.touches, instance{app: appOf(i)})
	if g.chance(0.3) {
		r.headers = append(r.headers, contentXML)
		r.name, r.body = g.hostileXML(fields)
	} else {
		r.headers = append(r.headers, contentJSON)
		r.name, r.body = g.hostileJSON(fields)
	}
	r.name = "hostile " + r.name
	return r
}

// values stand where others are expected.
var values = []struct{ name, json string }{
	{"null", "null"}, {"empty text", `""`}, {"a word", `"word«n»"`}, {"blanks", `" UP "`}, {"lower case", `"up"`},
	{"0", "0"}, {"-1", "-1"}, {"1.5", "1.5"}, {"digits", `"12"`}, {"70000", "70000"}, {"2^64", "18446744073709551616"},
	{"true", "true"}, {"True", `"True"`}, {"{}", "{}"}, {"object", `{"a":"b"}`}, {"[]", "[]"}, {"array", `["a"]`},
	{"long text", `"` + strings.Repeat("long", 3000) + `"`}, {"control", `"a\u0001b"`}, {"half a pair", `"\ud800"`},
}

// members are where such a value is put: a field, or one inside another.
var members = []string{
	"instanceId", "hostName", "app", "ipAddr", "vipAddress", "secureVipAddress", "status", "overriddenStatus", "overriddenstatus",
	"port", "port.$", "port.@enabled", "securePort", "securePort.@enabled", "countryId", "dataCenterInfo", "dataCenterInfo.name", "dataCenterInfo.@class",
	"leaseInfo", "leaseInfo.durationInSecs", "leaseInfo.renewalIntervalInSecs", "metadata", "metadata.key", "homePageUrl", "sid", "asgName",
	"lastDirtyTimestamp", "lastUpdatedTimestamp", "actionType", "isCoordinatingDiscoveryServer", "unknownField",
}

func (g *generator) hostileJSON(fields []field) (name, body string) {
	member := members[g.IntN(len(members))]
	outer, inner, nested := strings.Cut(member, ".")
	at := slices.IndexFunc(fields, func(f field) bool { return f.name == outer })
	if g.chance(0.15) {
		return g.brokenText("json", inJSON(fields))
	}
	if g.chance(0.1) && at >= 0 {
		return "json " + outer + " absent", inJSON(slices.Delete(fields, at, at+1))
	}
	value := values[g.IntN(len(values))]
	if value.name == "[]" && (member == "metadata" || member == "leaseInfo" || member == "dataCenterInfo") {
		value = values[0] // Spring's server never answers the first of these
	}
	if value.name == "control" || value.name == "half a pair" {
		member, outer, inner, nested = "homePageUrl", "homePageUrl", "", false // the compact form breaks upstream
		at = slices.IndexFunc(fields, func(f field) bool { return f.name == outer })
	}
	changed := field{name: outer, json: value.json}
	if nested {
		changed.json = `{"` + inner + `":` + value.json + "}"
		switch member {
		case "port.$":
			changed.json = `{"$":` + value.json + `,"@enabled":"true"}`
		case "dataCenterInfo.name":
			changed.json = `{"@class":"com.netflix.appinfo.MyDataCenterInfo","name":` + value.json + "}"
		case "dataCenterInfo.@class":
			changed.json = `{"@class":` + value.json + `,"name":"MyOwn"}`
		}
	}
	if at >= 0 {
		fields[at] = changed
	} else {
		fields = slices.Insert(fields, g.IntN(len(fields)+1), changed)
	}
	return "json " + member + " = " + value.name, inJSON(fields)
}

func (g *generator) hostileXML(fields []field) (name, body string) {
	if g.chance(0.3) {
		return g.brokenText("xml", inXML(fields))
	}
	at := g.IntN(len(fields))
	outer := fields[at].name
	if g.chance(0.2) {
		return "xml " + outer + " absent", inXML(slices.Delete(fields, at, at+1))
	}
	contents := []struct{ name, xml string }{
		{"empty", ""}, {"a word", "word«n»"}, {"blanks", " UP "}, {"lower case", "up"}, {"0", "0"}, {"-1", "-1"}, {"70000", "70000"},
		{"an element", "<a>b</a>"}, {"text and element", "a<b>c</b>"}, {"CDATA", "<![CDATA[<a>]]>"}, {"a comment", "a<!-- b -->c"}, {"a reference", "&#97;&amp;"},
	}
	content := contents[g.IntN(len(contents))]
	fields[at].xml = "<" + outer + ">" + content.xml + "</" + outer + ">"
	return "xml " + outer + " = " + content.name, inXML(fields)
}

// brokenText is a body in which not one field is wrong, but the whole of it.
func (g *generator) brokenText(form, body string) (name, broken string) {
	half := len(body) / 2
	for half > 0 && body[half]&0xC0 == 0x80 {
		half-- // not inside a placeholder
	}
	others := map[string][]struct{ name, text string }{
		"json": {
			{"{}", "{}"}, {"null", "null"}, {"[]", "[]"}, {"text", `"text"`}, {"two documents", body + body}, {"text after it", body + "x"},
			{"unwrapped", strings.TrimSuffix(strings.TrimPrefix(body, `{"instance":`), "}")}, {"wrong root", strings.Replace(body, `{"instance"`, `{"application"`, 1)},
			{"instance = {}", `{"instance":{}}`}, {"instance = null", `{"instance":null}`}, {"instance = text", `{"instance":"a"}`},
			{"single quotes", strings.ReplaceAll(body, `"`, "'")}, {"comment", "/* a */" + body},
		},
		"xml": {
			{"wrong root", strings.ReplaceAll(body, "instance>", "application>")}, {"declaration", `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + body},
			{"DOCTYPE", `<!DOCTYPE instance [<!ENTITY e "x">]>` + body}, {"entity", strings.Replace(body, "</hostName>", "&e;</hostName>", 1)},
			{"namespace", strings.Replace(body, "<instance>", `<instance xmlns="urn:a">`, 1)}, {"prefix", strings.Replace(body, "<instance>", `<instance xmlns:p="urn:a" p:x="1">`, 1)},
			{"comment first", "<!-- a -->" + body}, {"not closed", strings.TrimSuffix(body, "</instance>")}, {"text after it", body + "x"}, {"two documents", body + body},
			{"two roots closed", body + "</instance>"}, {"{}", "{}"},
		},
	}[form]
	always := []struct{ name, text string }{
		{"nothing", ""}, {"blanks", " \n"}, {"half of it", body[:half]}, {"byte order mark", "\uFEFF" + body}, {"bad UTF-8", strings.Replace(body, ".example", "\xff.example", 1)},
		{"blanks around it", " \n" + body + "\n "}, {"NUL", "\x00" + body},
	}
	chosen := append(others, always...)[g.IntN(len(others)+len(always))]
	return form + " " + chosen.name, chosen.text
}
