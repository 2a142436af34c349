package eurekatest

import (
	"context"
	"errors"
	"net/http"
)

var metadataChecks = []Check{
	{Name: "metadata/merged", Fact: "Metadata that is sent later is added to what is there, or replaces what has its key.", run: metadataMerged},
	{Name: "metadata/unknown", Fact: "The metadata of an unknown instance cannot be changed: 404.", run: metadataUnknown},
	{Name: "metadata/null", Fact: "A key whose value is null is left out.", Difference: "`null` in metadata", run: metadataNull},
}

func metadataMerged(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"metadata": fields{"team": "checkout", "colour": "red"}})); err != nil {
		return err
	}
	if err := s.expectEmpty(ctx, http.StatusOK, http.MethodPut, s.instancePath("one")+"/metadata?colour=blue&team_name=a%26b", "", asJSON); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		all, err := s.list(ctx, "/apps")
		if err != nil {
			return err
		}
		instances := all.of(s.app)
		if len(instances) != 1 {
			return errors.New("the instance is not listed")
		}
		got := instances[0].Metadata
		return errors.Join(equal("team", got["team"], "checkout"), equal("colour", got["colour"], "blue"), equal("team_name", got["team_name"], "a&b"))
	})
}

func metadataUnknown(ctx context.Context, s *session) error {
	return s.put(ctx, http.StatusNotFound, s.instancePath("nobody")+"/metadata?colour=blue")
}

func metadataNull(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"metadata": fields{"team": "checkout", "nothing": nil}})); err != nil {
		return err
	}
	got, err := s.find(ctx, "one")
	if err != nil {
		return err
	}
	_, present := got.Metadata["nothing"]
	return equal("metadata.nothing is listed", present, false)
}
