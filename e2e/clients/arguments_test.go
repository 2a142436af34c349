package clients

import "strings"

// arguments are the settings as the programs in Node, Python and Go take them.
func (s settings) arguments(more ...string) []string {
	arguments := []string{
		"--name=" + s.service,
		"--address=" + s.address,
		"--service-url=" + strings.Join(s.serviceURLs, ","),
		"--renewal-interval-seconds=" + seconds(s.interval),
		"--lease-duration-seconds=" + seconds(s.leaseDuration),
		"--fetch-interval-seconds=" + seconds(s.interval),
	}
	if s.discoverOnly {
		arguments = append(arguments, "--no-register")
	}
	return append(arguments, more...)
}

// plainListing is what these programs say of themselves.
func plainListing(a *application, want *instance) {
	want.SecurePort = port{Number: 443, Enabled: "false"}
	want.SecureVIP = want.VIP
	want.HomePageURL, want.StatusPageURL, want.HealthCheckURL = a.url("/"), a.url("/info"), a.url("/health")
}

// forgotten is why an application that was taken out of service registers again when
// it is put back.
const forgotten = "without the override nobody knows the status until the application says it again"

const (
	readsAll   = "reads the whole registry each time"
	noVIPs     = "reads the whole registry, never a VIP"
	notCompact = "never asks for compact answers"
)
