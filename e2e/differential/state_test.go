package differential

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// witness is an instance that is always there. Its name says that no play looks
// at it.
var witness = instance{app: "WITNESS" + stale, id: "witness"}

// prepare registers the witness.
func (g *rig) prepare() error {
	body := fmt.Sprintf(`{"instance":{"instanceId":%q,"hostName":"witness","app":%q,"ipAddr":"127.0.0.1","vipAddress":"witness","status":"UP",`+
		`"leaseInfo":{"durationInSecs":1000000},"dataCenterInfo":{"@class":"com.netflix.appinfo.MyDataCenterInfo","name":"MyOwn"}}}`, witness.id, witness.app)
	return g.both(request{method: "POST", path: "/eureka/apps/" + witness.app, headers: []string{contentJSON}, body: body}, http.StatusNoContent)
}

// both sends a request that must succeed to both.
func (g *rig) both(r request, want int) error {
	theirs, mine, err := g.ask(r)
	if err == nil && (theirs.status != want || mine.status != want) {
		err = fmt.Errorf("%v = %d %q at Spring's server and %d %q at ours, want %d", r, theirs.status, theirs.body, mine.status, mine.body, want)
	}
	return err
}

// settle returns when reads of ours show what peers passed on, which nobody waits
// for: a change of status, one that changes nothing too, is answered when all
// before it is shown.
func (g *rig) settle() error {
	return g.both(request{method: "PUT", path: witness.path() + "/status?value=UP"}, http.StatusOK)
}

// empty ends all instances but the witness.
func (g *rig) empty() error {
	if _, err := g.cancel(func(instance) bool { return true }); err != nil {
		return err
	}
	for _, s := range []*server{g.spring, g.ours} {
		left, err := s.list()
		if err != nil {
			return err
		}
		if len(left) > 0 {
			return fmt.Errorf("%s still lists %v", s.address, left)
		}
	}
	return nil
}

// cancel ends what is chosen, and odd ones: what one of the two does not list. It
// goes by batch, the only way to Spring's server for ids that no URL can hold there.
func (g *rig) cancel(chosen func(instance) bool) (odd []instance, err error) {
	theirs, err := g.spring.list()
	if err != nil {
		return nil, err
	}
	mine, err := g.ours.list()
	if err != nil {
		return nil, err
	}
	var items []string
	for _, i := range append(slices.Clone(theirs), mine...) {
		only := slices.Contains(theirs, i) != slices.Contains(mine, i)
		if only {
			odd = append(odd, i)
		}
		if only || chosen(i) {
			item, err := json.Marshal(map[string]string{"appName": i.app, "id": i.id, "action": "Cancel"})
			if err != nil {
				return nil, err
			}
			items = append(items, string(item))
		}
	}
	if items == nil {
		return nil, nil
	}
	body := `{"replicationList":[` + strings.Join(items, ",") + `]}`
	batch := request{method: "POST", path: "/eureka/peerreplication/batch/", headers: []string{contentJSON, acceptJSON}, body: body}
	return odd, errors.Join(g.both(batch, http.StatusOK), g.settle())
}

// list is what the server lists, by the names that it knows it by.
func (s *server) list() ([]instance, error) {
	a, err := s.send(request{method: "GET", path: "/eureka/apps", headers: []string{acceptJSON}})
	if err != nil {
		return nil, err
	}
	var document struct {
		Applications struct {
			Application []struct {
				Name     string
				Instance []struct{ InstanceID, HostName string }
			}
		}
	}
	if err := json.Unmarshal([]byte(a.body), &document); err != nil {
		return nil, fmt.Errorf("GET /eureka/apps of %s: %w in %.300q", s.address, err, a.body)
	}
	var all []instance
	for _, app := range document.Applications.Application {
		for _, i := range app.Instance {
			id := i.InstanceID
			if id == "" {
				id = i.HostName
			}
			if listed := (instance{app.Name, id}); listed != witness {
				all = append(all, listed)
			}
		}
	}
	return all, nil
}

const (
	contentJSON = "Content-Type: application/json"
	contentXML  = "Content-Type: application/xml"
	acceptJSON  = "Accept: application/json"
	acceptXML   = "Accept: application/xml"
)
