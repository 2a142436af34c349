package snapshot

import "testing"

func TestParseToken(t *testing.T) {
	tests := []struct {
		name, text string
		want       Token
		ok         bool
	}{
		{"of the first snapshot", "ABCDEF27-0", Token{"ABCDEF27", 0}, true},
		{"of a later one", "ABCDEF27-1284", Token{"ABCDEF27", 1284}, true},
		{"the largest", "ABCDEF27-9223372036854775807", Token{"ABCDEF27", 1<<63 - 1}, true},
		{"nothing", "", Token{}, false},
		{"no number", "ABCDEF27", Token{}, false},
		{"an empty number", "ABCDEF27-", Token{}, false},
		{"a sign", "ABCDEF27--1", Token{}, false},
		{"a plus", "ABCDEF27-+1", Token{}, false},
		{"a zero in front", "ABCDEF27-01", Token{}, false},
		{"too large", "ABCDEF27-9223372036854775808", Token{}, false},
		{"a space", "ABCDEF27-1 ", Token{}, false},
		{"an epoch in lower case", "abcdef27-1", Token{}, false},
		{"a short epoch", "ABCDEF2-1", Token{}, false},
		{"a long epoch", "ABCDEF277-1", Token{}, false},
		{"a number alone", "1284", Token{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseToken(tt.text)
			if got != tt.want || (err == nil) != tt.ok {
				t.Errorf("ParseToken(%q) = %v, %v; want %v, error %v", tt.text, got, err, tt.want, !tt.ok)
			}
		})
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add("ABCDEF27-1284")
	f.Add("ABCDEF27--0")
	f.Fuzz(func(t *testing.T, text string) {
		token, err := ParseToken(text)
		if err == nil && token.String() != text {
			t.Errorf("ParseToken(%q) = %v, which is %q", text, token, token.String())
		}
	})
}

func TestEachStartHasAnEpochOfItsOwn(t *testing.T) {
	first, second := newStore(0, 1).Token(), newStore(0, 1).Token()
	if first.Epoch == second.Epoch {
		t.Errorf("two starts have the epoch %s", first.Epoch)
	}
	if got, err := ParseToken(first.String()); err != nil || got != first {
		t.Errorf("ParseToken(%q) = %v, %v; want %v", first, got, err, first)
	}
}
