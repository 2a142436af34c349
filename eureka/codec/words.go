package codec

import (
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// emptyMapClass is what upstream writes into an empty metadata map. Clients
// want an object there even when there is nothing in it (field case 22), and
// Java's strip the class.
const emptyMapClass = "java.util.Collections$EmptyMap"

// classKey is the name under which Java libraries write class names into
// maps. Every Java client drops it from what it reads, so it is never
// metadata here, in any form and either way.
const classKey = "@class"

// compactAmazonKeys are the Amazon metadata of compact forms, in alphabetical
// order (protocol section 4.6).
var compactAmazonKeys = [...]string{"availability-zone", "instance-id", "local-ipv4", "public-hostname", "public-ipv4"}

// stackKeys is how many metadata keys are sorted without an allocation.
// Applications with more exist, but one slice is then the least of the work.
const stackKeys = 32

// sortedKeys appends the keys of m that can be written to dst, in order. An
// empty key is a broken element in XML and is written nowhere, so that all
// forms say the same.
func sortedKeys(dst []string, m map[string]string) []string {
	for key := range m {
		if IsMetadataKey(key) {
			dst = append(dst, key)
		}
	}
	slices.Sort(dst)
	return dst
}

// IsMetadataKey reports whether metadata under key is kept: any text but the
// empty one, which is a broken element in XML, and the name that Java libraries
// write class names under.
func IsMetadataKey(key string) bool { return key != "" && key != classKey }

// statusWord is s as clients know it. What is none of the five words would
// fail the decoders of strict clients, and the hash code counts it as UNKNOWN.
func statusWord(s eureka.Status) string {
	for _, known := range eureka.Statuses {
		if s == known {
			return string(known)
		}
	}
	return string(eureka.StatusUnknown)
}

// sid is the SID as written: upstream leaves out the two words that mean none.
func sid(i *eureka.Instance) string {
	if i.SID == sidAbsent || i.SID == sidUnknown {
		return ""
	}
	return i.SID
}

// The SIDs that mean that there is none.
const (
	sidAbsent  = "na"
	sidUnknown = "unknown"
)

// boolWord is b as a word.
func boolWord(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
