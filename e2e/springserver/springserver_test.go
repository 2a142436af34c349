package springserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// wanted are the warnings of a server without peers whose leases end.
var wanted = regexp.MustCompile(`The replica size seems to be empty|expired lease for BRIEF/i1$`)

func TestStart(t *testing.T) {
	for _, release := range []Release{Boot3, Boot4} {
		t.Run(string(release), func(t *testing.T) {
			t.Parallel()
			s := start(t, release)
			send(t, http.MethodGet, s.URL()+"vips/b", "") // from now on a cache would have it
			s.register(t, "A", 600)
			for _, path := range []string{"apps", "apps/delta", "apps/A", "vips/b"} {
				if _, body := send(t, http.MethodGet, s.URL()+path, ""); !strings.Contains(body, `"i1"`) {
					t.Errorf("GET %s = %s, want i1 at once", path, body)
				}
			}
			s.register(t, "BRIEF", 1)
			deadline := time.Now().Add(time.Minute)
			for status := http.StatusOK; status != http.StatusNotFound; status, _ = send(t, http.MethodGet, s.URL()+"apps/BRIEF", "") {
				if time.Now().After(deadline) {
					t.Fatal("the lease did not end: GET apps/BRIEF is still 200")
				}
				time.Sleep(100 * time.Millisecond)
			}
			log, err := os.ReadFile(s.LogPath())
			if err != nil {
				t.Fatal(err)
			}
			for _, complaint := range regexp.MustCompile(`(?m)^(WARN|ERROR) .*`).FindAllString(string(log), -1) {
				if !wanted.MatchString(complaint) {
					t.Errorf("its log holds %s", complaint)
				}
			}
		})
	}
}

func TestStart_SaysWhyItDidNot(t *testing.T) {
	jar := filepath.Join(t.TempDir(), "none.jar")
	_, err := Start(t.Context(), Config{Jar: jar, LogPath: filepath.Join(t.TempDir(), "log")})
	if err == nil || !strings.Contains(err.Error(), "Unable to access jarfile") {
		t.Errorf("Start() of a jar that is none = %v, want what java says", err)
	}
}

func start(t *testing.T, release Release) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	jar, err := release.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(ctx, Config{
		Jar: jar, LogPath: filepath.Join(t.TempDir(), "server.log"),
		Properties: []string{"eureka.server.eviction-interval-timer-in-ms=200"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Kill(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// register registers i1 of app with a lease of so many seconds.
func (s *Server) register(t *testing.T, app string, duration int) {
	t.Helper()
	body := fmt.Sprintf(`{"instance":{"instanceId":"i1","hostName":"h","app":%q,"ipAddr":"10.0.0.1","vipAddress":"a,b",`+
		`"port":{"$":80,"@enabled":"true"},"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":%d},`+
		`"dataCenterInfo":{"@class":"com.netflix.appinfo.MyDataCenterInfo","name":"MyOwn"}}}`, app, duration)
	if status, answer := send(t, http.MethodPost, s.URL()+"apps/"+app, body); status != http.StatusNoContent {
		t.Fatalf("POST apps/%s = %d %s", app, status, answer)
	}
}

func send(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(content)
}
