package clients

import (
	"slices"
	"syscall"
	"testing"
	"time"
)

const springBoot3Version = "Spring Boot 3.5.7, Spring Cloud 2025.0.0, Netflix 2.0.4"

// springBoot3 are the clients of the directory spring-boot-3.
var springBoot3 = []client{
	{
		name: "spring-boot-3-resttemplate", title: "Spring Boot 3.5, RestTemplate", version: springBoot3Version,
		command: springBoot3Command("resttemplate", "eureka.client.restclient.enabled=false"), registered: springListing, says: springLog,
		patience: httpClientPatience,
		cannot:   map[string]string{"Compact": noCompact},
	},
	{
		name: "spring-boot-3-restclient", title: "Spring Boot 3.5, RestClient", version: springBoot3Version,
		command: springBoot3Command("restclient", "eureka.client.restclient.enabled=true"), registered: springListing, says: springLog,
		patience: httpClientPatience,
		cannot:   map[string]string{"Compact": noCompact},
	},
	{
		name: "spring-boot-3-webclient", title: "Spring Boot 3.5, WebClient", version: springBoot3Version,
		command: springBoot3Command("webclient", "eureka.client.webclient.enabled=true"), registered: springListing, says: springLog,
		cannot: map[string]string{
			"Compact": noCompact,
			"Stop":    "sends status DOWN and no DELETE when it is stopped, since Spring ends its HTTP client first",
		},
	},
	{
		name: "spring-boot-3-jersey3", title: "Spring Boot 3.5, Jersey 3", version: springBoot3Version,
		command: springBoot3Command("jersey3"), registered: springListing, says: springLogWith(jersey3),
		cannot: map[string]string{
			"Compact": noCompact,
			"Gzip":    "does not ask for it",
		},
	},
}

func springBoot3Command(module string, options ...string) func(*testing.T, settings) command {
	return springCommand("spring-boot-3", module, []string{"spring-boot-4"}, options...)
}

// What WebClient does in place of going when it is stopped: nobody calls it any more,
// and the rest is up to its lease.
func TestSpringBoot3_WebClientIsDownOnceStopped(t *testing.T) {
	t.Parallel()
	wanted := newSettings(t)
	wanted.leaseDuration = time.Minute
	i := slices.IndexFunc(springBoot3, func(c client) bool { return c.cannot["Stop"] != "" })
	r := startRig(t, springBoot3[i], startServer(t), wanted, 1, "")
	if err := r.application.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.server.expectListed(t, r.application.app, "DOWN")
}
