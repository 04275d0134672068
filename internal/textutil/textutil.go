// Package textutil has functions for texts and optional values. They make a text valid for the database,
// truncate a text, extract a host name, and convert between empty values and nil.
//
// The package depends on no domain and no language. Package words has the texts for users.
package textutil

import (
	"net"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Storable reports whether Postgres accepts a text: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Clean replaces each character that Postgres rejects with U+FFFD.
func Clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// Truncate shortens a text to at most `limit` bytes, without a partial character. It appends "…" to a
// shortened text.
func Truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// TruncateRunes shortens a text to at most `limit` characters, and appends "…" to a shortened text.
func TruncateRunes(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return string(r[:limit]) + "…"
}

// Optional returns a pointer to the value, or nil for the zero value.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Deref returns the value that p points to, or the zero value if p is nil.
func Deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Instant formats unix milliseconds as RFC 3339 in UTC, with milliseconds; nil for 0.
func Instant(ms int64) *string {
	if ms == 0 {
		return nil
	}
	return Optional(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// MaxLine is the maximum length of a text that IsLine accepts, in characters.
const MaxLine = 255

// IsLine reports whether a text is valid UTF-8 with at most MaxLine characters, and without control
// characters and line separators.
func IsLine(s string) bool {
	control := func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxLine && !strings.ContainsFunc(s, control)
}

// HostName returns the host of a Host header or of an address, in lower case. It removes the port, the
// brackets of an IPv6 address, and a dot at the end.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if name, ok := strings.CutSuffix(host, "."); ok && !strings.HasSuffix(name, ".") {
		return name
	}
	return host
}

// IsLoopbackHost reports whether a host, with or without a port, is a loopback address, localhost,
// or a name below it (RFC 6761).
func IsLoopbackHost(host string) bool {
	name := HostName(host)
	ip := net.ParseIP(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || ip != nil && ip.IsLoopback()
}
