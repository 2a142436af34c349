package main

import (
	"context"
	"fmt"
	"net/rpc"
	"strings"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// call chooses a server for each of some calls.
func call(ctx context.Context, registry, mode string, times int) error {
	modes := map[string]geerpc.SelectMode{"random": geerpc.RandomSelect, "round-robin": geerpc.RoundRobinSelect}
	selected, known := modes[mode]
	if !known {
		return fmt.Errorf("-mode=%s is neither random nor round-robin", mode)
	}
	discovery := geerpc.NewDiscovery(registry, 0)
	for n := range times {
		server, err := discovery.Get(ctx, selected)
		if err != nil {
			return err
		}
		sum, err := ask(server, Terms{A: n, B: 1})
		if err != nil {
			return fmt.Errorf("call %s: %w", server, err)
		}
		fmt.Println(server, sum)
	}
	return nil
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
