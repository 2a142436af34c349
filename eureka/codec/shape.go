package codec

// shape says which parts of a document are kept while it is read. The rest is
// checked and skipped without being stored, so that a body costs memory for
// what an instance is made of only.
type shape struct {
	members []shapeMember
	// free keeps every member as text: metadata, whose names are data.
	free bool
	// list allows an array of this shape in its place.
	list bool
	// most bounds the items of the array; 0 leaves it to the size of the body.
	most int
}

// shapeMember is a known member and what is kept of it.
type shapeMember struct {
	name  string
	shape *shape
}

// textShape keeps text and nothing below it.
var textShape = &shape{}

// freeShape keeps a flat map.
var freeShape = &shape{free: true}

// member is the name and shape under which a member is kept, a nil shape when
// it is skipped. A nil s skips everything.
func (s *shape) member(name []byte) (string, *shape) {
	if s == nil {
		return "", nil
	}
	if s.free {
		return string(name), textShape
	}
	for i := range s.members {
		if s.members[i].name == string(name) {
			return s.members[i].name, s.members[i].shape
		}
	}
	return "", nil
}

// texts is a list of members that are text.
func texts(names ...string) []shapeMember {
	members := make([]shapeMember, len(names))
	for i, name := range names {
		members[i] = shapeMember{name, textShape}
	}
	return members
}

// Attributes of XML elements are members whose names begin with @, which is
// how JSON spells them.
var (
	portShape  = &shape{members: texts("$", "@enabled")}
	leaseShape = &shape{members: texts("renewalIntervalInSecs", "durationInSecs",
		"registrationTimestamp", "lastRenewalTimestamp", "renewalTimestamp", "evictionTimestamp", "serviceUpTimestamp")}
	dataCenterShape = &shape{members: append(texts("name"), shapeMember{"metadata", freeShape})}

	instanceShape = &shape{list: true, members: append(texts(
		"instanceId", "hostName", "app", "ipAddr", "sid", "status", "overriddenStatus", "overriddenstatus", "countryId",
		"appGroupName", "homePageUrl", "statusPageUrl", "healthCheckUrl", "secureHealthCheckUrl",
		"vipAddress", "secureVipAddress", "isCoordinatingDiscoveryServer",
		"lastUpdatedTimestamp", "lastDirtyTimestamp", "actionType", "asgName"),
		shapeMember{"port", portShape},
		shapeMember{"securePort", portShape},
		shapeMember{"dataCenterInfo", dataCenterShape},
		shapeMember{"leaseInfo", leaseShape},
		shapeMember{"metadata", freeShape},
	)}
	applicationShape = &shape{list: true, members: append(texts("name"),
		shapeMember{"instance", instanceShape})}
	applicationsShape = &shape{members: append(texts("versions__delta", "apps__hashcode"),
		shapeMember{"application", applicationShape})}
)

// wrapped is the shape of a document that holds s under the given name.
func wrapped(name string, s *shape) *shape {
	return &shape{members: []shapeMember{{name, s}}}
}

// unwrapped is the shape of a document that holds s under the given name or
// without a name around it. No shape has a member of its own name.
func unwrapped(name string, s *shape) *shape {
	return &shape{members: append(wrapped(name, s).members, s.members...)}
}
