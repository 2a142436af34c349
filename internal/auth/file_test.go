package auth

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/crypto/bcrypt"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// hashed is a line for the user with a cheap hash of the password.
func hashed(t testing.TB, user, password string) string {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return user + ":" + string(hash)
}

func write(t testing.TB, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// open opens a new file with the given lines.
func open(t testing.TB, lines ...string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "users")
	write(t, path, lines...)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// verify is Verify of what is not busy.
func verify(t testing.TB, f *File, user, password string) bool {
	t.Helper()
	right, err := f.Verify(t.Context(), user, password)
	if err != nil {
		t.Errorf("Verify(%q, …): %v", user, err)
	}
	return right
}

func TestVerify(t *testing.T) {
	f := open(t, "# written by hand", "", "plain:pass word:with colon", hashed(t, "bcrypt", "s3cret"), "windows:line\r",
		strings.Replace(hashed(t, "apache", "by htpasswd"), "$2a$", "$2y$", 1))
	tests := []struct {
		name, user, password string
		want                 bool
	}{
		{"plain", "plain", "pass word:with colon", true},
		{"plain, wrong", "plain", "pass word", false},
		{"bcrypt", "bcrypt", "s3cret", true},
		{"bcrypt, wrong", "bcrypt", "S3cret", false},
		{"bcrypt as htpasswd writes it", "apache", "by htpasswd", true},
		{"a line that ends as Windows ends it", "windows", "line", true},
		{"another user's password", "plain", "s3cret", false},
		{"unknown user with the password of the decoy", "nobody", "s3cret", false},
		{"user in another case", "Plain", "pass word:with colon", false},
		{"nothing", "", "", false},
		{"no password", "plain", "", false},
		{"a colon moved", "plain:pass word", "with colon", false},
		{"a comment", "# written by hand", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, time := range []string{"first", "second"} {
				if got := verify(t, f, tt.user, tt.password); got != tt.want {
					t.Errorf("%s Verify(%q, %q) = %v, want %v", time, tt.user, tt.password, got, tt.want)
				}
			}
		})
	}
	if verify(t, f, strings.Split(hashed(t, "x", "y"), ":")[1], "") {
		t.Error("a hash lets in")
	}
}

func TestUnusableFiles(t *testing.T) {
	const secret = "hunter2"
	tests := []struct{ name, content, problem string }{
		{"empty", "", "no user in it"},
		{"comments alone", "# " + secret + "\n\n", "no user in it"},
		{"no colon", "a:b\n" + secret, "line 2: no colon between user and password"},
		{"no user", ":" + secret, "line 1: no user"},
		{"no password", secret + ":", "line 1: no password"},
		{"one user twice", "a:b\n\na:" + secret, "line 3: a user of an earlier line"},
		{"md5 of Apache", "a:$apr1$" + secret + "$x", "line 1: a hash that is not bcrypt (htpasswd -B makes one)"},
		{"sha1", "a:{SHA}" + secret, "line 1: a hash that is not bcrypt (htpasswd -B makes one)"},
		{"crypt", "a:$6$" + secret, "line 1: a hash that is not bcrypt (htpasswd -B makes one)"},
		{"argon2", "a:$argon2id$v=19$" + secret, "line 1: a hash that is not bcrypt (htpasswd -B makes one)"},
		{"half a bcrypt hash", "a:$2y$05$" + secret, "line 1: a hash that is not bcrypt (htpasswd -B makes one)"},
		{"endless bcrypt", "a:$2y$31$" + strings.Repeat("a", 53), "line 1: bcrypt cost 31 is above 15"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "users")
			write(t, path, tt.content)
			_, err := Open(path)
			if err == nil || err.Error() != "users of "+path+": "+tt.problem {
				t.Fatalf("Open = %v, want %q", err, tt.problem)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error gives a line away: %v", err)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(unwrap(err)) {
		t.Errorf("Open of no file = %v, want that it does not exist", err)
	}
}

func unwrap(err error) error {
	if u, ok := err.(interface{ Unwrap() error }); ok {
		return u.Unwrap()
	}
	return err
}

func TestPlainPasswordThatBeginsWithADollar(t *testing.T) {
	if !verify(t, open(t, "a:$ecret"), "a", "$ecret") {
		t.Error("Verify = false, want true: it has not the form of a hash")
	}
}

// TestEveryFailureIsCompared shows that a refusal takes a comparison by bcrypt
// whoever the user is, and that a pair that was right once takes none.
func TestEveryFailureIsCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, hashed(t, "bcrypt", "right"), "plain:right")
		if !verify(t, f, "bcrypt", "right") {
			t.Fatal("Verify = false, want true")
		}
		for range cap(f.judge.slots) {
			f.judge.slots <- struct{}{}
		}
		for _, user := range []string{"bcrypt", "plain"} {
			if !verify(t, f, user, "right") {
				t.Errorf("Verify of %s = false while bcrypt is busy, want true", user)
			}
		}
		for _, user := range []string{"bcrypt", "plain", "nobody"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			start := time.Now()
			if right, err := f.Verify(ctx, user, "wrong"); right || err != context.DeadlineExceeded {
				t.Errorf("Verify of %s with a wrong password = %v, %v; want that nobody knows", user, right, err)
			}
			if time.Since(start) != time.Second {
				t.Errorf("refusing %s took %v, want it to wait for bcrypt", user, time.Since(start))
			}
			cancel()
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a:b\n#c\n\r\nd:$2y$05$" + strings.Repeat("a", 53)))
	f.Add([]byte("a:{SHA}x"))
	f.Fuzz(func(t *testing.T, content []byte) {
		table, err := parse(content, newFingerprinter())
		if (err == nil) == (table == nil) {
			t.Fatalf("parse(%q) = %v, %v", content, table, err)
		}
		if err != nil {
			return
		}
		for user, c := range table.users {
			if user == "" || c.hash == nil && c.known.Load() == nil {
				t.Errorf("parse(%q): user %q has no secret", content, user)
			}
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	f := open(b, hashed(b, "user", "password"))
	b.ReportAllocs()
	for b.Loop() {
		if right, err := f.Verify(b.Context(), "user", "password"); !right {
			b.Fatal("refused", err)
		}
	}
}
