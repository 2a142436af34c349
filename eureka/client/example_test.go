package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// orders is a service, and registry a Eureka server that lists it.
func orders() (service, registry *httptest.Server) {
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "order "+r.URL.Path)
	}))
	listed := &eureka.Instance{ID: "orders-1", App: "ORDERS", HostName: "127.0.0.1", Status: eureka.StatusUp, VIPAddress: "orders"}
	_, _ = fmt.Sscanf(service.URL, "http://127.0.0.1:%d", &listed.Port.Number)
	registry = httptest.NewServer(&script{full: list("", "", listed), delta: list("", "UP_1_")})
	return service, registry
}

// quit ends what the examples started.
func quit(servers ...*httptest.Server) {
	for _, s := range servers {
		s.Close()
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// A program registers itself for as long as it serves.
func ExampleRegistration() {
	ctx, stop := context.WithCancel(context.Background()) // a program takes signal.NotifyContext
	defer stop()
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
		stop() // as the program is told to do later
	}))
	defer quit(registry)

	servers, err := client.NewServers(client.Config{ServiceURLs: []string{registry.URL + "/eureka/"}})
	if err != nil {
		log.Fatal(err)
	}
	registration, err := client.NewRegistration(servers, &eureka.Instance{
		App: "orders", HostName: "orders-1", IPAddr: "192.0.2.7",
		Port:     eureka.Port{Number: 8080, Enabled: true},
		Metadata: map[string]string{"zone": "a"},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := registration.Run(ctx); err != nil { // in a goroutine beside what serves
		log.Print(err)
	}
	// Output:
	// POST /eureka/apps/ORDERS
	// DELETE /eureka/apps/ORDERS/orders-1:orders:8080
}

// A program finds an instance of another.
func ExampleDiscovery_Pick() {
	service, registry := orders()
	defer quit(service, registry)
	ctx, cancel := context.WithCancel(context.Background())
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{registry.URL + "/eureka/"}})
	if err != nil {
		log.Fatal(err)
	}

	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{Picker: client.PreferZone("a", client.RoundRobin())})
	var running sync.WaitGroup
	running.Go(func() { _ = discovery.Run(ctx) }) // it returns nil
	defer running.Wait()
	defer cancel()
	if err := discovery.WaitReady(ctx); err != nil {
		log.Print(err)
		return
	}
	instance, err := discovery.Pick("orders")
	fmt.Println(instance.ID, err)
	_, err = discovery.Pick("stock")
	var none *client.NoInstanceError
	fmt.Println(errors.As(err, &none), err)
	// Output:
	// orders-1 <nil>
	// true "stock": nobody is listed by this name
}

// An http.Client calls apps by their names.
func ExampleTransport() {
	service, registry := orders()
	defer quit(service, registry)
	ctx, cancel := context.WithCancel(context.Background())
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{registry.URL + "/eureka/"}})
	if err != nil {
		log.Fatal(err)
	}
	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{})
	var running sync.WaitGroup
	running.Go(func() { _ = discovery.Run(ctx) })
	defer running.Wait()
	defer cancel()
	if err := discovery.WaitReady(ctx); err != nil {
		log.Print(err)
		return
	}

	caller := &http.Client{Transport: client.NewTransport(discovery, nil), Timeout: 5 * time.Second}
	resp, err := caller.Get("http://ORDERS/42")
	if err != nil {
		log.Print(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(string(body), err)
	// Output:
	// order /42 <nil>
}

// A program follows who is there.
func ExampleDiscovery_Watch() {
	service, registry := orders()
	defer quit(service, registry)
	ctx, cancel := context.WithCancel(context.Background())
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{registry.URL + "/eureka/"}})
	if err != nil {
		log.Fatal(err)
	}
	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{})
	var running sync.WaitGroup
	running.Go(func() { _ = discovery.Run(ctx) })
	defer running.Wait()
	defer cancel()

	for instances := range discovery.Watch(ctx, "orders") {
		for _, instance := range instances {
			fmt.Println(instance.ID)
		}
		break // a program goes on until ctx ends
	}
	// Output:
	// orders-1
}
