package eurekatest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

var contentChecks = []Check{
	{Name: "refuse/missing-fields", Fact: "A registration that lacks what it needs is answered 400 with a reason that names it, and nothing is stored.", run: refuseMissing},
	{Name: "refuse/other-app", Fact: "A registration of another application than the URL's is answered 400.", run: refuseOtherApp},
	{Name: "refuse/malformed", Fact: "A body that is no JSON or no XML is answered 400.", run: refuseMalformed},
	{Name: "refuse/content-type", Fact: "A body of another type is answered 415.", run: refuseContentType},
	{Name: "refuse/doctype", Fact: "A document type in XML is refused: nothing outside of the body is read.", run: refuseDoctype},
	{Name: "refuse/values", Fact: "A status and a port that are none are answered 400 with a reason that names the field.", Difference: "A field that cannot be read", run: refuseValues},
	{Name: "refuse/reason", Fact: "The reason of a refused body says more than that it cannot be parsed.", Difference: "Reason of a refused body", run: refuseReason},
}

func refuseMissing(ctx context.Context, s *session) error {
	for field, named := range map[string]string{"hostName": "hostname", "ipAddr": "ip", "dataCenterInfo": "datacenterinfo"} {
		reason, err := s.refused(ctx, s.instance("one").without(field).json(), sendJSON)
		if err != nil {
			return fmt.Errorf("without %s: %w", field, err)
		}
		if !strings.Contains(strings.ToLower(reason), named) {
			return fmt.Errorf("without %s the reason is %.100q, want it named", field, reason)
		}
	}
	return s.gone(ctx, s.instancePath("one"), "/apps/"+s.app)
}

func refuseOtherApp(ctx context.Context, s *session) error {
	_, err := s.refused(ctx, s.instance("one").with(fields{"app": s.app + "-OTHER"}).json(), sendJSON)
	return errors.Join(err, s.gone(ctx, s.instancePath("one"), "/apps/"+s.app+"-OTHER/one"))
}

func refuseMalformed(ctx context.Context, s *session) error {
	for _, body := range []string{"{", "", `{"instance":`, "<instance>"} {
		if _, err := s.refused(ctx, body, sendJSON); err != nil {
			return fmt.Errorf("%q as JSON: %w", body, err)
		}
	}
	for _, body := range []string{"<instance>", "<instance><hostName>x</instance>", "{}"} {
		if _, err := s.refused(ctx, body, sendXML); err != nil {
			return fmt.Errorf("%q as XML: %w", body, err)
		}
	}
	return nil
}

func refuseContentType(ctx context.Context, s *session) error {
	_, err := s.expect(ctx, http.StatusUnsupportedMediaType, http.MethodPost, "/apps/"+s.app, s.instance("one").json(), header{"Content-Type", "text/plain"})
	return err
}

func refuseDoctype(ctx context.Context, s *session) error {
	body := `<!DOCTYPE instance [<!ENTITY e "x">]>` + s.xmlInstance("one")
	_, err := s.refused(ctx, body, sendXML)
	return errors.Join(err, s.gone(ctx, s.instancePath("one")))
}

func refuseValues(ctx context.Context, s *session) error {
	for field, value := range map[string]any{"status": "SIDEWAYS", "port": fields{"$": "http", "@enabled": "true"}} {
		s.willCancel(s.instancePath("one"))
		reason, err := s.refused(ctx, s.instance("one").with(fields{field: value}).json(), sendJSON)
		if err != nil {
			return err
		}
		if !strings.Contains(reason, field) {
			return fmt.Errorf("the reason is %.100q, want %s named", reason, field)
		}
	}
	return nil
}

func refuseReason(ctx context.Context, s *session) error {
	reason, err := s.refused(ctx, "{", sendJSON)
	if err != nil {
		return err
	}
	if !strings.Contains(reason, "JSON") {
		return fmt.Errorf("the reason is %.100q, want it to say that it is no JSON", reason)
	}
	return nil
}
