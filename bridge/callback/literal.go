package callback

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// literal reads a host that is an address, in any spelling that some resolver
// takes for one: 2130706433, 0177.1 and 0x7f.0.0.1 are 127.0.0.1 to the C library.
// found is false for a name. What looks like an address and is none is an error.
func literal(host string) (addr netip.Addr, found bool, err error) {
	if strings.Contains(host, ":") {
		addr, err = netip.ParseAddr(host)
		if err == nil && addr.Zone() != "" {
			err = fmt.Errorf("host %q has a zone", host)
		}
		return addr.Unmap(), true, err
	}
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if !numeric(last) {
		return netip.Addr{}, false, checkName(host)
	}
	addr, err = parseIPv4(host)
	return addr, true, err
}

// numeric reports whether a name that ends in label is taken for an IPv4 address:
// no domain ends so.
func numeric(label string) bool {
	if hex, found := strings.CutPrefix(strings.ToLower(label), "0x"); found {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// parseIPv4 reads the numbers of an IPv4 address as inet_aton(3) does: one to four
// of them, each decimal, octal after a 0 or hexadecimal after 0x, where the last one
// fills all bytes that are left.
func parseIPv4(host string) (netip.Addr, error) {
	parts := strings.Split(host, ".")
	var whole uint64
	for i, part := range parts {
		width := 8
		if i == len(parts)-1 {
			width = 8 * (5 - len(parts))
		}
		n, err := parseNumber(part, width)
		if err != nil || len(parts) > 4 {
			return netip.Addr{}, fmt.Errorf("host %.40q is no IPv4 address", host)
		}
		whole = whole<<width | n
	}
	return netip.AddrFrom4([4]byte{byte(whole >> 24), byte(whole >> 16), byte(whole >> 8), byte(whole)}), nil
}

// parseNumber reads a number of at most width bits, in the base that it shows.
func parseNumber(text string, width int) (uint64, error) {
	digits, base := text, 10
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0X"):
		digits, base = text[2:], 16
	case strings.HasPrefix(text, "0") && text != "0":
		digits, base = text[1:], 8
	}
	return strconv.ParseUint(digits, base, width)
}

// maxName is the longest name that DNS has.
const maxName = 253

// checkName refuses a host that is no name of DNS. Names of containers have
// underscores.
func checkName(host string) error {
	if host == "" || len(host) > maxName {
		return fmt.Errorf("host %.40q is no name", host)
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return fmt.Errorf("host %.40q is no name", host)
		}
	}
	return nil
}
