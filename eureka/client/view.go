package client

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/eurekube/eurekube/eureka"
)

// application is the instances of one app, sorted by id. Nobody changes it.
type application struct {
	all []*eureka.Instance
	up  []*eureka.Instance // those of all that are UP
}

func newApplication(all []*eureka.Instance) *application {
	app := &application{all: all}
	for _, inst := range all {
		if inst.Status == eureka.StatusUp {
			app.up = append(app.up, inst)
		}
	}
	return app
}

// view is one state of the list. Nobody changes it; the next one takes its place.
type view struct {
	known  bool // false only before the first list
	apps   map[string]*application
	census eureka.Census
	// superseded is closed when the next view is there.
	superseded chan struct{}
	// vips and secureVIPs find instances by each of their names in upper case, as
	// clients do (protocol section 6.3). They are built when somebody asks.
	vips, secureVIPs func() map[string]*application
}

func newView(known bool, apps map[string]*application, census eureka.Census) *view {
	v := &view{known: known, apps: apps, census: census, superseded: make(chan struct{})}
	v.vips = sync.OnceValue(func() map[string]*application {
		return v.byVIP(func(inst *eureka.Instance) string { return inst.VIPAddress })
	})
	v.secureVIPs = sync.OnceValue(func() map[string]*application {
		return v.byVIP(func(inst *eureka.Instance) string { return inst.SecureVIPAddress })
	})
	return v
}

// viewOf is the view of a full list. Of two entries with one id the later counts.
func viewOf(apps []eureka.Application) *view {
	grown := changing{apps: make(map[string]*application, len(apps)), changed: true}
	for i := range apps {
		byID := index(grown.apps[apps[i].Name])
		for _, inst := range apps[i].Instances {
			byID[identify(inst)] = inst
		}
		grown.set(apps[i].Name, byID)
	}
	return grown.view()
}

// equal reports whether v holds what other does.
func (v *view) equal(other *view) bool {
	return maps.EqualFunc(v.apps, other.apps, func(a, b *application) bool { return slices.EqualFunc(a.all, b.all, same) })
}

// same reports whether a and b are the same in all that a reader of the list can
// see, but for the clock of the lease.
func same(a, b *eureka.Instance) bool {
	return a.LastUpdatedTimestamp == b.LastUpdatedTimestamp && a.LastDirtyTimestamp == b.LastDirtyTimestamp && a.SameDescription(b)
}

// identify gives inst an id if it registered without one, as servers find theirs
// (protocol section 5.1).
func identify(inst *eureka.Instance) string {
	inst.ID = cmp.Or(inst.ID, inst.DataCenterInfo.Metadata["instance-id"], inst.HostName)
	return inst.ID
}

// applications are all apps by name.
func (v *view) applications() []eureka.Application {
	var all []eureka.Application
	for _, name := range slices.Sorted(maps.Keys(v.apps)) {
		all = append(all, eureka.Application{Name: name, Instances: v.apps[name].all})
	}
	return all
}

func (v *view) byVIP(addresses func(*eureka.Instance) string) map[string]*application {
	found := make(map[string][]*eureka.Instance)
	for _, name := range slices.Sorted(maps.Keys(v.apps)) {
		for _, inst := range v.apps[name].all {
			for address := range strings.SplitSeq(addresses(inst), ",") {
				address = strings.ToUpper(strings.TrimSpace(address))
				if mine := found[address]; address != "" && (len(mine) == 0 || mine[len(mine)-1] != inst) {
					found[address] = append(mine, inst)
				}
			}
		}
	}
	all := make(map[string]*application, len(found))
	for address, instances := range found {
		all[address] = newApplication(instances)
	}
	return all
}
