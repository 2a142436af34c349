package webhook

import (
	"strings"
	"testing"
	"time"
)

func TestVerify(t *testing.T) {
	now := time.Unix(1_764_460_800, 0)
	const body = `{"event":"up"}`
	signed := Sign([]byte("key"), now, []byte(body))
	// openssl: printf '1764460800.{"event":"up"}' | openssl dgst -sha256 -hmac key
	const known = "t=1764460800,v1=0f5c516bf6115418b91b014332c89225bdee338e964ee01cea8ae0bdbc352d4a"
	if signed != known {
		t.Errorf("Sign() = %s, want %s", signed, known)
	}
	tests := []struct {
		name           string
		secret, header string
		body           string
		now            time.Time
		says           string // in the error, empty for none
	}{
		{"right", "key", signed, body, now, ""},
		{"a minute later", "key", signed, body, now.Add(time.Minute), ""},
		{"replayed later", "key", signed, body, now.Add(6 * time.Minute), "6m0s off"},
		{"from the future", "key", signed, body, now.Add(-6 * time.Minute), "6m0s off"},
		{"another key", "other", signed, body, now, "not that of the body"},
		{"another body", "key", signed, body + " ", now, "not that of the body"},
		{"another time", "key", strings.Replace(signed, "t=1764460800", "t=1764460801", 1), body, now, "not that of the body"},
		{"without a key", "", Sign(nil, now, []byte(body)), body, now, "no secret"},
		{"no header", "key", "", body, now, "is not t=SECONDS,v1=HEX"},
		{"no digits", "key", "t=1764460800,v1=xyz", body, now, "is not t=SECONDS,v1=HEX"},
		{"shortened", "key", signed[:len(signed)-2], body, now, "not that of the body"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Verify([]byte(tt.secret), tt.header, []byte(tt.body), tt.now, 5*time.Minute)
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Verify() = %v, want %q", err, tt.says)
			}
		})
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1,v1=00", []byte("{}"))
	f.Add(Sign([]byte("key"), time.Unix(1, 0), []byte("{}")), []byte("{}"))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		now := time.Unix(1, 0)
		if err := Verify([]byte("key"), header, body, now, time.Minute); err == nil && !strings.HasPrefix(header, "t=") {
			t.Errorf("Verify(%q) took a header without a time", header)
		}
	})
}

func TestParseURLs(t *testing.T) {
	tests := []struct {
		name, content string
		want          int
		says          string
	}{
		{"two, a comment and an empty line", "# ours\nhttps://a.example/x\n\n  http://b.example:8080/?t=1  \n", 2, ""},
		{"none", "# nobody\n", 0, "holds no URL"},
		{"a scheme that is none", "https://a.example\nftp://b.example/s3cret", 0, "line 2: does not begin with http:// or https://"},
		{"no host", "http:///s3cret", 0, "line 1: names no host"},
		{"a port that is none", "http://a.example:99999/", 0, "line 1: has a port that is none"},
		{"a fragment", "http://a.example/#s3cret", 0, "line 1: has a fragment"},
		{"nonsense", "http://user:s3cret@a%zz/", 0, "line 1: is no URL"},
		{"a password with a slash", "http://user:s3cret/more@a.example/", 0, "line 1: is no URL"},
		{"an escape that is none", "http://a.example/%s3cret", 0, "line 1: is no URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseURLs(tt.content)
			if len(got) != tt.want || (err == nil) != (tt.says == "") {
				t.Fatalf("ParseURLs() = %v, %v; want %d", got, err, tt.want)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("error = %v, want %s and no secret", err, tt.says)
			}
		})
	}
}
