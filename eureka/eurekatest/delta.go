package eurekatest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

var deltaChecks = []Check{
	{Name: "delta/added", Fact: "A new instance is in the delta as ADDED, and the delta's hash is the full list's.", run: deltaAdded},
	{Name: "delta/deleted", Fact: "A cancelled instance is in the delta as DELETED, once.", run: deltaDeleted},
	{Name: "delta/modified", Fact: "An instance whose status was overridden is in the delta as MODIFIED.", run: deltaModified},
	{Name: "delta/registered-again", Fact: "A listed instance that registers again is MODIFIED.", Difference: "A listed instance that changes", run: deltaRegisteredAgain},
	{Name: "delta/deleted-last", Fact: "DELETED comes last in its application: clients that do not know it import it whole.", Difference: "`DELETED` in deltas", run: deltaDeletedLast},
	{Name: "delta/version", Fact: "versions__delta moves with a change.", run: deltaVersion},
	{Name: "delta/replay", Fact: "A client that applies the delta to an older list has the newer one.", run: deltaReplay},
}

// expectInDelta fails unless the delta has the instances of the check's app in
// this order, each as ID=ACTION.
func (s *session) expectInDelta(ctx context.Context, want ...string) error {
	changes, err := s.list(ctx, "/apps/delta")
	if err != nil {
		return err
	}
	var got []string
	for _, inst := range changes.of(s.app) {
		got = append(got, inst.ID+"="+inst.ActionType)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the delta has %q of %s, want %q", got, s.app, want)
	}
	all, err := s.list(ctx, "/apps")
	if err != nil {
		return err
	}
	return equal("hash of the delta", changes.HashCode, all.HashCode)
}

func deltaAdded(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectInDelta(ctx, "one=ADDED") })
}

// registerAndCancel registers an instance and cancels it.
func (s *session) registerAndCancel(ctx context.Context, id string) error {
	if err := s.register(ctx, s.instance(id)); err != nil {
		return err
	}
	_, err := s.expect(ctx, http.StatusOK, http.MethodDelete, s.instancePath(id), "")
	return err
}

func deltaDeleted(ctx context.Context, s *session) error {
	if err := s.registerAndCancel(ctx, "one"); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectInDelta(ctx, "one=DELETED") })
}

func deltaModified(ctx context.Context, s *session) error {
	if _, err := s.overridden(ctx); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectInDelta(ctx, "one=MODIFIED") })
}

func deltaRegisteredAgain(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if err := s.eventually(ctx, func() error { return s.expectListed(ctx, "one") }); err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("one").with(fields{"lastDirtyTimestamp": "1700000001000", "metadata": fields{"team": "another"}})); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectInDelta(ctx, "one=MODIFIED") })
}

func deltaDeletedLast(ctx context.Context, s *session) error {
	if err := s.registerAndCancel(ctx, "one"); err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("two")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectInDelta(ctx, "two=ADDED", "one=DELETED") })
}

func deltaVersion(ctx context.Context, s *session) error {
	before, err := s.list(ctx, "/apps/delta")
	if err != nil {
		return err
	}
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		after, err := s.list(ctx, "/apps/delta")
		if err != nil {
			return err
		}
		return equal("the version moved", after.Version != before.Version, true)
	})
}

// deltaReplay looks at the check's app alone, since others may change at once.
func deltaReplay(ctx context.Context, s *session) error {
	first := errors.Join(s.register(ctx, s.instance("one")), s.register(ctx, s.instance("two")))
	if first != nil {
		return first
	}
	if err := s.eventually(ctx, func() error { return s.expectListed(ctx, "one", "two") }); err != nil {
		return err
	}
	older, err := s.list(ctx, "/apps")
	if err != nil {
		return err
	}
	if err := errors.Join(s.register(ctx, s.instance("three")), s.registerAndCancel(ctx, "two"), s.put(ctx, http.StatusOK, s.instancePath("one")+"/status?value=DOWN")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		changes, err := s.list(ctx, "/apps/delta")
		if err != nil {
			return err
		}
		held := map[string]string{}
		for _, inst := range older.of(s.app) {
			held[inst.ID] = inst.Status
		}
		for _, inst := range changes.of(s.app) {
			if inst.ActionType == "DELETED" {
				delete(held, inst.ID)
			} else {
				held[inst.ID] = inst.Status
			}
		}
		return equal("what a client holds", fmt.Sprint(held), fmt.Sprint(map[string]string{"one": "DOWN", "three": "UP"}))
	})
}
