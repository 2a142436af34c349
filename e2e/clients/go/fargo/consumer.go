package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hudl/fargo"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

// consumer polls every application that the server lists, or one VIP. What it knows
// of each is the library's own copy.
type consumer struct {
	connection *fargo.EurekaConnection
	vip        string

	mu   sync.Mutex          // guards apps
	apps map[string]*sources // by name of the application, or the VIP
}

// sources are copies of one application that the library keeps up to date. After a
// read that failed they have nothing.
type sources struct {
	up  *fargo.InstanceSetSource
	all *fargo.AppSource // nil for a VIP
}

func newConsumer(connection *fargo.EurekaConnection, vip string) *consumer {
	return &consumer{connection: connection, vip: vip, apps: map[string]*sources{}}
}

// run follows which applications there are until the context is done.
func (c *consumer) run(ctx context.Context) {
	ticker := time.NewTicker(c.connection.PollInterval)
	defer ticker.Stop()
	defer c.follow(nil)
	for {
		c.list()
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (c *consumer) list() {
	if c.vip != "" {
		c.follow([]string{c.vip})
		return
	}
	apps, err := c.connection.GetApps()
	if err != nil {
		return // the library has logged it
	}
	c.follow(slices.Collect(maps.Keys(apps)))
}

// follow starts and ends sources, so that there are those of names.
func (c *consumer) follow(names []string) {
	for _, name := range names {
		if c.followed(name) != nil {
			continue
		}
		// It waits for an answer, which no case should wait for.
		followed, err := c.newSources(name)
		if err != nil {
			control.Log("ERROR", fmt.Sprintf("follow %s: %v", name, err))
			continue
		}
		c.mu.Lock()
		c.apps[name] = followed
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, followed := range c.apps {
		if !slices.Contains(names, name) {
			followed.up.Stop()
			followed.all.Stop()
			delete(c.apps, name)
		}
	}
}

func (c *consumer) followed(name string) *sources {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.apps[name]
}

func (c *consumer) newSources(name string) (*sources, error) {
	if c.vip != "" {
		up, err := c.connection.NewInstanceSetSourceForVIPAddress(name, false, true, fargo.ThatAreUp)
		return &sources{up: up}, err
	}
	up, err := c.connection.NewInstanceSetSourceForApp(name, true, fargo.ThatAreUp)
	return &sources{up: up, all: c.connection.NewAppSource(name, true)}, err
}

func (c *consumer) Discovered() map[string][]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	discovered := map[string][]string{}
	for name, followed := range c.apps {
		var urls []string
		for _, instance := range followed.up.Latest() {
			urls = append(urls, fmt.Sprintf("http://%s:%d", instance.IPAddr, instance.Port))
		}
		if len(urls) > 0 {
			slices.Sort(urls)
			discovered[strings.ToLower(name)] = urls
		}
	}
	return discovered
}

func (c *consumer) Known(app string) []control.Instance {
	known := []control.Instance{}
	followed := c.followed(strings.ToUpper(app))
	if followed == nil {
		return known
	}
	var latest fargo.Application
	followed.all.CopyLatestTo(&latest)
	for _, instance := range latest.Instances {
		metadata := map[string]string{}
		for key, value := range instance.Metadata.GetMap() {
			metadata[key] = fmt.Sprint(value)
		}
		known = append(known, control.Instance{
			ID: instance.Id(), Status: string(instance.Status), Metadata: metadata,
		})
	}
	return known
}
