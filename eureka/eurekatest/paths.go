package eurekatest

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

var pathChecks = []Check{
	{Name: "path/slash-at-end", Fact: "A slash at the end of a path makes no difference.", run: pathSlashAtEnd},
	{Name: "path/v2", Fact: "The API is served below v2 too.", run: pathV2},
	{Name: "path/doubled-slash", Fact: "A doubled slash is one, and nobody is redirected.", Difference: "Doubled slashes inside a path", run: pathDoubledSlash},
	{Name: "path/slash-in-id", Fact: "An encoded slash is part of an id.", Difference: "`%2F` in an id", run: pathSlashInID},
	{Name: "path/unknown", Fact: "What is no resource is 404.", run: pathUnknown},
}

func pathSlashAtEnd(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	for _, path := range []string{"/apps", "/apps/delta", "/apps/" + s.app, "/vips/" + s.vip()} {
		err := s.eventually(ctx, func() error {
			without, err1 := s.expect(ctx, http.StatusOK, http.MethodGet, path, "", asXML)
			with, err2 := s.expect(ctx, http.StatusOK, http.MethodGet, path+"/", "", asXML)
			if err := errors.Join(err1, err2); err != nil || path == "/apps/delta" {
				return err // a delta may count the answers it gave
			}
			return sameBytes(without, with)
		})
		if err != nil {
			return err
		}
	}
	return s.put(ctx, http.StatusOK, s.instancePath("one")+"/")
}

func pathV2(ctx context.Context, s *session) error {
	if strings.HasSuffix(s.base, "/v2") {
		_, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", asJSON)
		return err
	}
	s.willCancel(s.instancePath("one"))
	if err := s.expectEmpty(ctx, http.StatusNoContent, http.MethodPost, "/v2/apps/"+s.app, s.instance("one").json(), sendJSON); err != nil {
		return err
	}
	return errors.Join(s.put(ctx, http.StatusOK, "/v2"+s.instancePath("one")), s.expectAsSent(ctx, s.instance("one")))
}

func pathDoubledSlash(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return errors.Join(s.put(ctx, http.StatusOK, "//apps/"+s.app+"/one"), s.put(ctx, http.StatusOK, "/apps//"+s.app+"/one"))
}

func pathSlashInID(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("a/b")); err != nil {
		return err
	}
	if err := s.put(ctx, http.StatusOK, "/apps/"+s.app+"/a%2Fb"); err != nil {
		return err
	}
	got, err := s.find(ctx, "a/b")
	return errors.Join(err, equal("instanceId", got.ID, "a/b"))
}

func pathUnknown(ctx context.Context, s *session) error {
	return s.gone(ctx, "/nothing", "/apps/"+s.app+"/one/two/three")
}
