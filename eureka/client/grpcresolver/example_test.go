package grpcresolver_test

import (
	"context"
	"log"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/eurekube/eurekube/eureka/client"
	"github.com/eurekube/eurekube/eureka/client/grpcresolver"
)

// A program calls whoever is UP of an app, in turn.
func ExampleNew() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{"http://eurekube:8761/eureka/"}})
	if err != nil {
		log.Fatal(err)
	}
	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{})
	go discovery.Run(ctx)

	conn, err := grpc.NewClient("eureka:///ORDERS",
		grpc.WithResolvers(grpcresolver.New(discovery)),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Print(err)
		return
	}
	defer conn.Close()
}
