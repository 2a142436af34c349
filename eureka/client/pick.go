package client

import (
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// Pick chooses one of the UP instances of an app, in any case. The error is
// [ErrNotReady] or a [*NoInstanceError].
func (d *Discovery) Pick(app string) (*eureka.Instance, error) {
	return d.pick(app, ofApp(app), nil)
}

// PickVIP is Pick among the instances that have vip, in any case, among the names in
// their VIPAddress. Clients of Netflix and Spring look VIPs up so too, while servers
// compare them exactly: PickVIP("Orders") finds orders, GET vips/Orders does not.
func (d *Discovery) PickVIP(vip string) (*eureka.Instance, error) {
	return d.pick(vip, ofVIP(vip), nil)
}

// pick chooses among those that were not tried.
func (d *Discovery) pick(name string, of selection, tried []*eureka.Instance) (*eureka.Instance, error) {
	v := d.view.Load()
	if !v.known {
		return nil, ErrNotReady
	}
	app := of(v)
	if app == nil {
		return nil, &NoInstanceError{Name: name}
	}
	up := app.up
	if len(tried) > 0 {
		up = slices.DeleteFunc(slices.Clone(up), func(inst *eureka.Instance) bool { return among(tried, inst) })
	}
	if len(up) == 0 {
		return nil, &NoInstanceError{Name: name, Listed: len(app.all)}
	}
	inst := d.config.Picker.Pick(strings.ToUpper(name), up)
	if inst == nil {
		return nil, &NoInstanceError{Name: name, Listed: len(app.all), Declined: len(up)}
	}
	return inst, nil
}

// among reports whether instances holds inst, in whatever description.
func among(instances []*eureka.Instance, inst *eureka.Instance) bool {
	return slices.ContainsFunc(instances, func(other *eureka.Instance) bool { return other.App == inst.App && other.ID == inst.ID })
}
