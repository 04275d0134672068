package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"regexp"
	"strings"
)

// A secret is "rcl_" (of a key) or "rcs_" (of a session), 8 letters by which it
// is found and shown, "_", 256 random bits, and a checksum of all before, by
// which a typing error is known at once and a scanner of leaks is sure:
//
//	rcl_k3j2h4g5_<52 letters><7 letters>
const (
	keyMark     = "rcl_"
	sessionMark = "rcs_"
	namedBytes  = 5  // random bytes of the part that is shown
	secretBytes = 32 // random bytes of the part that is not
	prefixLen   = len(keyMark) + 8
	secretLen   = prefixLen + 1 + 52 + sumLen
	sumLen      = 7
)

var (
	letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	shape   = regexp.MustCompile(`rc[ls]_[a-z2-7]{8}_`)
)

// newSecret makes a secret of a mark.
func newSecret(mark string) string {
	text := mark + random(namedBytes) + "_" + random(secretBytes)
	return text + checksum(text)
}

func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return letters.EncodeToString(b)
}

func checksum(text string) string {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc32.ChecksumIEEE([]byte(text)))
	return letters.EncodeToString(b[:])
}

// whole tells whether the text is a secret of that mark, as far as it shows.
func whole(secret, mark string) bool {
	if len(secret) != secretLen || !strings.HasPrefix(secret, mark) {
		return false
	}
	cut := secretLen - sumLen
	return checksum(secret[:cut]) == secret[cut:]
}

// prefix is the part of a whole secret that may be shown.
func prefix(secret string) string { return secret[:prefixLen] }

// Shown returns the part of a secret that may be shown; "" for a text that is no secret of
// this package.
func Shown(secret string) string {
	if whole(secret, keyMark) || whole(secret, sessionMark) {
		return prefix(secret)
	}
	return ""
}

// digest is what is stored of a secret.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Leaks tells whether a text holds a secret of this package, or what looks like
// the beginning of one, so that it can be kept out of addresses and logs.
func Leaks(text string) bool { return shape.MatchString(text) }
