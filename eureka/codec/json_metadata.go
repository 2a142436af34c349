package codec

import "github.com/eurekube/eurekube/eureka"

// appendJSONDataCenterInfo appends the data centre as a member: the class
// first, and metadata last and for Amazon alone, since decoders of Java
// clients lose their place otherwise (protocol section 4.4).
func appendJSONDataCenterInfo(dst []byte, d eureka.DataCenterInfo, compact bool) []byte {
	if d.Name == "" {
		return dst
	}
	dst = append(dst, `"dataCenterInfo":{`...)
	dst = appendJSONText(dst, `"@class":`, d.Class())
	dst = appendJSONText(dst, `"name":`, d.Name)
	if d.Name == eureka.DataCenterAmazon {
		dst = append(dst, `"metadata":`...)
		if compact {
			dst = appendCompactAmazonMetadata(dst, d.Metadata)
		} else {
			dst = appendJSONMetadata(dst, d.Metadata, `{}`)
		}
		dst = append(dst, ',')
	}
	dst = closeJSONObject(dst)
	return append(dst, ',')
}

// appendJSONMetadata appends m as an object with sorted keys, or empty when m
// has no key that can be written.
func appendJSONMetadata(dst []byte, m map[string]string, empty string) []byte {
	start := len(dst)
	dst = append(dst, '{')
	var stack [stackKeys]string
	for _, key := range sortedKeys(stack[:0], m) {
		dst = appendJSONEntry(dst, key, m[key])
	}
	if len(dst) == start+1 {
		return append(dst[:start], empty...)
	}
	return closeJSONObject(dst)
}

// appendCompactAmazonMetadata appends the entries that survive in the compact
// form.
func appendCompactAmazonMetadata(dst []byte, m map[string]string) []byte {
	start := len(dst)
	dst = append(dst, '{')
	for _, key := range compactAmazonKeys {
		if value, ok := m[key]; ok {
			dst = appendJSONEntry(dst, key, value)
		}
	}
	if len(dst) == start+1 {
		return append(dst, '}')
	}
	return closeJSONObject(dst)
}

// appendJSONEntry appends a member whose name is data.
func appendJSONEntry(dst []byte, key, value string) []byte {
	dst = appendJSONString(dst, key)
	dst = append(dst, ':')
	dst = appendJSONString(dst, value)
	return append(dst, ',')
}
