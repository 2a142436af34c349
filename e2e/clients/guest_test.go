package clients

import (
	"encoding/json"
	"fmt"
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

func (g guest) app() string { return serviceApp(g.service) }

func (g guest) id() string { return fmt.Sprintf("%s:%s:%d", g.host, g.service, guestPort) }

// urls is how a client discovers it when it is the only instance of its service.
func (g guest) urls() map[string][]string {
	return map[string][]string{g.service: {fmt.Sprintf("http://%s:%d", g.host, guestPort)}}
}

// register registers the guest, which is UP.
func (g guest) register(t *testing.T) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"instance": map[string]any{
		"instanceId": g.id(), "app": g.app(), "hostName": g.host, "ipAddr": g.host,
		"vipAddress": g.service, "status": "UP",
		"port":           map[string]any{"$": guestPort, "@enabled": "true"},
		"leaseInfo":      map[string]any{"durationInSecs": 600},
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
