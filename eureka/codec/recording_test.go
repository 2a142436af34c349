package codec_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// recording is a body that a real server answered or a real client sent; the
// files under testdata hold them as they were on the wire.
type recording struct {
	Name   string
	Form   string
	Kind   string
	Status int
	Body   string
}

// form is the form that the recording is in.
func (r recording) form(t *testing.T) codec.Form {
	t.Helper()
	for f := range codec.Form(codec.Forms) {
		if f.String() == r.Form {
			return f
		}
	}
	t.Fatalf("recording %q is in form %q, which is none", r.Name, r.Form)
	return 0
}

// recordings reads a file of testdata.
func recordings(t testing.TB, file string) []recording {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRecordedAnswers reads what real servers answered with the standard
// library and wants the encoders to write the same bytes. What may differ is
// named in expected.
func TestRecordedAnswers(t *testing.T) {
	for _, r := range recordings(t, "responses.json") {
		t.Run(r.Name, func(t *testing.T) {
			f := r.form(t)
			got, err := encodeAgain(f, r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(expected(t, f, r.Body), string(got)); diff != "" {
				t.Errorf("encoding differs (-recorded +ours):\n%s", diff)
			}
		})
	}
}

// encodeAgain reads the body of r without package codec and encodes it.
func encodeAgain(f codec.Form, r recording) ([]byte, error) {
	body := []byte(r.Body)
	switch r.Kind {
	case "applications":
		apps, err := readPlainApplications(f, body)
		if err != nil {
			return nil, err
		}
		return f.AppendApplications(nil, apps), nil
	case "application":
		app, err := readPlainApplication(f, body)
		if err != nil {
			return nil, err
		}
		return f.AppendApplication(nil, app), nil
	case "instance":
		i, err := readPlainInstance(f, body)
		if err != nil {
			return nil, err
		}
		return f.AppendInstance(nil, i), nil
	case "status":
		s, err := readPlainStatusInfo(body)
		if err != nil {
			return nil, err
		}
		return f.AppendStatusInfo(nil, s), nil
	}
	return nil, fmt.Errorf("unknown kind %q", r.Kind)
}

// readPlainStatusInfo reads a StatusInfo in XML with its order of entries.
func readPlainStatusInfo(body []byte) (*codec.StatusInfo, error) {
	type stats struct {
		Entries []struct {
			XMLName xml.Name
			Value   string `xml:",chardata"`
		} `xml:",any"`
	}
	var p struct {
		XMLName          xml.Name         `xml:"com.netflix.eureka.util.StatusInfo"`
		GeneralStats     stats            `xml:"generalStats"`
		ApplicationStats stats            `xml:"applicationStats"`
		Instance         plainXMLInstance `xml:"instanceInfo"`
	}
	if err := unmarshalXML(body, &p); err != nil {
		return nil, err
	}
	list := func(s stats) (all []codec.Stat) {
		for _, e := range s.Entries {
			all = append(all, codec.Stat{Name: e.XMLName.Local, Value: e.Value})
		}
		return all
	}
	i, err := p.Instance.json().words()
	return &codec.StatusInfo{
		GeneralStats: list(p.GeneralStats), ApplicationStats: list(p.ApplicationStats), Instance: i,
	}, err
}

// TestRecordedAnswersDecode wants the decoders to read the same words out of
// real answers as the standard library does.
func TestRecordedAnswersDecode(t *testing.T) {
	for _, r := range recordings(t, "responses.json") {
		if r.Kind != "applications" {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			f := r.form(t)
			want, err := readPlainApplications(f, []byte(r.Body))
			if err != nil {
				t.Fatal(err)
			}
			if f == codec.JSONCompact || f == codec.XMLCompact {
				for _, app := range want.Applications {
					fillAbsent(app.Instances)
				}
			}
			got, err := codec.DecodeApplications(f, []byte(r.Body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("DecodeApplications(%v) differs (-want +got):\n%s", f, diff)
			}
		})
	}
}

// fillAbsent gives instances what decoders assume for the fields that compact
// forms leave out.
func fillAbsent(instances []*eureka.Instance) {
	for _, i := range instances {
		i.OverriddenStatus = eureka.StatusUnknown
		i.CountryID = 1
		i.Lease = eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90}
	}
}

// TestRecordedPieces wants a collection to be the same joined from its pieces.
func TestRecordedPieces(t *testing.T) {
	for _, r := range recordings(t, "responses.json") {
		if r.Kind != "applications" {
			continue
		}
		f := r.form(t)
		apps, err := readPlainApplications(f, []byte(r.Body))
		if err != nil {
			t.Fatal(err)
		}
		var middle [][]byte
		for n := range apps.Applications {
			middle = append(middle, f.AppendListed(nil, &apps.Applications[n]))
		}
		joined := f.AppendHead(nil, apps.VersionsDelta, apps.AppsHashCode)
		joined = append(joined, bytes.Join(middle, []byte(f.Separator()))...)
		joined = f.AppendTail(joined, apps.VersionsDelta, apps.AppsHashCode)
		if diff := cmp.Diff(string(f.AppendApplications(nil, apps)), string(joined)); diff != "" {
			t.Errorf("%s: pieces differ (-whole +joined):\n%s", r.Name, diff)
		}
	}
}
