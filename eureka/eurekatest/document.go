package eurekatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// document is an instance in an answer in JSON, typed as Netflix's servers write
// it (protocol section 4.3): a number where a text has to be does not decode.
type document struct {
	ID                 string            `json:"instanceId"`
	HostName           string            `json:"hostName"`
	App                string            `json:"app"`
	IPAddr             string            `json:"ipAddr"`
	Status             string            `json:"status"`
	OverriddenStatus   string            `json:"overriddenStatus"`
	Port               *portDocument     `json:"port"`
	SecurePort         *portDocument     `json:"securePort"`
	CountryID          int               `json:"countryId"`
	DataCenter         map[string]any    `json:"dataCenterInfo"`
	Lease              map[string]int64  `json:"leaseInfo"`
	Metadata           map[string]string `json:"metadata"`
	AppGroupName       string            `json:"appGroupName"`
	ASGName            string            `json:"asgName"`
	SID                string            `json:"sid"`
	HomePageURL        string            `json:"homePageUrl"`
	StatusPageURL      string            `json:"statusPageUrl"`
	HealthCheckURL     string            `json:"healthCheckUrl"`
	SecureHealthURL    string            `json:"secureHealthCheckUrl"`
	VIP                string            `json:"vipAddress"`
	SecureVIP          string            `json:"secureVipAddress"`
	IsCoordinating     string            `json:"isCoordinatingDiscoveryServer"`
	LastUpdated        string            `json:"lastUpdatedTimestamp"`
	LastDirtyTimestamp string            `json:"lastDirtyTimestamp"`
	ActionType         string            `json:"actionType"`
}

type portDocument struct {
	Number  int    `json:"$"`
	Enabled string `json:"@enabled"`
}

// leaseFields are what decoders look for in a lease, also when it is 0.
var leaseFields = []string{"renewalIntervalInSecs", "durationInSecs", "registrationTimestamp", "lastRenewalTimestamp", "evictionTimestamp", "serviceUpTimestamp"}

// has fails unless a part of an answer has all the names.
func has[T any](what string, got map[string]T, names ...string) error {
	var errs []error
	for _, name := range names {
		if _, there := got[name]; !there {
			errs = append(errs, fmt.Errorf("%s.%s is missing", what, name))
		}
	}
	return errors.Join(errs...)
}

// application is an application in an answer.
type application struct {
	Name      string     `json:"name"`
	Instances []document `json:"instance"`
}

// applications is a full list, a delta, or what a VIP names.
type applications struct {
	Version  string        `json:"versions__delta"`
	HashCode string        `json:"apps__hashcode"`
	Apps     []application `json:"application"`
}

// hashCode is what the hash of the listed instances has to be: each status that
// there is, in the order of the alphabet, with its count.
func (a *applications) hashCode() string {
	counts := map[string]int{}
	var statuses []string
	for _, app := range a.Apps {
		for _, inst := range app.Instances {
			if counts[inst.Status] == 0 {
				statuses = append(statuses, inst.Status)
			}
			counts[inst.Status]++
		}
	}
	slices.Sort(statuses)
	var hash strings.Builder
	for _, status := range statuses {
		fmt.Fprintf(&hash, "%s_%d_", status, counts[status])
	}
	return hash.String()
}

// of returns the instances of an app, nil for none.
func (a *applications) of(app string) []document {
	for _, listed := range a.Apps {
		if listed.Name == app {
			return listed.Instances
		}
	}
	return nil
}

// list reads a collection in JSON.
func (s *session) list(ctx context.Context, path string) (*applications, error) {
	var wrapped struct {
		Applications *applications `json:"applications"`
	}
	if err := s.decode(ctx, path, &wrapped); err != nil {
		return nil, err
	}
	if wrapped.Applications == nil || wrapped.Applications.Apps == nil {
		return nil, fmt.Errorf("GET %s: no list of applications", path)
	}
	return wrapped.Applications, nil
}

// find reads one instance of the check's app.
func (s *session) find(ctx context.Context, id string) (document, error) {
	var wrapped struct {
		Instance *document `json:"instance"`
	}
	path := s.instancePath(id)
	if err := s.decode(ctx, path, &wrapped); err != nil {
		return document{}, err
	}
	if wrapped.Instance == nil {
		return document{}, fmt.Errorf("GET %s: no instance", path)
	}
	return *wrapped.Instance, nil
}

func (s *session) decode(ctx context.Context, path string, into any) error {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, path, "", asJSON)
	if err != nil {
		return err
	}
	if err := expectType(a, "application/json"); err != nil {
		return err
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return fmt.Errorf("%s: %w", a, err)
	}
	return nil
}

// expectType fails unless the answer is labelled so; parameters do not count.
func expectType(a answer, want string) error {
	got, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if got != want {
		return fmt.Errorf("%s: Content-Type is %q, want %s", a.request, got, want)
	}
	return nil
}

// expectStatus fails unless an instance of the check's app has the status.
func (s *session) expectStatus(ctx context.Context, id, want string) error {
	inst, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	return equal(id+": status", inst.Status, want)
}

// equal compares a part of an answer.
func equal[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%s is %v, want %v", what, got, want)
	}
	return nil
}

// expectListed fails unless the full list has the ids of the check's app, in any
// order, and no other of it.
func (s *session) expectListed(ctx context.Context, want ...string) error {
	all, err := s.list(ctx, "/apps")
	if err != nil {
		return err
	}
	var got []string
	for _, inst := range all.of(s.app) {
		got = append(got, inst.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("GET /apps: %s has the instances %q, want %q", s.app, got, want)
	}
	return nil
}

// gone reads what must not be there, and says so in one error.
func (s *session) gone(ctx context.Context, paths ...string) error {
	var errs []error
	for _, path := range paths {
		_, err := s.expect(ctx, http.StatusNotFound, http.MethodGet, path, "", asJSON)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
