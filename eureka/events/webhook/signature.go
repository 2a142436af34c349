package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the header that carries the signature of a body:
//
//	Eurekube-Signature: t=1764460800,v1=9f86d081…
//
// t is when the attempt was made, in seconds since 1970, and v1 is the HMAC-SHA-256
// of t, a dot and the body, in hexadecimal digits.
const SignatureHeader = "Eurekube-Signature"

// Sign returns the value of SignatureHeader for a body that is sent at the given
// time. Any number of goroutines may call it.
func Sign(secret []byte, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac(secret, seconds, body))
}

func mac(secret []byte, seconds string, body []byte) []byte {
	hash := hmac.New(sha256.New, secret)
	hash.Write([]byte(seconds + "."))
	hash.Write(body)
	return hash.Sum(nil)
}

// errSignature says nothing of what was expected.
var errSignature = errors.New("the signature is not that of the body")

// Verify is for receivers: it returns an error unless signature, the value of
// SignatureHeader, is that of the body with the secret and was made within
// tolerance of now. An empty secret, which anybody knows, takes nothing. Any number of
// goroutines may call it.
func Verify(secret []byte, signature string, body []byte, now time.Time, tolerance time.Duration) error {
	stamp, digits, found := strings.Cut(signature, ",v1=")
	seconds, stamped := strings.CutPrefix(stamp, "t=")
	given, err := hex.DecodeString(digits)
	if len(secret) == 0 {
		return errors.New("there is no secret to verify with")
	}
	if !found || !stamped || err != nil {
		return fmt.Errorf("%s is not t=SECONDS,v1=HEX", SignatureHeader)
	}
	if !hmac.Equal(given, mac(secret, seconds, body)) {
		return errSignature
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("%s: t is no number", SignatureHeader)
	}
	if off := now.Sub(time.Unix(unix, 0)).Abs(); off > tolerance {
		return fmt.Errorf("the signature is %s off", off.Round(time.Second))
	}
	return nil
}
