package client

import (
	"cmp"
	"maps"
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// changing is a view in the making. It shares the applications that do not
// change with the view that it began as.
type changing struct {
	from    *view // nil for none
	apps    map[string]*application
	census  eureka.Census
	changed bool // apps is not from's
}

// change begins with all that v holds.
func (v *view) change() changing {
	return changing{from: v, apps: v.apps, census: v.census}
}

// view is the outcome, which is the view that it began as if nothing changed.
func (c *changing) view() *view {
	if !c.changed {
		return c.from
	}
	return newView(true, c.apps, c.census)
}

// apply takes over the changes of a delta, or of an event. An entry without an action
// is ignored, as Java's clients do; the hash then says that something is missing
// (protocol section 6.2).
func (c *changing) apply(apps []eureka.Application) {
	for i := range apps {
		before := c.apps[apps[i].Name]
		var byID map[string]*eureka.Instance // nil while nothing differs
		for _, inst := range apps[i].Instances {
			if byID == nil {
				if !differs(before, inst) {
					continue
				}
				byID = index(before)
			}
			if inst.ActionType == eureka.ActionDeleted {
				delete(byID, identify(inst))
			} else if inst.ActionType != "" {
				byID[identify(inst)] = inst
			}
		}
		if byID != nil {
			c.set(apps[i].Name, byID)
		}
	}
}

// differs reports whether what inst tells is news. Deltas tell everything again for
// minutes.
func differs(app *application, inst *eureka.Instance) bool {
	held := app.find(identify(inst))
	switch inst.ActionType {
	case eureka.ActionDeleted:
		return held != nil
	case eureka.ActionAdded, eureka.ActionModified:
		return held == nil || !same(held, inst)
	}
	return false
}

// find is the instance with an id, nil for none. app may be nil.
func (app *application) find(id string) *eureka.Instance {
	if app == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(app.all, id, func(inst *eureka.Instance, id string) int { return cmp.Compare(inst.ID, id) })
	if !found {
		return nil
	}
	return app.all[i]
}

// index is what app holds by id. app may be nil.
func index(app *application) map[string]*eureka.Instance {
	byID := make(map[string]*eureka.Instance)
	if app != nil {
		for _, inst := range app.all {
			byID[inst.ID] = inst
		}
	}
	return byID
}

// set makes byID all instances of an app; an app without any is not listed.
func (c *changing) set(name string, byID map[string]*eureka.Instance) {
	if !c.changed {
		c.apps = maps.Clone(c.apps) // the map so far belongs to a view
		c.changed = true
	}
	c.count(c.apps[name], -1)
	delete(c.apps, name)
	if len(byID) == 0 {
		return
	}
	all := slices.SortedFunc(maps.Values(byID), func(a, b *eureka.Instance) int { return cmp.Compare(a.ID, b.ID) })
	c.apps[name] = newApplication(all)
	c.count(c.apps[name], 1)
}

func (c *changing) count(app *application, sign int) {
	if app == nil {
		return
	}
	for _, inst := range app.all {
		c.census.Add(inst.Status, sign)
	}
}
