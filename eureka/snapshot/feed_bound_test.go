package snapshot

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestFeedIsBounded(t *testing.T) {
	t.Run("by time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			st := newStore(0, 2)
			start := st.Token()
			st.say(0, as(0, eureka.StatusUp))
			st.publish()
			time.Sleep(registry.DeltaWindow)
			st.say(1, as(1, eureka.StatusUp))
			st.publish()
			if _, ok := st.Since(start); !ok {
				t.Error("a change is unknown three minutes later")
			}
			time.Sleep(time.Nanosecond)
			st.say(2, as(2, eureka.StatusUp))
			st.publish()
			if _, ok := st.Since(start); ok {
				t.Error("a change is known after more than three minutes")
			}
			if changes, ok := st.Since(Token{start.Epoch, 1}); !ok || len(changes) != 2 {
				t.Errorf("%d later changes are known (%v), want 2", len(changes), ok)
			}
		})
	})
	t.Run("by number", func(t *testing.T) {
		st := newStore(0, 1)
		start := st.Token()
		for n := range maxChanges + 1 {
			st.say(n, pod(n, 10))
		}
		st.publish()
		if _, ok := st.Since(start); ok {
			t.Errorf("%d changes are known, want %d at most", maxChanges+1, maxChanges)
		}
		if changes, ok := st.Since(Token{start.Epoch, 1}); !ok || len(changes) != maxChanges {
			t.Errorf("%d changes are known (%v), want %d", len(changes), ok, maxChanges)
		}
	})
}

func TestDocumentsOfAChange(t *testing.T) {
	st := newStore(0, 2)
	start := st.Token()
	odd := pod(0, 2)
	odd.Metadata = map[string]string{"odd": "two\nlines\r\nand\u2028more"}
	st.say(0, odd)
	st.publish()
	st.say(0, nil)
	st.publish()
	changes, _ := st.Since(start)
	tests := []struct {
		name string
		text []byte
		want eureka.ActionType
	}{
		{"up", changes[0].Document(), eureka.ActionAdded},
		{"up, for those who follow it no more", changes[0].Removal(), eureka.ActionDeleted},
		{"down", changes[1].Document(), eureka.ActionDeleted},
		{"down, for those who follow it no more", changes[1].Removal(), eureka.ActionDeleted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.ContainsAny(string(tt.text), "\r\n") {
				t.Errorf("document = %q, want one line", tt.text)
			}
			got, err := codec.DecodeInstance(codec.JSON, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(got.Metadata, odd.Metadata) || !strings.Contains(string(tt.text), `"actionType":"`+string(tt.want)+`"`) {
				t.Errorf("document = %s, want %s", tt.text, tt.want)
			}
		})
	}
	if a, b := changes[0].Document(), changes[0].Document(); &a[0] != &b[0] {
		t.Error("a change was encoded twice")
	}
}
