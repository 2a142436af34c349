package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka/codec"
)

// collectionForm is the form that a collection or an application is answered in:
// JSON if the Accept header contains "json", else XML, also when there is none;
// compact if X-Eureka-Accept says so in any case (protocol section 2.3).
func collectionForm(h http.Header) codec.Form {
	compact := strings.EqualFold(h.Get("X-Eureka-Accept"), "compact")
	json := strings.Contains(strings.ToLower(strings.Join(h.Values("Accept"), ",")), "json")
	switch {
	case json && compact:
		return codec.JSONCompact
	case json:
		return codec.JSON
	case compact:
		return codec.XMLCompact
	default:
		return codec.XML
	}
}

// instanceForm is the form of a single instance, which is never compact: of JSON
// and XML the one that the Accept header prefers, the earlier one on ties, and
// XML when it names neither (protocol section 11).
func instanceForm(h http.Header) codec.Form {
	form, best := codec.XML, 0.0
	for _, item := range listItems(h.Values("Accept")) {
		q := quality(item.parameters)
		if q <= best {
			continue
		}
		switch {
		case strings.Contains(item.name, "json"):
			form, best = codec.JSON, q
		case strings.Contains(item.name, "xml"), item.name == "*/*", item.name == "application/*":
			form, best = codec.XML, q
		}
	}
	return form
}

// acceptsGzip reports whether the client asked for gzip by name and did not
// refuse it. Some clients choke on compression they did not ask for (field case
// 23).
func acceptsGzip(h http.Header) bool {
	for _, item := range listItems(h.Values("Accept-Encoding")) {
		if (item.name == "gzip" || item.name == "x-gzip") && quality(item.parameters) > 0 {
			return true
		}
	}
	return false
}

// listItem is one element of a comma-separated header.
type listItem struct {
	name       string // in lower case
	parameters string
}

// listItems splits the lines of a header into its elements.
func listItems(lines []string) []listItem {
	var items []listItem
	for _, line := range lines {
		for element := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(element, ";")
			items = append(items, listItem{strings.ToLower(strings.TrimSpace(name)), parameters})
		}
	}
	return items
}

// quality is the q value among parameters (RFC 9110 section 12.4.2), 1 when there
// is none or none that can be read.
func quality(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err == nil && q >= 0 && q <= 1 {
			return q
		}
	}
	return 1
}
