// Package client lets a Go program take part in a Eureka registry: register
// itself ([Registration]), know who else is there ([Discovery]), choose one of
// them ([Picker]) and call it ([Transport]). It speaks to Eurekube, and to the
// servers of Netflix and Spring.
//
// [Servers] are the service URLs that the others share. Whatever runs, runs in a
// method Run of the caller's goroutine and ends with its context; nothing here
// starts by itself, and no goroutine outlives Run.
//
//	servers, err := client.NewServers(client.Config{ServiceURLs: []string{"http://eurekube:8761/eureka/"}})
//	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{})
//	go discovery.Run(ctx)
//	err = discovery.WaitReady(ctx)
//	instance, err := discovery.Pick("ORDERS")
//
// It logs through the logger of the context, klog's own if there is none:
// transitions, such as a server lost and found again, and never credentials.
//
// It is not for operators (overrides of other instances), for servers that
// replicate to each other (package peer), or for judging whether an instance
// answers: the registry says who is UP. The page for its users is
// docs/go-client.md.
package client
