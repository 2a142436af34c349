package eurekatest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

var cancelChecks = []Check{
	{Name: "cancel/once", Fact: "A cancel is answered 200 without a body, and 404 the second time.", run: cancelOnce},
	{Name: "cancel/all-views", Fact: "What was cancelled is in no list, is no instance by any path, and its application is gone with the last of it.", run: cancelAllViews},
	{Name: "cancel/returns", Fact: "What was cancelled can register again with the same lastDirtyTimestamp.", run: cancelReturns},
}

func cancelOnce(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if err := s.expectEmpty(ctx, http.StatusOK, http.MethodDelete, s.instancePath("one"), "", asJSON); err != nil {
		return err
	}
	_, err := s.expect(ctx, http.StatusNotFound, http.MethodDelete, s.instancePath("one"), "", asJSON)
	return err
}

func cancelAllViews(ctx context.Context, s *session) error {
	id := "one-of-" + s.app // unique among all applications
	if err := s.register(ctx, s.instance(id)); err != nil {
		return err
	}
	byID := "/instances/" + url.PathEscape(id)
	seen := func() error {
		_, err := s.expect(ctx, http.StatusOK, http.MethodGet, byID, "", asJSON)
		return errors.Join(err, s.expectListed(ctx, id), s.expectVIP(ctx, "/vips/"+s.vip(), 1), s.expectVIP(ctx, "/svips/"+s.vip(), 1))
	}
	if err := s.eventually(ctx, seen); err != nil {
		return err
	}
	if _, err := s.expect(ctx, http.StatusOK, http.MethodDelete, s.instancePath(id), ""); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		return errors.Join(s.gone(ctx, "/apps/"+s.app, s.instancePath(id), byID), s.expectListed(ctx),
			s.expectVIP(ctx, "/vips/"+s.vip(), 0), s.expectVIP(ctx, "/svips/"+s.vip(), 0))
	})
}

// expectVIP fails unless a VIP names so many instances of the check's app.
func (s *session) expectVIP(ctx context.Context, path string, want int) error {
	named, err := s.list(ctx, path)
	if err != nil {
		return err
	}
	return equal("GET "+path+": number of instances", len(named.of(s.app)), want)
}

func cancelReturns(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if _, err := s.expect(ctx, http.StatusOK, http.MethodDelete, s.instancePath("one"), ""); err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.expectStatus(ctx, "one", "UP")
}
