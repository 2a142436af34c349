package eurekatest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

var readChecks = []Check{
	{Name: "read/hash", Fact: "apps__hashcode counts the listed instances by status.", run: readHash},
	{Name: "read/one-app", Fact: "One application is a list of instances under its name, also when it has one; an unknown one is 404.", run: readOneApp},
	{Name: "read/vips", Fact: "A VIP, secure or not, names its instances with a hash of their own; one that nobody has is an empty list.", run: readVIPs},
	{Name: "read/gzip", Fact: "The list is compressed when that is asked for, and says so.", run: readGzip},
	{Name: "read/gzip-refused", Fact: "gzip;q=0 says no.", Difference: "`Accept-Encoding: gzip;q=0`", run: readGzipRefused},
	{Name: "read/etag", Fact: "A list that a client has already is 304.", Difference: "`ETag`, `If-None-Match`", run: readETag},
	{Name: "read/vary", Fact: "A list names the headers that its form depends on, so that no cache hands XML to a client of JSON.", Difference: "`Vary`", run: readVary},
	{Name: "read/method", Fact: "A method that a path does not have is 405.", run: readMethod},
	{Name: "read/status", Fact: "GET status tells of the server, in XML.", run: readStatus},
	{Name: "read/status-json", Fact: "GET status tells of the server in JSON too.", Difference: "`GET status` in JSON", run: readStatusJSON},
}

func readHash(ctx context.Context, s *session) error {
	for id, status := range map[string]string{"one": "UP", "two": "DOWN", "three": "STARTING", "four": "UP"} {
		if err := s.register(ctx, s.instance(id).with(fields{"status": status})); err != nil {
			return err
		}
	}
	if err := s.eventually(ctx, func() error { return s.expectListed(ctx, "one", "two", "three", "four") }); err != nil {
		return err
	}
	all, err := s.list(ctx, "/apps")
	if err != nil {
		return err
	}
	return equal("apps__hashcode", all.HashCode, all.hashCode())
}

func readOneApp(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	err := s.eventually(ctx, func() error {
		var wrapped struct {
			Application application `json:"application"`
		}
		if err := s.decode(ctx, "/apps/"+strings.ToLower(s.app), &wrapped); err != nil {
			return err
		}
		return errors.Join(equal("name", wrapped.Application.Name, s.app), equal("number of instances", len(wrapped.Application.Instances), 1))
	})
	return errors.Join(err, s.gone(ctx, "/apps/"+s.app+"-UNKNOWN"))
}

func readVIPs(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"secureVipAddress": "secure-" + s.vip(), "vipAddress": "first-" + s.vip() + "," + s.vip()})); err != nil {
		return err
	}
	err := s.eventually(ctx, func() error {
		return errors.Join(s.expectVIP(ctx, "/vips/"+s.vip(), 1), s.expectVIP(ctx, "/vips/first-"+s.vip(), 1),
			s.expectVIP(ctx, "/svips/secure-"+s.vip(), 1), s.expectVIP(ctx, "/svips/"+s.vip(), 0), s.expectVIP(ctx, "/vips/nobody-"+s.vip(), 0))
	})
	if err != nil {
		return err
	}
	for path, hash := range map[string]string{"/vips/" + s.vip(): "UP_1_", "/vips/nobody-" + s.vip(): ""} {
		named, err := s.list(ctx, path)
		if err != nil {
			return err
		}
		if err := equal("GET "+path+": hash", named.HashCode, hash); err != nil {
			return err
		}
	}
	return nil
}

func readGzip(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		packed, err := s.get(ctx, "/apps", asJSON, header{"Accept-Encoding", "gzip"})
		if err != nil {
			return err
		}
		if err := equal("Content-Encoding", packed.header.Get("Content-Encoding"), "gzip"); err != nil {
			return err
		}
		reader, err := gzip.NewReader(bytes.NewReader(packed.body))
		if err != nil {
			return fmt.Errorf("%s: %w", packed.request, err)
		}
		text, err := io.ReadAll(io.LimitReader(reader, maxBody))
		if err != nil {
			return fmt.Errorf("%s: %w", packed.request, err)
		}
		if !bytes.Contains(text, []byte(s.app)) {
			return errors.New("the application is not in the list")
		}
		return s.expectPlain(ctx, "identity")
	})
}

// expectPlain fails if the list is compressed for a client that accepts so.
func (s *session) expectPlain(ctx context.Context, accepted string) error {
	plain, err := s.get(ctx, "/apps", asJSON, header{"Accept-Encoding", accepted})
	if err != nil {
		return err
	}
	if coding := plain.header.Get("Content-Encoding"); coding != "" || !bytes.HasPrefix(plain.body, []byte("{")) {
		return fmt.Errorf("with Accept-Encoding %s the list comes as %q", accepted, coding)
	}
	return nil
}

func readGzipRefused(ctx context.Context, s *session) error { return s.expectPlain(ctx, "gzip;q=0") }

func readETag(ctx context.Context, s *session) error {
	return s.eventually(ctx, func() error {
		a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", asJSON)
		if err != nil {
			return err
		}
		return s.expectEmpty(ctx, http.StatusNotModified, http.MethodGet, "/apps", "", asJSON, header{"If-None-Match", a.header.Get("Etag")})
	})
}

func readVary(ctx context.Context, s *session) error {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", asJSON)
	if err != nil {
		return err
	}
	vary := strings.ToLower(strings.Join(a.header.Values("Vary"), ","))
	for _, name := range []string{"accept", "accept-encoding", "x-eureka-accept"} {
		if !slices.Contains(strings.Split(strings.ReplaceAll(vary, " ", ""), ","), name) {
			return fmt.Errorf("%s: Vary is %q, want %s in it", a.request, vary, name)
		}
	}
	return nil
}

func readMethod(ctx context.Context, s *session) error {
	_, err1 := s.expect(ctx, http.StatusMethodNotAllowed, http.MethodPost, "/apps", "{}", sendJSON)
	_, err2 := s.expect(ctx, http.StatusMethodNotAllowed, http.MethodDelete, "/apps/"+s.app, "")
	return errors.Join(err1, err2)
}

func readStatus(ctx context.Context, s *session) error {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/status", "", asXML)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(a.body, []byte("<com.netflix.eureka.util.StatusInfo>")) {
		return fmt.Errorf("%s, want a StatusInfo", a)
	}
	return nil
}

func readStatusJSON(ctx context.Context, s *session) error {
	_, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/status", "", asJSON)
	return err
}
