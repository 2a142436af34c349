package eurekatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

var heartbeatChecks = []Check{
	{Name: "heartbeat/known", Fact: "A heartbeat is answered 200 without a body, with or without parameters and a body of its own.", run: heartbeatKnown},
	{Name: "heartbeat/unknown", Fact: "The heartbeat of an unknown instance is answered 404: clients then register.", run: heartbeatUnknown},
	{Name: "heartbeat/unknown-empty", Fact: "That 404 has no body: Jersey clients take any for an instance, and never register again.", Difference: "404 and 405", run: heartbeatUnknownEmpty},
	{Name: "heartbeat/status-ignored", Fact: "The status in a heartbeat changes nothing.", run: heartbeatStatus},
	{Name: "heartbeat/dirty", Fact: "A heartbeat with a newer lastDirtyTimestamp is answered 404, one with an older 200.", run: heartbeatDirty},
	{Name: "heartbeat/peer", Fact: "A peer's heartbeat with an older lastDirtyTimestamp is answered 409 with the stored instance.", run: heartbeatPeer},
	{Name: "heartbeat/bad-dirty", Fact: "A lastDirtyTimestamp that is no number is answered 400.", Difference: "`lastDirtyTimestamp` that is no number", run: heartbeatBadDirty},
}

func heartbeatKnown(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	path := s.instancePath("one")
	return errors.Join(
		s.expectEmpty(ctx, http.StatusOK, http.MethodPut, path, ""),
		s.expectEmpty(ctx, http.StatusOK, http.MethodPut, path+"?status=UP&lastDirtyTimestamp=1700000000000", "", asJSON),
		s.expectEmpty(ctx, http.StatusOK, http.MethodPut, path, "{}", sendJSON, asJSON),
	)
}

func heartbeatUnknown(ctx context.Context, s *session) error {
	return s.put(ctx, http.StatusNotFound, s.instancePath("nobody")+"?status=UP&lastDirtyTimestamp=1700000000000")
}

func heartbeatUnknownEmpty(ctx context.Context, s *session) error {
	return s.expectEmpty(ctx, http.StatusNotFound, http.MethodPut, s.instancePath("nobody"), "", asJSON)
}

func heartbeatStatus(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"status": "DOWN"})); err != nil {
		return err
	}
	if err := s.put(ctx, http.StatusOK, s.instancePath("one")+"?status=UP"); err != nil {
		return err
	}
	return s.expectStatus(ctx, "one", "DOWN")
}

func heartbeatDirty(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	path := s.instancePath("one")
	return errors.Join(
		s.put(ctx, http.StatusOK, path+"?lastDirtyTimestamp=1699999999999"),
		s.put(ctx, http.StatusNotFound, path+"?lastDirtyTimestamp=1700000000001"),
		s.put(ctx, http.StatusOK, path+"?lastDirtyTimestamp=1700000000000"),
	)
}

func heartbeatPeer(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	a, err := s.expect(ctx, http.StatusConflict, http.MethodPut, s.instancePath("one")+"?lastDirtyTimestamp=1699999999999", "", asJSON, asPeer)
	if err != nil {
		return err
	}
	var wrapped struct {
		Instance document `json:"instance"`
	}
	if err := json.Unmarshal(a.body, &wrapped); err != nil {
		return fmt.Errorf("%s: %w", a, err)
	}
	return equal("lastDirtyTimestamp", wrapped.Instance.LastDirtyTimestamp, fmt.Sprint(firstDirty))
}

func heartbeatBadDirty(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.put(ctx, http.StatusBadRequest, s.instancePath("one")+"?lastDirtyTimestamp=yesterday")
}
