package geerpc_test

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

const registryURL = "http://eurekube:8761/_geerpc_/registry"

// A client asks for a server before each call; the list is read every ten seconds
// at most.
func ExampleDiscovery() {
	ctx := context.Background()
	discovery := geerpc.NewDiscovery(registryURL, 0)
	server, err := discovery.Get(ctx, geerpc.RoundRobinSelect)
	if err != nil {
		fmt.Println("nobody to call:", err)
		return
	}
	fmt.Println("calling", server)
}

// A server announces itself while it accepts connections.
func ExampleHeartbeat() {
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var heartbeat sync.WaitGroup
	heartbeat.Go(func() {
		if err := geerpc.Heartbeat(ctx, registryURL, "tcp@"+listener.Addr().String(), 0); err != nil {
			fmt.Println(err)
		}
	})
	// Accept and serve connections here, until the program is told to stop.
	stop()
	heartbeat.Wait()
}
