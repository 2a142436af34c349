package snapshot

import (
	"errors"
	"strconv"
	"strings"
)

// epochLength is how many characters of base32 an epoch has: 40 random bits, too
// many for two servers that one client meets to have the same.
const epochLength = 8

// Token names a place among the changes of one server. Its text means nothing to
// clients, which only hand it back.
type Token struct {
	// Epoch is random and new at each start of a server: a number of one means
	// nothing to another.
	Epoch string
	// Sequence is that of the latest change before the place, 0 for none.
	Sequence int64
}

// String is the text that ParseToken reads, of letters, digits and one hyphen.
func (t Token) String() string {
	return t.Epoch + "-" + strconv.FormatInt(t.Sequence, 10)
}

var errToken = errors.New("no token of a Eurekube server")

// ParseToken reads what String wrote and refuses every other spelling.
func ParseToken(text string) (Token, error) {
	epoch, number, _ := strings.Cut(text, "-")
	sequence, err := strconv.ParseInt(number, 10, 64)
	if err != nil || sequence < 0 || strconv.FormatInt(sequence, 10) != number {
		return Token{}, errToken
	}
	if len(epoch) != epochLength || strings.Trim(epoch, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return Token{}, errToken
	}
	return Token{epoch, sequence}, nil
}
