package codec

import "github.com/eurekube/eurekube/eureka"

// dataCenterInfo writes the data centre: metadata for Amazon alone, and only
// the few keys of the compact form when w is compact.
func (w *xmlWriter) dataCenterInfo(d eureka.DataCenterInfo) {
	if d.Name == "" {
		return
	}
	w.openClass("dataCenterInfo", d.Class())
	w.text("name", d.Name)
	if d.Name == eureka.DataCenterAmazon {
		if w.pretty {
			w.metadata(d.Metadata)
		} else {
			w.compactAmazonMetadata(d.Metadata)
		}
	}
	w.close("dataCenterInfo")
}

// metadata writes m with sorted keys, or upstream's empty map when m has no
// key that can be written.
func (w *xmlWriter) metadata(m map[string]string) {
	var stack [stackKeys]string
	keys := sortedKeys(stack[:0], m)
	if len(keys) == 0 {
		w.emptyMetadata()
		return
	}
	w.open("metadata")
	for _, key := range keys {
		w.entry(key, m[key])
	}
	w.close("metadata")
}

// compactAmazonMetadata writes the entries that survive in the compact form.
func (w *xmlWriter) compactAmazonMetadata(m map[string]string) {
	empty := true
	for _, key := range compactAmazonKeys {
		value, ok := m[key]
		if !ok {
			continue
		}
		if empty {
			w.open("metadata")
			empty = false
		}
		w.entry(key, value)
	}
	if empty {
		w.emptyMetadata()
		return
	}
	w.close("metadata")
}

// emptyMetadata writes the map without entries.
func (w *xmlWriter) emptyMetadata() {
	w.line()
	w.dst = append(w.dst, `<metadata class="`+emptyMapClass+`"/>`...)
}

// entry writes an element whose name is data.
func (w *xmlWriter) entry(key, value string) {
	w.line()
	w.dst = append(w.dst, '<')
	w.dst = appendXMLName(w.dst, key)
	w.dst = append(w.dst, '>')
	w.dst = appendXMLText(w.dst, value)
	w.dst = append(w.dst, "</"...)
	w.dst = appendXMLName(w.dst, key)
	w.dst = append(w.dst, '>')
}
