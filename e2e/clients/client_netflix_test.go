package clients

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// netflix are the clients of the directory netflix.
var netflix = []client{
	{
		name: "netflix-1.6", title: "Netflix 1.6, Jersey 1", version: "eureka-client 1.6.2, with `--add-opens` on Java 17",
		command: netflixCommand("1.6", opened...), registered: netflixListing, says: netflix16Log(),
	},
	{
		name: "netflix-1.10", title: "Netflix 1.10, Jersey 1", version: "eureka-client 1.10.18",
		command: netflixCommand("1.10"), registered: netflixListing, says: springLogWith(jersey),
	},
	{
		name: "netflix-2.0", title: "Netflix 2.0, Jersey 3", version: "eureka-client-jersey3 2.0.4",
		command: netflixCommand("2.0"), registered: netflixListing, says: springLogWith(jersey3),
		cannot: map[string]string{
			"Compact": noCompact,
			"Gzip":    "does not ask for it",
		},
	},
}

// opened is what the XStream of 1.6 reaches into, which Java 17 forbids by default.
var opened = []string{
	"--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
	"--add-opens=java.base/java.text=ALL-UNNAMED",
	"--add-opens=java.base/java.util=ALL-UNNAMED",
	"--add-opens=java.desktop/java.awt.font=ALL-UNNAMED",
}

func netflixCommand(module string, options ...string) func(*testing.T, settings) command {
	return func(t *testing.T, s settings) command {
		t.Helper()
		jar, err := binaries.Jar(t.Context(), "clients/netflix", module)
		if err != nil {
			t.Fatal(err)
		}
		host, _, _ := net.SplitHostPort(s.address)
		all := slices.Clone(options)
		for _, property := range netflixProperties(s) {
			all = append(all, "-Deureka."+property)
		}
		return javaCommand(jar, []string{host}, all...)
	}
}

// netflixProperties are those of Netflix's client, as KEY=VALUE.
func netflixProperties(s settings) []string {
	host, port, _ := net.SplitHostPort(s.address)
	properties := []string{
		"name=" + s.service,
		"vipAddress=" + s.service,
		"port=" + port,
		"instanceId=" + host + ":" + s.service + ":" + port,
		"serviceUrl.default=" + strings.Join(s.serviceURLs, ","),
		"lease.renewalInterval=" + seconds(s.interval),
		"lease.duration=" + seconds(s.leaseDuration),
		"client.refresh.interval=" + seconds(s.interval),
		"appinfo.initial.replicate.time=0",
		"appinfo.replicate.interval=1",
		"client.heartbeat.exponentialBackOffBound=1", // see springOptions
		"client.cacheRefresh.exponentialBackOffBound=1",
	}
	if s.discoverOnly {
		properties = append(properties, "registration.enabled=false")
	}
	if s.vip != "" {
		properties = append(properties, "registryRefreshSingleVipAddress="+s.vip)
	}
	if s.compact {
		properties = append(properties, "clientDataAccept=compact")
	}
	return properties
}

// netflix16Log is springLogWith(jersey) and what 1.6 alone says.
func netflix16Log() map[string][]expectation {
	says := springLogWith(jersey)
	says["OwnStatus"] = slices.Concat(says["OwnStatus"], []expectation{
		expects("WARN .* Saw local status change event .*=DOWN", "it warns of its own status when that is DOWN, or was"),
	})
	return says
}

// netflixListing is what Netflix's client adds to a registration.
func netflixListing(a *application, want *instance) {
	url := fmt.Sprintf("http://%s:%d", a.host, a.port)
	want.SecurePort = port{Number: 443, Enabled: "false"}
	want.HomePageURL, want.StatusPageURL, want.HealthCheckURL = url+"/", url+"/Status", url+"/healthcheck"
}
