package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
	"github.com/eurekube/eurekube/eureka/client"
)

// consumer is what the library knows of others.
type consumer struct {
	discovery *client.Discovery
}

func (c consumer) Discovered() map[string][]string {
	discovered := map[string][]string{}
	for _, app := range c.discovery.Applications() {
		var urls []string
		for _, instance := range c.discovery.Instances(app.Name) {
			urls = append(urls, fmt.Sprintf("http://%s:%d", instance.IPAddr, instance.Port.Number))
		}
		if len(urls) > 0 {
			slices.Sort(urls)
			discovered[strings.ToLower(app.Name)] = urls
		}
	}
	return discovered
}

func (c consumer) Known(name string) []control.Instance {
	known := []control.Instance{}
	for _, app := range c.discovery.Applications() {
		if !strings.EqualFold(app.Name, name) {
			continue
		}
		for _, instance := range app.Instances {
			known = append(known, control.Instance{ID: instance.ID, Status: string(instance.Status), Metadata: instance.Metadata})
		}
	}
	return known
}
