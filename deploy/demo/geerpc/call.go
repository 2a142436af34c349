package main

import (
	"context"
	"fmt"
	"net/rpc"
	"os"
	"strings"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// tries is how often a server is chosen for one call. One that was killed stays in the
// list for minutes.
const tries = 10

// call chooses a server for each of some calls.
func call(ctx context.Context, registry, mode string, times int) error {
	modes := map[string]geerpc.SelectMode{"random": geerpc.RandomSelect, "round-robin": geerpc.RoundRobinSelect}
	selected, known := modes[mode]
	if !known {
		return fmt.Errorf("-mode=%s is neither random nor round-robin", mode)
	}
	discovery := geerpc.NewDiscovery(registry, 0)
	for n := range times {
		if err := callOne(ctx, discovery, selected, Terms{A: n, B: 1}); err != nil {
			return err
		}
	}
	return nil
}

// callOne chooses servers until one answers.
func callOne(ctx context.Context, discovery *geerpc.Discovery, mode geerpc.SelectMode, terms Terms) error {
	for range tries {
		server, err := discovery.Get(ctx, mode)
		if err != nil {
			return err
		}
		sum, err := ask(server, terms)
		if err == nil {
			fmt.Println(server, sum)
			return nil
		}
		fmt.Fprintf(os.Stderr, "%s does not answer: %v\n", server, err)
	}
	return fmt.Errorf("no answer in %d tries", tries)
}

// ask calls one server, written PROTOCOL@HOST:PORT.
func ask(server string, terms Terms) (sum int, err error) {
	protocol, address, _ := strings.Cut(server, "@")
	client, err := rpc.Dial(protocol, address)
	if err != nil {
		return 0, err
	}
	defer client.Close() //nolint:errcheck // the answer is here
	err = client.Call("Adder.Sum", terms, &sum)
	return sum, err
}
