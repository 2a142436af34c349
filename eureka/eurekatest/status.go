package eurekatest

import (
	"context"
	"errors"
	"net/http"
)

var statusChecks = []Check{
	{Name: "status/override", Fact: "An override shows in both fields, in the hash, and stays over heartbeats and registrations.", run: statusOverride},
	{Name: "status/removed-to", Fact: "An override that is removed with a value leaves that status.", run: statusRemovedTo},
	{Name: "status/removed", Fact: "An override that is removed without a value leaves UNKNOWN, and 404 for the next heartbeat; a registration restores the status.", run: statusRemoved},
	{Name: "status/unknown", Fact: "The status of an unknown instance cannot be changed: 404.", run: statusUnknown},
	{Name: "status/any-case", Fact: "A status is understood in any case.", Difference: "`value` of a status request", run: statusAnyCase},
	{Name: "status/malformed", Fact: "A status that is none, or none at all, is answered 400.", Difference: "`value` of a status request", run: statusMalformed},
}

// overridden registers one instance and overrides its status.
func (s *session) overridden(ctx context.Context) (path string, err error) {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return "", err
	}
	path = s.instancePath("one") + "/status"
	if err := s.expectEmpty(ctx, http.StatusOK, http.MethodPut, path+"?value=OUT_OF_SERVICE", "", asJSON); err != nil {
		return "", err
	}
	return path, s.expectOverridden(ctx)
}

func (s *session) expectOverridden(ctx context.Context) error {
	got, err := s.find(ctx, "one")
	return errors.Join(err, equal("status", got.Status, "OUT_OF_SERVICE"), equal("overriddenStatus", got.OverriddenStatus, "OUT_OF_SERVICE"))
}

func statusOverride(ctx context.Context, s *session) error {
	if _, err := s.overridden(ctx); err != nil {
		return err
	}
	if err := s.put(ctx, http.StatusOK, s.instancePath("one")+"?status=UP"); err != nil {
		return err
	}
	if err := s.expectOverridden(ctx); err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("one").with(fields{"lastDirtyTimestamp": "1800000000000"})); err != nil {
		return err
	}
	if err := s.expectOverridden(ctx); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		named, err := s.list(ctx, "/vips/"+s.vip())
		if err != nil {
			return err
		}
		return equal("hash of the VIP", named.HashCode, "OUT_OF_SERVICE_1_")
	})
}

func statusRemovedTo(ctx context.Context, s *session) error {
	path, err := s.overridden(ctx)
	if err != nil {
		return err
	}
	if err := s.expectEmpty(ctx, http.StatusOK, http.MethodDelete, path+"?value=UP", "", asJSON); err != nil {
		return err
	}
	got, err := s.find(ctx, "one")
	return errors.Join(err, equal("status", got.Status, "UP"), equal("overriddenStatus", got.OverriddenStatus, "UNKNOWN"))
}

func statusRemoved(ctx context.Context, s *session) error {
	path, err := s.overridden(ctx)
	if err != nil {
		return err
	}
	if err := s.expectEmpty(ctx, http.StatusOK, http.MethodDelete, path, "", asJSON); err != nil {
		return err
	}
	if err := errors.Join(s.expectStatus(ctx, "one", "UNKNOWN"), s.put(ctx, http.StatusNotFound, s.instancePath("one"))); err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("one").with(fields{"lastDirtyTimestamp": "1800000000000"})); err != nil {
		return err
	}
	return errors.Join(s.expectStatus(ctx, "one", "UP"), s.put(ctx, http.StatusOK, s.instancePath("one")))
}

func statusUnknown(ctx context.Context, s *session) error {
	path := s.instancePath("nobody") + "/status"
	_, err := s.expect(ctx, http.StatusNotFound, http.MethodDelete, path, "", asJSON)
	return errors.Join(s.put(ctx, http.StatusNotFound, path+"?value=DOWN"), err)
}

func statusAnyCase(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if err := s.put(ctx, http.StatusOK, s.instancePath("one")+"/status?value=out_of_service"); err != nil {
		return err
	}
	return s.expectOverridden(ctx)
}

func statusMalformed(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	path := s.instancePath("one") + "/status"
	return errors.Join(s.put(ctx, http.StatusBadRequest, path+"?value=SIDEWAYS"), s.put(ctx, http.StatusBadRequest, path), s.expectStatus(ctx, "one", "UP"))
}
