package clients

import (
	"fmt"
	"testing"
)

const springBoot4Version = "Spring Boot 4.0.7, Spring Cloud 2025.1.4, Netflix 2.0.6"

// springBoot4 are the clients of the directory spring-boot-4.
var springBoot4 = []client{
	{
		name: "spring-boot-4-restclient", title: "Spring Boot 4, RestClient", version: springBoot4Version,
		command: springBoot4Command("restclient"), registered: springListing, says: springLog,
		patience: httpClientPatience,
		cannot:   map[string]string{"Compact": noCompact},
	},
	{
		name: "spring-boot-4-webclient", title: "Spring Boot 4, WebClient", version: springBoot4Version,
		command: springBoot4Command("webclient", "eureka.client.webclient.enabled=true"), registered: springListing, says: springLog,
		cannot: map[string]string{
			"Compact": noCompact,
			"Gzip":    "does not ask for it",
		},
	},
	{
		name: "spring-boot-4-jersey3", title: "Spring Boot 4, Jersey 3", version: springBoot4Version,
		command: springBoot4Command("jersey3"), registered: springListing, says: springLogWith(jersey),
		cannot: map[string]string{
			"Compact": noCompact,
			"Gzip":    "does not ask for it",
		},
	},
}

func springBoot4Command(module string, options ...string) func(*testing.T, settings) command {
	return springCommand("spring-boot-4", module, nil, options...)
}

// springListing is what Spring adds to a registration.
func springListing(a *application, want *instance) {
	url := fmt.Sprintf("http://%s:%d", a.host, a.port)
	want.SecurePort = port{Number: 443, Enabled: "false"}
	want.Metadata["management.port"] = fmt.Sprint(a.port)
	want.HomePageURL, want.StatusPageURL, want.HealthCheckURL = url+"/", url+"/actuator/info", url+"/actuator/health"
	want.SecureVIP = want.VIP
}
