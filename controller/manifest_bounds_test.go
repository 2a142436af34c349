package controller_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// podWith is a manifest with annotations that were written out at length.
func podWith(name, annotations string) string {
	return manifest(name, labelled+"  annotations: {"+annotations+"}\n"+atOne)
}

func TestManifests_AliasesAreBounded(t *testing.T) {
	long := strings.Repeat("x", 64<<10)
	uses := func(alias string, n int) string {
		return "[" + strings.Repeat(alias+", ", n) + "]"
	}
	tests := map[string]struct {
		content string
		listed  []string
		says    []string
	}{
		"a few": {
			content: podWith("a", "a: &a one, b: *a, <<: &m {c: d}, e: &e f") + "---\n" + replaceOnce(t, podWith("b", "<<: &m {a: b}"), "podIP: 10.1.0.1", "podIP: &ip 10.1.0.2, hostIP: *ip"),
			listed:  []string{"10.1.0.1:web:80 UP", "10.1.0.2:web:80 UP"},
		},
		"stars and ampersands that are text": {
			content: podWith("a", "a: 'b & c * d', e: \""+long+"\"") + "# &a *a\n",
			listed:  []string{"10.1.0.1:web:80 UP"},
		},
		"one long anchor": {
			content: podWith("a", "") + "x: &x " + long + "\ny: " + uses("*x", 300) + "\n",
			says:    []string{"document=1", "aliases", "larger than 16 MiB"},
		},
		"anchors of anchors": {
			content: podWith("a", "") + "x: &x " + long + "\ny: &y " + uses("*x", 20) + "\nz: " + uses("*y", 20) + "\n",
			says:    []string{"document=1", "aliases", "larger than 16 MiB"},
		},
		"several documents together": {
			content: strings.Repeat(podWith("a", "")+"x: &x "+long+"\ny: "+uses("*x", 100)+"\n---\n", 3),
			says:    []string{"document=3", "aliases", "larger than 16 MiB"},
		},
		"an anchor in itself": {
			content: podWith("a", "") + "x: &x [*x]\n",
			says:    []string{"document=1", "contains itself"},
		},
		"an alias of nothing": {
			content: podWith("a", "b: &b c, d: *e"),
			says:    []string{"document=1", "unknown anchor"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				dir := t.TempDir()
				write(t, filepath.Join(dir, "a.yaml"), tt.content)
				r.run(t, fromManifests(dir))
				r.wantSynced(t, true)
				r.wantListed(t, tt.listed...)
				if tt.says != nil {
					r.wantLogged(t, 1, append(tt.says, "Manifest has a problem", "nothing of this file is served")...)
				} else {
					r.wantLogged(t, 0, "Manifest has a problem")
				}
			})
		})
	}
}

// A key that comes twice in each document is told with the line of the file,
// and after twenty there is only their number.
func TestManifests_ProblemsOfAFileAreBounded(t *testing.T) {
	var pods strings.Builder
	for i := range 1000 {
		pods.WriteString(manifest(fmt.Sprintf("p%d", i), labelled+atOne+atOne) + "---\n")
	}
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a.yaml"), pods.String())
		write(t, filepath.Join(dir, "b.yaml"), manifest("other", labelled+atTwo+atTwo))
		r.run(t, fromManifests(dir))
		r.wantLogged(t, 22, "Manifest has a problem")
		r.wantLogged(t, 1, "document=20", "line 159: key", "status", "taken all the same")
		r.wantLogged(t, 1, `a.yaml"`, "and 980 more")
		r.wantLogged(t, 0, "document=0")
		r.wantLogged(t, 1, `b.yaml"`, "line 7: key")
		wantErrors(t, r, 22)

		write(t, filepath.Join(dir, "a.yaml"), pods.String()+"a: [\n")
		time.Sleep(within)
		r.wantLogged(t, 1, "document=1001", "last good content", "line 80")
		wantErrors(t, r, 2)
	})
}
