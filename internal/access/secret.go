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

// A secret is "rcl_" for an API key or "rcs_" for a session, 8 characters that identify it, "_", 256
// random bits, and a checksum. By the checksum, typing errors are detected, and scanners find leaked
// secrets:
//
//	rcl_k3j2h4g5_<52 letters><7 letters>
const (
	keyTag      = "rcl_"
	sessionTag  = "rcs_"
	namedBytes  = 5  // random bytes of the displayed part
	secretBytes = 32 // random bytes of the hidden part
	prefixLen   = len(keyTag) + 8
	secretLen   = prefixLen + 1 + 52 + sumLen
	sumLen      = 7
)

var (
	letters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	shape   = regexp.MustCompile(`rc[ls]_[a-z2-7]{8}_`)
)

// newSecret returns a new secret that begins with `tag`, which is keyTag or sessionTag.
func newSecret(tag string) string {
	text := tag + random(namedBytes) + "_" + random(secretBytes)
	return text + checksum(text)
}

func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return letters.EncodeToString(b)
}

func checksum(text string) string {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc32.ChecksumIEEE([]byte(text)))
	return letters.EncodeToString(b[:])
}

// wellFormed reports whether a text has the form of a secret that begins with `tag`, and the right
// checksum.
func wellFormed(secret, tag string) bool {
	if len(secret) != secretLen || !strings.HasPrefix(secret, tag) {
		return false
	}
	cut := secretLen - sumLen
	return checksum(secret[:cut]) == secret[cut:]
}

// prefix returns the part of a well-formed secret that may be shown.
func prefix(secret string) string { return secret[:prefixLen] }

// Shown returns the part of a secret that may be shown. For a malformed secret, it returns "".
func Shown(secret string) string {
	if wellFormed(secret, keyTag) || wellFormed(secret, sessionTag) {
		return prefix(secret)
	}
	return ""
}

// digest returns the hash that the ledger stores in place of a secret.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Leaks reports whether a text contains a secret of this package, or the beginning of one. Callers keep
// such texts out of URLs and logs.
func Leaks(text string) bool { return shape.MatchString(text) }
