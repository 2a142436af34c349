package convertor

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Names that a label or an annotation may have under any prefix but Choerodon's.
var eitherNames = []string{
	NameService, nameVersion, namePort, nameManagementPort, nameContextPath, nameSecurePort,
}

// Names that are read as annotations only, beside those that begin with
// nameMetadata.
var annotationNames = []string{
	NameAdvertiseHost, nameAdvertisePort, nameStatus, nameVIP, nameHealthPath, nameStatusPath,
	nameGeeRPC,
}

// maxUnknown is how many unknown keys of a pod get a warning each. A pod may have
// some thousand.
const maxUnknown = 10

// warnUnknown warns of keys under prefixes that nobody reads, which are mostly
// typing errors. Other parts of Choerodon have keys under its prefix. So may the
// owner of any other prefix than ours: there only what resembles a known name
// is told.
func (c *conversion) warnUnknown(prefixes []string) {
	unknown := c.unknown("annotation", c.pod.Annotations, prefixes)
	unknown = append(unknown, c.unknown("label", c.pod.Labels, prefixes)...)
	for i, message := range unknown {
		if i == maxUnknown {
			c.warnings.add(WarningUnknownLabel, "and %d more keys that are not read", len(unknown)-i)
			return
		}
		c.warnings.add(WarningUnknownLabel, "%s", message)
	}
}

// unknown says of each key of m that is not read what may have been meant, in
// order of the keys.
func (c *conversion) unknown(kind string, m map[string]string, prefixes []string) []string {
	messages := make(map[string]string)
	for key := range m {
		prefix, name, _ := strings.Cut(key, "/")
		if prefix == PrefixChoerodon || !slices.Contains(prefixes, prefix) || slices.Contains(eitherNames, name) {
			continue
		}
		annotationOnly := slices.Contains(annotationNames, name) || strings.HasPrefix(name, nameMetadata)
		nearest := nearestName(name)
		switch {
		case annotationOnly && kind == "annotation":
		case annotationOnly:
			messages[key] = fmt.Sprintf("label %s is read as an annotation only", clipped(key))
		case nearest != "":
			messages[key] = fmt.Sprintf("%s %s is not read; the nearest name that is: %s", kind, clipped(key), nearest)
		case prefix == PrefixEurekube:
			messages[key] = fmt.Sprintf("%s %s is not read", kind, clipped(key))
		}
	}
	ordered := make([]string, 0, len(messages))
	for _, key := range slices.Sorted(maps.Keys(messages)) {
		ordered = append(ordered, messages[key])
	}
	return ordered
}

// nearestName is the known name that name resembles most, empty when it
// resembles none: one slip is allowed, and another for every four letters from
// the eighth on.
func nearestName(name string) string {
	if len(name) > 63 {
		return "" // no key of a real pod
	}
	nearest, fewest := "", max(1, len(name)/4)+1
	for _, known := range slices.Concat(eitherNames, annotationNames) {
		if n := slips(strings.ToLower(name), known); n < fewest {
			nearest, fewest = known, n
		}
	}
	return nearest
}

// slips is how many letters were left out, added, mistaken or swapped with their
// neighbour to make b from a.
func slips(a, b string) int {
	// Rows of the usual table, one for each beginning of a: twoBack, back, row.
	var twoBack []int
	back := make([]int, len(b)+1)
	for j := range back {
		back[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			mistaken := back[j-1]
			if a[i-1] != b[j-1] {
				mistaken++
			}
			row[j] = min(back[j]+1, row[j-1]+1, mistaken)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], twoBack[j-2]+1)
			}
		}
		twoBack, back = back, row
	}
	return back[len(b)]
}
