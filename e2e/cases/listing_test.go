package cases

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
)

// listing is an answer of the program with what the cases look at. It is read
// by hand, without the project's own decoder, so that a mistake in that one
// cannot hide here.
type listing struct {
	Hash      string
	Instances []instance
}

type instance struct {
	ID         string `json:"instanceId"`
	App        string `json:"app"`
	HostName   string `json:"hostName"`
	IPAddr     string `json:"ipAddr"`
	VIP        string `json:"vipAddress"`
	Status     string `json:"status"`
	ActionType string `json:"actionType"`
	Port       struct {
		Number int `json:"$"`
	} `json:"port"`
	Metadata             map[string]string `json:"metadata"`
	LastUpdatedTimestamp string            `json:"lastUpdatedTimestamp"`
}

// httpClient opens no more connections than a client of Eureka would.
var httpClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}

// get returns the status and the body of a GET as JSON clients send it.
func get(ctx context.Context, url string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := httpClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// list reads a collection: path is "apps", "apps/delta" or "vips/NAME".
func (p *program) list(ctx context.Context, path string) (listing, error) {
	status, body, err := get(ctx, p.base+"/eureka/"+path)
	if err != nil {
		return listing{}, err
	}
	if status != http.StatusOK {
		return listing{}, fmt.Errorf("GET %s answered %d", path, status)
	}
	return decodeListing(body)
}

func decodeListing(body []byte) (listing, error) {
	var envelope struct {
		Applications struct {
			Hash        string `json:"apps__hashcode"`
			Application []struct {
				Instance []instance `json:"instance"`
			} `json:"application"`
		} `json:"applications"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return listing{}, fmt.Errorf("decode %.200q: %w", body, err)
	}
	result := listing{Hash: envelope.Applications.Hash}
	for _, application := range envelope.Applications.Application {
		result.Instances = append(result.Instances, application.Instance...)
	}
	return result, nil
}

// pods returns the names of the listed pods of namespace, sorted.
func (l listing) pods(namespace string) []string {
	names := []string{}
	for _, instance := range l.in(namespace) {
		names = append(names, instance.Metadata["pod"])
	}
	slices.Sort(names)
	return names
}

// in returns the instances of namespace in the order of their pods' names, and
// in the answer's order for several of one pod.
func (l listing) in(namespace string) []instance {
	var found []instance
	for _, instance := range l.Instances {
		if instance.Metadata["namespace"] == namespace {
			found = append(found, instance)
		}
	}
	slices.SortStableFunc(found, func(a, b instance) int {
		return cmp.Compare(a.Metadata["pod"], b.Metadata["pod"])
	})
	return found
}
