package codec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// refusedHere are the recorded registrations that cannot be decoded, with the
// reason we send. Upstream refuses more (what lacks a field, which is not for
// the codec to judge) and takes a status and a port that are none.
var refusedHere = map[string]string{
	"register without dataCenterInfo name": "Missing dataCenterInfo Name",
	"register broken json":                 "JSON could not be parsed at byte 1: unexpected end",
	"register empty body":                  "JSON could not be parsed at byte 0: unexpected end",
	"register empty object":                "JSON could not be parsed at byte 0: it holds no instance",
	"register broken xml":                  `XML could not be parsed at byte 10: element "instance" is not ended`,
	"register bad status":                  `status: "SIDEWAYS" is no status`,
	"register bad port":                    `port: "http" is no integer`,
	"register nested metadata":             `metadata: the value of "a" is not text`,
}

// TestRecordedRegistrations decodes what was sent to a real server, and
// compares with what that server listed afterwards.
func TestRecordedRegistrations(t *testing.T) {
	listed := listedInstances(t)
	for _, r := range recordings(t, "registrations.json") {
		t.Run(r.Name, func(t *testing.T) {
			got, err := codec.DecodeInstance(r.form(t), []byte(r.Body))
			if problem, refused := refusedHere[r.Name]; refused {
				if err == nil || err.Error() != problem {
					t.Fatalf("DecodeInstance(%s) = %v, %v, want error %q", r.Body, got, err, problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != 204 {
				return // incomplete: for registration to refuse
			}
			want, ok := listed[got.HostName]
			if !ok {
				t.Fatalf("recorded server does not list host %q", got.HostName)
			}
			if got.Metadata["a"] == "" {
				delete(want.Metadata, "a") // null, which upstream lists as text
			}
			if diff := cmp.Diff(want, clientsShare(got)); diff != "" {
				t.Errorf("instance differs (-listed +decoded):\n%s", diff)
			}
		})
	}
}

// listedInstances are the instances of the recorded full answer by host name,
// without what the server adds.
func listedInstances(t *testing.T) map[string]*eureka.Instance {
	t.Helper()
	all := recordings(t, "responses.json")
	at := slices.IndexFunc(all, func(r recording) bool { return strings.Contains(r.Name, " 53 ") })
	apps, err := readPlainApplications(codec.JSON, []byte(all[at].Body))
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]*eureka.Instance)
	for _, app := range apps.Applications {
		for _, i := range app.Instances {
			listed[i.HostName] = clientsShare(i)
		}
	}
	return listed
}

// clientsShare is the part of an instance that its client decides, without the
// dirty timestamp, which the server fills when it is absent.
func clientsShare(i *eureka.Instance) *eureka.Instance {
	share := i.Clone()
	share.LastUpdatedTimestamp, share.LastDirtyTimestamp, share.ActionType = 0, 0, ""
	share.Lease = eureka.Lease{
		RenewalIntervalInSecs: i.Lease.RenewalIntervalInSecs, DurationInSecs: i.Lease.DurationInSecs,
	}
	return share
}

// TestRecordedClients decodes what real clients sent.
func TestRecordedClients(t *testing.T) {
	for _, r := range recordings(t, "clients.json") {
		t.Run(r.Name, func(t *testing.T) {
			i, err := codec.DecodeInstance(r.form(t), []byte(r.Body))
			if err != nil {
				t.Fatal(err)
			}
			path := r.Name[strings.LastIndex(r.Name, "/")+1:]
			if i.App != strings.ToUpper(path) {
				t.Errorf("App = %q, want that of path %q", i.App, path)
			}
			if i.DataCenterInfo.Name != eureka.DataCenterMyOwn || i.ID == "" || i.HostName == "" || i.IPAddr == "" {
				t.Errorf("instance is incomplete: %+v", i)
			}
		})
	}
}
