package clients

import (
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// javaCommand runs a jar with arguments. An application that lives for seconds is best
// compiled as little as possible. options are more of those of the JVM.
func javaCommand(jar string, args []string, options ...string) command {
	jvm := []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"}
	return command{path: "java", args: slices.Concat(jvm, options, []string{"-jar", jar}, args)}
}

// springCommand runs a module of a Maven project in a directory beside this file,
// which compiles sources of besides too. options are Spring's properties, as KEY=VALUE.
func springCommand(project, module string, besides []string, options ...string) func(*testing.T, settings) command {
	return func(t *testing.T, s settings) command {
		t.Helper()
		jar, err := binaries.Jar(t.Context(), "clients/"+project, module, besides...)
		if err != nil {
			t.Fatal(err)
		}
		var args []string
		for _, option := range append(springOptions(s), options...) {
			args = append(args, "--"+option)
		}
		return javaCommand(jar, args)
	}
}

// springOptions are Spring's properties, as KEY=VALUE.
func springOptions(s settings) []string {
	host, port, _ := net.SplitHostPort(s.address)
	options := []string{
		"spring.application.name=" + s.service,
		"server.address=" + host,
		"server.port=" + port,
		"eureka.instance.ip-address=" + host,
		"eureka.client.service-url.defaultZone=" + strings.Join(s.serviceURLs, ","),
		"eureka.instance.lease-renewal-interval-in-seconds=" + seconds(s.interval),
		"eureka.instance.lease-expiration-duration-in-seconds=" + seconds(s.leaseDuration),
		"eureka.client.registry-fetch-interval-seconds=" + seconds(s.interval),
		"eureka.client.initial-instance-info-replication-interval-seconds=0",
		"eureka.client.instance-info-replication-interval-seconds=1",
		// On a busy machine tasks time out. By default the client then waits up to ten
		// intervals, and its lease ends.
		"eureka.client.heartbeat-executor-exponential-back-off-bound=1",
		"eureka.client.cache-refresh-executor-exponential-back-off-bound=1",
	}
	if s.discoverOnly {
		options = append(options, "eureka.client.register-with-eureka=false")
	}
	if s.vip != "" {
		options = append(options, "eureka.client.registry-refresh-single-vip-address="+s.vip)
	}
	return options
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// jersey is what only the transports on Jersey say. That no server answered 400 shows
// in what the proxies recorded.
var jersey = []expectation{
	allows("DiscoveryJerseyProvider: Using (JSON|XML) (en|de)coding codec", "it says so when it starts"),
	allows("processing aborted|Request execution failed with message: HTTP 400 Bad Request",
		"a read that takes longer than an interval is interrupted, which Jersey reports as an answer that it cannot decode"),
}

// jersey3 is jersey and what Jersey 3 says where a program has no jakarta.activation.
var jersey3 = slices.Concat(jersey, []expectation{
	allows("MessagingBinders: A class jakarta.activation.DataSource .* was not found",
		"for each connection it misses a provider that nobody needs"),
})

// springLogWith is springLog with more that may be said in any case.
func springLogWith(more []expectation) map[string][]expectation {
	says := maps.Clone(springLog)
	says[""] = slices.Concat(says[""], more)
	return says
}

// httpClientPatience: Apache's HttpClient 5, below RestClient and RestTemplate,
// repeats a request that was answered 503, after a second.
const httpClientPatience = time.Second

const noCompact = "only Jersey 1 sends X-Eureka-Accept; the setting has no effect"

// springLog is what Spring's clients say when a server without fault does what the
// case is about.
var springLog = map[string][]expectation{
	"": {
		// Not the server's fault, or a lease would show it.
		allows("TimedSupervisorTask: "+timedOut,
			"the client gives its tasks an interval's time, of which a busy machine may need more"),
		allows("InterruptedException|was unable to (refresh its cache|send heartbeat)", "it interrupts such a task"),
		allows("Not updating application delta as another thread is updating it already", "which may go on beside the next"),
	},
	starting: {
		allows("- Re-registering apps/STOREFRONT", "on a busy machine a heartbeat may come before it has registered"),
		allows(fullRead, vipRead),
	},
	"OwnMetadata": {allows("- Re-registering apps/STOREFRONT", changesSoon)},
	"OwnStatus":   {allows("- Re-registering apps/STOREFRONT", changesSoon)},
	"OwnOverride": {
		expects("- Re-registering apps/STOREFRONT", "without the override nobody knows the status until the application says it again"),
	},
	"Restart": {
		expects("- Re-registering apps/STOREFRONT", "the new server has no lease of it"),
		allows("was unable to send heartbeat|was unable to refresh its cache|RetryableEurekaHttpClient: Request execution fail|I/O error on [A-Z]+ request|Connection refused|"+cut, noServer),
		allows("hashcodes do not match|"+fullRead, "the new server may be read before the application has registered again"),
	},
	"Rollout": {
		allows("LoadBalancerCacheManager not available", "the cache of the load balancer is off, to see the registry alone"),
	},
	"SingleVIP": {allows(fullRead, vipRead)},
	"Kill":      {allows(fullRead, vipRead)},
	"Stop": {
		allows(`^(DEBUG|INFO) [^\n]*(\n[0-9:,]+ \|-WARN in Logger\[[^\n]* - No appenders present in context [^\n]*)+$`,
			"its log may end before the last of its threads"),
		allows("WARN .* TimedSupervisorTask: task supervisor shutting down, can't accept the task$",
			"the client ends the threads of its tasks before the tasks"),
		allows("CancellationException|Client instance has been closed|RetryableEurekaHttpClient: Request execution failed with message: null",
			"what is under way when it is stopped it gives up"),
	},
	"Unavailable":      springUnavailable,
	"SecondServiceURL": springUnavailable,
	"Hang": {
		allows("TimedSupervisorTask: task supervisor rejected the task", "its threads wait for answers"),
		allows("was unable to refresh its cache|was unable to send heartbeat|RetryableEurekaHttpClient|I/O error on [A-Z]+ request|"+cut, hangs),
		allows("- Re-registering apps/STOREFRONT|hashcodes do not match|"+fullRead, endedMeanwhile),
	},
}

// springUnavailable is what Spring's clients say while servers answer 503.
var springUnavailable = []expectation{
	expects("503", unavailable),
	allows("was unable to refresh its cache|was unable to send heartbeat|RetryableEurekaHttpClient", unavailable),
	allows("- Re-registering apps/STOREFRONT|hashcodes do not match|"+fullRead, endedMeanwhile),
}

const (
	changesSoon = "a heartbeat may tell that something changed before it registers again"
	noServer    = "no server is there"
	timedOut    = "task supervisor timed out"
	vipRead     = "it says so of each read of its VIP"
	unavailable = "servers answer nothing else"
	hangs       = "servers answer nothing"

	// cut is what WebClient says of a request whose connection ends.
	cut = "HttpClientConnect: .* The connection observed an error"

	endedMeanwhile = "its lease may have ended while no heartbeat came through"
)
