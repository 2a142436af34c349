package registry

import (
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// Name is one of the names by which clients find instances. Names that clients
// cannot tell apart are equal.
type Name struct {
	kind nameKind
	text string
}

// nameKind tells a name that is also one of another kind from it.
type nameKind string

const (
	appName    nameKind = "the app name"
	vipName    nameKind = "the VIP name"
	instanceID nameKind = "the id"
)

// AppName is the name of an app, in upper case.
func AppName(app string) Name { return Name{appName, app} }

// String says what the name is of, for people.
func (n Name) String() string { return string(n.kind) + " " + n.text }

// NamesOf are all names by which clients find inst: its app, its id, and each
// name in its VIP addresses. Java's clients look VIP names up in upper case, and
// one name space serves for secure ones as well: a client may be told to use
// either port.
func NamesOf(inst *eureka.Instance) []Name {
	names := []Name{AppName(inst.App), {instanceID, inst.ID}}
	names = appendVIPs(names, inst.VIPAddress)
	if inst.SecureVIPAddress != inst.VIPAddress {
		names = appendVIPs(names, inst.SecureVIPAddress)
	}
	return names
}

func appendVIPs(names []Name, address string) []Name {
	for name := range strings.SplitSeq(strings.ToUpper(address), ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, Name{vipName, name})
		}
	}
	return names
}
