package clients

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"testing"
)

// guest is an instance that the test registers itself, for the client to discover.
// Its lease outlives the test without a heartbeat.
type guest struct {
	server  *server
	service string // in lower case; the application is in upper case
	host    string
}

const guestPort = 8080

// quotedKey and quotedValue are metadata that both forms have to write otherwise
// than it is. A client that cannot read it reads nothing at all.
const (
	quotedKey   = "9 lives/of:cats_"
	quotedValue = "<&\"'>]]>\\ü😀\nend"
)

// holdsQuoted reports whether a client has read the value. The key it may have as XML
// writes it, and Prometheus has the value so as well.
func holdsQuoted(metadata map[string]string) bool {
	for _, value := range metadata {
		if value == quotedValue || html.UnescapeString(value) == quotedValue {
			return true
		}
	}
	return false
}

func (g guest) app() string { return serviceApp(g.service) }

func (g guest) id() string { return fmt.Sprintf("%s:%s:%d", g.host, g.service, guestPort) }

// urls is how a client discovers it when it is the only instance of its service.
func (g guest) urls() map[string][]string {
	return map[string][]string{g.service: {fmt.Sprintf("http://%s:%d", g.host, guestPort)}}
}

// register registers the guest, which is UP.
func (g guest) register(t *testing.T) {
	t.Helper()
	g.report(t, "UP")
}

// report registers the guest with a status.
func (g guest) report(t *testing.T, status string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"instance": map[string]any{
		"instanceId": g.id(), "app": g.app(), "hostName": g.host, "ipAddr": g.host,
		"vipAddress": g.service, "status": status,
		"port":           map[string]any{"$": guestPort, "@enabled": "true"},
		"leaseInfo":      map[string]any{"durationInSecs": 600},
		"metadata":       map[string]string{quotedKey: quotedValue, "empty": ""},
		"dataCenterInfo": map[string]any{"@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name": "MyOwn"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	g.server.order(t, http.MethodPost, g.server.appURL(g.app()), string(body))
}

func (g guest) cancel(t *testing.T) {
	t.Helper()
	g.server.order(t, http.MethodDelete, g.server.instanceURL(g.app(), g.id()), "")
}

// takeOut and putBack override its status as an operator does.
func (g guest) takeOut(t *testing.T) {
	t.Helper()
	g.server.order(t, http.MethodPut, g.server.instanceURL(g.app(), g.id())+"/status?value=OUT_OF_SERVICE", "")
}

func (g guest) putBack(t *testing.T) {
	t.Helper()
	g.server.order(t, http.MethodDelete, g.server.instanceURL(g.app(), g.id())+"/status?value=UP", "")
}

// setMetadata gives it one more word of metadata.
func (g guest) setMetadata(t *testing.T, key, value string) {
	t.Helper()
	g.server.order(t, http.MethodPut, g.server.instanceURL(g.app(), g.id())+"/metadata?"+key+"="+value, "")
}
