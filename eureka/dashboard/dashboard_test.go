package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// read lists instances and returns the page.
func read(t *testing.T, instances ...*eureka.Instance) (text string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		reg, ready := registry.New(time.Now), make(chan struct{})
		publisher := snapshot.NewPublisher(snapshot.Config{Registry: reg, Ready: ready})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- publisher.Run(ctx) }()
		page := Handler(publisher.Current, func() string { return "the list is on its way" })

		early := httptest.NewRecorder()
		page.ServeHTTP(early, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody))
		if early.Code != http.StatusServiceUnavailable || early.Body.String() != "not synced: the list is on its way\n" {
			t.Errorf("before the first list: %d with %q, want 503 with what is waited for", early.Code, early.Body)
		}
		for _, inst := range instances {
			reg.Replace(registry.OwnerPod, inst.App+"/"+inst.ID, registry.Listed(inst))
		}
		close(ready)
		synctest.Wait()
		answer := httptest.NewRecorder()
		page.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody))
		if answer.Code != http.StatusOK || !strings.HasPrefix(answer.Header().Get("Content-Type"), "text/html") {
			t.Errorf("answer = %d, Content-Type %q; want 200 and HTML", answer.Code, answer.Header().Get("Content-Type"))
		}
		text = answer.Body.String()
		cancel()
		<-done
	})
	return text
}

func inst(app, id string, status eureka.Status) *eureka.Instance {
	return &eureka.Instance{App: app, ID: id, Status: status}
}

func TestPage(t *testing.T) {
	text := read(t, inst("ORDERS", "1", eureka.StatusUp), inst("ORDERS", "2", eureka.StatusUp), inst("ORDERS", "3", eureka.StatusDown), inst("CART", "1", eureka.StatusUp))
	for _, want := range []string{
		"4 instances of 2 applications", "DOWN_1_UP_3_",
		`<a href="/eureka/apps/ORDERS">ORDERS</a></td><td>1 DOWN 2 UP </td>`,
		`<a href="/eureka/apps/CART">CART</a></td><td>1 UP </td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if strings.Index(text, "CART") > strings.Index(text, "ORDERS") {
		t.Error("applications are not sorted by name")
	}
}

func TestPageOfNothing(t *testing.T) {
	if text := read(t); !strings.Contains(text, "0 instances of 0 applications") {
		t.Errorf("the page of an empty registry:\n%s", text)
	}
}

func TestNamesOfStrangersAreText(t *testing.T) {
	text := read(t, inst(`<SCRIPT>ALERT(1)</SCRIPT>"/../X`, "1", eureka.StatusUp))
	if strings.Contains(text, "<SCRIPT>") || strings.Contains(text, `"/../X`) {
		t.Errorf("a name became markup or left its attribute:\n%s", text)
	}
}

func TestPageIsBounded(t *testing.T) {
	var many []*eureka.Instance
	for n := range maxApplications + 5 {
		many = append(many, inst(fmt.Sprintf("APP-%05d", n), "1", eureka.StatusUp))
	}
	text := read(t, many...)
	if got := strings.Count(text, "<a href="); got != maxApplications {
		t.Errorf("%d applications on the page, want %d", got, maxApplications)
	}
	if !strings.Contains(text, "and 5 more applications") {
		t.Error("the page does not say how many applications it leaves out")
	}
}
