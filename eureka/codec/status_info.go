package codec

import "github.com/eurekube/eurekube/eureka"

// StatusInfo is the answer to GET status (protocol section 3.13).
type StatusInfo struct {
	// GeneralStats and ApplicationStats are written in this order; their names
	// are different within each.
	GeneralStats, ApplicationStats []Stat
	// Instance is the server itself as an instance, nil to leave it out.
	Instance *eureka.Instance
}

// Stat is one line of a [StatusInfo].
type Stat struct {
	// Name is any text; a stat without one is left out.
	Name string
	// Value is any text.
	Value string
}

// statusInfoElement is the root element in XML: the Java class that upstream
// hands to its encoder.
const statusInfoElement = "com.netflix.eureka.util.StatusInfo"

// AppendStatusInfo appends the document of s, which has no compact form. JSON,
// which upstream fails to write, has no name around it and no claim `healthy`.
func (f Form) AppendStatusInfo(dst []byte, s *StatusInfo) []byte {
	if f.isXML() {
		w := xmlWriter{dst: dst, pretty: true}
		w.open(statusInfoElement)
		w.stats("generalStats", s.GeneralStats)
		w.stats("applicationStats", s.ApplicationStats)
		if s.Instance != nil {
			w.instance("instanceInfo", s.Instance)
		}
		w.close(statusInfoElement)
		return w.dst
	}
	dst = append(dst, `{"generalStats":`...)
	dst = appendJSONStats(dst, s.GeneralStats)
	dst = append(dst, `,"applicationStats":`...)
	dst = appendJSONStats(dst, s.ApplicationStats)
	if s.Instance != nil {
		dst = append(dst, `,"instanceInfo":`...)
		dst = appendJSONInstance(dst, s.Instance)
	}
	return append(dst, '}')
}

// stats writes stats as elements.
func (w *xmlWriter) stats(name string, stats []Stat) {
	w.open(name)
	for _, stat := range stats {
		if stat.Name != "" {
			w.entry(stat.Name, stat.Value)
		}
	}
	w.close(name)
}

// appendJSONStats appends stats as an object.
func appendJSONStats(dst []byte, stats []Stat) []byte {
	start := len(dst)
	dst = append(dst, '{')
	for _, stat := range stats {
		if stat.Name != "" {
			dst = appendJSONEntry(dst, stat.Name, stat.Value)
		}
	}
	if len(dst) == start+1 {
		return append(dst, '}')
	}
	return closeJSONObject(dst)
}
