package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// instance is one instance as JSON clients read it. It is decoded by hand, without
// the project's own decoder, so that a mistake in that one cannot hide here.
type instance struct {
	ID               string            `json:"instanceId"`
	HostName         string            `json:"hostName"`
	App              string            `json:"app"`
	IPAddr           string            `json:"ipAddr"`
	Status           string            `json:"status"`
	OverriddenStatus string            `json:"overriddenStatus"`
	Port             port              `json:"port"`
	SecurePort       port              `json:"securePort"`
	Lease            lease             `json:"leaseInfo"`
	Metadata         map[string]string `json:"metadata"`
	HomePageURL      string            `json:"homePageUrl"`
	StatusPageURL    string            `json:"statusPageUrl"`
	HealthCheckURL   string            `json:"healthCheckUrl"`
	VIP              string            `json:"vipAddress"`
	SecureVIP        string            `json:"secureVipAddress"`
}

type port struct {
	Number  int    `json:"$"`
	Enabled string `json:"@enabled"`
}

// lease has seconds and milliseconds since 1970.
type lease struct {
	Interval     int   `json:"renewalIntervalInSecs"`
	Duration     int   `json:"durationInSecs"`
	Registration int64 `json:"registrationTimestamp"`
	LastRenewal  int64 `json:"lastRenewalTimestamp"`
	ServiceUp    int64 `json:"serviceUpTimestamp"`
}

// notListedError says that the server has no such application or instance.
type notListedError struct{ url string }

func (e *notListedError) Error() string { return e.url + " is not there" }

// read decodes the answer to a GET into answer; 404 is a *notListedError.
func read(ctx context.Context, url string, answer any) error {
	status, body, err := send(ctx, http.MethodGet, url, "")
	switch {
	case err != nil:
		return err
	case status == http.StatusNotFound:
		return &notListedError{url}
	case status != http.StatusOK:
		return fmt.Errorf("GET %s = %d %.200q", url, status, body)
	}
	if err := json.Unmarshal([]byte(body), answer); err != nil {
		return fmt.Errorf("decode %.200q: %w", body, err)
	}
	return nil
}

// listed returns the instances of an application, as clients that poll see them:
// none if it has none.
func (s *server) listed(ctx context.Context, app string) ([]instance, error) {
	var envelope struct {
		Application struct {
			Instance []instance `json:"instance"`
		} `json:"application"`
	}
	err := read(ctx, s.withCredentials(s.appURL(app)), &envelope)
	if _, ok := err.(*notListedError); ok {
		return nil, nil
	}
	return envelope.Application.Instance, err
}

// instance reads one instance, which shows its lease as it is now.
func (s *server) instance(ctx context.Context, app, id string) (instance, error) {
	var envelope struct {
		Instance instance `json:"instance"`
	}
	err := read(ctx, s.withCredentials(s.instanceURL(app, id)), &envelope)
	return envelope.Instance, err
}

// discoverable is what clients that follow the server would call, by service: the
// URLs of the instances that are UP.
func (s *server) discoverable(ctx context.Context) (map[string][]string, error) {
	var envelope struct {
		Applications struct {
			Application []struct {
				Name     string     `json:"name"`
				Instance []instance `json:"instance"`
			} `json:"application"`
		} `json:"applications"`
	}
	if err := read(ctx, s.withCredentials(serviceURL(s.address, "")+"apps"), &envelope); err != nil {
		return nil, err
	}
	urls := map[string][]string{}
	for _, app := range envelope.Applications.Application {
		service := strings.ToLower(app.Name)
		for _, instance := range app.Instance {
			if instance.Status == "UP" {
				urls[service] = append(urls[service], fmt.Sprintf("http://%s:%d", instance.HostName, instance.Port.Number))
			}
		}
		slices.Sort(urls[service])
	}
	return urls, nil
}

// serviceApp is the application of a service.
func serviceApp(service string) string { return strings.ToUpper(service) }

func (s *server) appURL(app string) string { return serviceURL(s.address, "") + "apps/" + app }

func (s *server) instanceURL(app, id string) string { return s.appURL(app) + "/" + url.PathEscape(id) }
