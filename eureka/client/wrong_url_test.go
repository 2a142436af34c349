package client_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eurekube/eurekube/eureka/client"
)

// TestWrongServiceURLIsExplained has a service URL without /eureka, which is a 404
// for everything, as on the port of the probes. The log has to say what to mend, and
// nothing that never was.
func TestWrongServiceURLIsExplained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.serve("a", startEurekube(t))
		s, err := client.NewServers(client.Config{ServiceURLs: []string{"http://a"}, HTTPClient: n.client()})
		if err != nil {
			t.Fatal(err)
		}
		r, err := client.NewRegistration(s, &mine)
		if err != nil {
			t.Fatal(err)
		}
		d := client.NewDiscovery(s, client.DiscoveryConfig{})
		var log syncBuffer
		logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log)))
		ctx, cancel := context.WithTimeout(klog.NewContext(t.Context(), logger), time.Minute)
		defer cancel()
		background(t, func(context.Context) error { return d.Run(ctx) })
		if err := r.Run(ctx); err != nil {
			t.Fatal(err)
		}
		const hint = "the service URL has to be as in http://eurekube:8761/eureka/"
		text := log.String()
		for _, request := range []string{"GET http://a/apps: 404", "POST http://a/apps/ORDERS: 404"} {
			if !strings.Contains(text, request+" Not Found: this is not the API of a Eureka server; "+hint) {
				t.Errorf("the log does not explain %q", request)
			}
		}
		for _, untrue := range []string{"Deregistered", "the list is kept", "age="} {
			if strings.Contains(text, untrue) {
				t.Errorf("the log says %q", untrue)
			}
		}
		if t.Failed() {
			t.Log(text)
		}
	})
}
