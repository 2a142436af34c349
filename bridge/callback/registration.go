package callback

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eurekube/eurekube/eureka"
)

// Bounds of a registration. The length of its URLs is bounded by maxURL and that
// of all of it by --max-body.
const (
	maxNameBytes = 255
	maxRequired  = 64
)

// serviceURLKey is the metadata that keeps a ServiceURL as it was written.
const serviceURLKey = "service-url"

// The lease of a service, in seconds: a probe every three, and ten that are missing
// end it, should the bridge be held up. One that does not answer is cancelled long
// before.
const (
	renewalSeconds  = 3
	durationSeconds = 30
)

// body is a registration on the wire. encoding/json takes the names in any case:
// programs of this family write ServiceUpdateURl, ServiceUpdateURL and more.
type body struct {
	ServiceName      string
	ServiceURL       string
	RequiredServices []string
	ServiceUpdateURL string
	HeartbeatURL     string
}

// registration is what a program said of itself, judged.
type registration struct {
	app        string // its name in upper case
	serviceURL string // as written
	required   []string
	at         endpoint // of the service
	update     endpoint // zero when nothing is required
	heartbeat  endpoint
}

// parseRegistration reads the body of a POST. The error says what to mend.
func parseRegistration(text []byte) (*registration, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the body is not UTF-8")
	}
	var b body
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("the body is no registration in JSON: %w", err)
	}
	if err := checkServiceName(b.ServiceName); err != nil {
		return nil, err
	}
	if err := checkRequired(b.RequiredServices); err != nil {
		return nil, err
	}
	r := &registration{app: strings.ToUpper(b.ServiceName), serviceURL: b.ServiceURL, required: b.RequiredServices}
	var err error
	if r.at, err = parseEndpoint(b.ServiceURL); err != nil {
		return nil, fmt.Errorf("ServiceURL %w", err)
	}
	if r.heartbeat, err = parseEndpoint(b.HeartbeatURL); err != nil {
		return nil, fmt.Errorf("HeartbeatURL %w", err)
	}
	if b.ServiceUpdateURL == "" && len(b.RequiredServices) == 0 {
		return r, nil
	}
	if r.update, err = parseEndpoint(b.ServiceUpdateURL); err != nil {
		return nil, fmt.Errorf("ServiceUpdateURL %w", err)
	}
	return r, nil
}

// checkServiceName refuses what cannot be the name of an application: it stands in
// paths and, in lower case, among the VIP names, which a comma separates.
func checkServiceName(name string) error {
	switch {
	case name == "":
		return errors.New("ServiceName is missing")
	case len(name) > maxNameBytes:
		return fmt.Errorf("ServiceName is longer than %d bytes", maxNameBytes)
	case strings.TrimSpace(name) != name:
		return errors.New("ServiceName has space around it")
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("-_. ", r) {
			return fmt.Errorf("ServiceName holds %q: it takes letters, digits, '-', '_', '.' and ' '", r)
		}
	}
	return nil
}

// checkRequired refuses names that cannot be told under: applications of pods may
// have any printable name.
func checkRequired(names []string) error {
	if len(names) > maxRequired {
		return fmt.Errorf("RequiredServices has more than %d names", maxRequired)
	}
	for _, name := range names {
		if name == "" || len(name) > maxNameBytes || strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("RequiredServices holds %.40q, which is no name", name)
		}
	}
	return nil
}

// instance is the service as Eureka lists it, registered from remote.
func (r *registration) instance(remote netip.Addr) *eureka.Instance {
	host, addr := r.reached(remote)
	if host == addr.String() && addr.Is6() {
		host = "[" + host + "]" // clients build URLs from it
	}
	port := eureka.Port{Number: r.at.port, Enabled: r.at.url.Scheme == "http"}
	securePort := eureka.Port{Number: r.at.port, Enabled: !port.Enabled}
	if port.Enabled {
		securePort.Number = eureka.DefaultSecurePort
	} else {
		port.Number = eureka.DefaultPort
	}
	vip := strings.ToLower(r.app)
	return &eureka.Instance{
		ID: r.at.id(), HostName: host, App: r.app, IPAddr: addr.String(),
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: port, SecurePort: securePort, CountryID: eureka.DefaultCountryID,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:          eureka.Lease{RenewalIntervalInSecs: renewalSeconds, DurationInSecs: durationSeconds},
		Metadata:       map[string]string{serviceURLKey: r.serviceURL},
		HomePageURL:    r.at.url.String(), HealthCheckURL: r.heartbeat.url.String(),
		VIPAddress: vip, SecureVIPAddress: vip,
	}
}

// reached is where other machines reach the service. A URL of the machine itself
// means the one that the registration came from, and so does a name as far as an
// address is concerned, for names are not looked up.
func (r *registration) reached(remote netip.Addr) (host string, addr netip.Addr) {
	switch addr = r.at.addr; {
	case addr.IsUnspecified(), addr.IsLoopback(), r.at.host == "localhost":
		return remote.String(), remote
	case addr.IsValid():
		return r.at.host, addr
	}
	return r.at.host, remote
}
