package app

import (
	"net/http"
	"testing"
)

// What is here is here on purpose and not as other servers do it; these tests
// are named in docs/differences.md.

func TestColonInMetadataKeyIsEscaped(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders", annotation("metadata.team:name", "blue")))
		r.serve()
		r.contains(r.get("/eureka/apps").Body.String(), "<team_.003aname>blue</team_.003aname>")
		r.contains(r.get("/eureka/apps", asJSON).Body.String(), `"team:name":"blue"`)
	})
}

func TestForbiddenCharactersInXML(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders", annotation("metadata.note", "a\x01b\x00c")))
		r.serve()
		r.contains(r.get("/eureka/apps").Body.String(), "<note>a\uFFFDb\uFFFDc</note>")
		r.equal("the same in JSON", r.at(r.tree("/eureka/apps/ORDERS"), "application", "instance", "metadata", "note"), any("a\x01b\x00c"))
	})
}

func TestEmptyMetadataKeyIsDropped(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders", annotation("metadata.", "x")))
		r.serve()
		r.equal("metadata", r.one("ORDERS").Metadata, metadataInfo{"version": "1.0", "management.port": "8081", "namespace": "shop", "pod": "a"})
	})
}

func TestOneInstanceShowsItsRealStatusInXML(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.5", "orders", annotation("status", "OUT_OF_SERVICE")), pod("b", "10.0.0.6", "cart", annotation("status", "unknown")))
		r.serve()
		for path, status := range map[string]string{"/eureka/apps/ORDERS/10.0.0.5:orders:8080": "OUT_OF_SERVICE", "/eureka/instances/10.0.0.6:cart:8080": "UNKNOWN"} {
			answer := r.get(path)
			r.equal(path, answer.Code, http.StatusOK)
			r.contains(answer.Body.String(), "<status>"+status+"</status>")
		}
	})
}
