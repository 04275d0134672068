// Package textutil holds helpers for texts and optional values: it makes a text valid for the
// database, truncates it, and converts between empty values and nil.
//
// It depends on no domain and no language; package words holds texts for users.
package textutil

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Storable reports whether Postgres accepts a text: valid UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Clean replaces each character that Postgres rejects with U+FFFD.
func Clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// Truncate returns the first bytes of a text, at most so many, without a partial character. It
// appends "…" to a truncated text.
func Truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// TruncateRunes truncates a text to a number of characters, like Truncate.
func TruncateRunes(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}

// Optional returns nil for the zero value, else a pointer to the value.
func Optional[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// Deref returns the value, or the zero value for nil.
func Deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Instant returns unix milliseconds in RFC 3339, UTC, to the millisecond; nil for 0.
func Instant(ms int64) *string {
	if ms == 0 {
		return nil
	}
	return Optional(time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// MaxLine is the most characters that IsLine accepts.
const MaxLine = 255

// IsLine reports whether a text is one line of at most MaxLine valid characters.
func IsLine(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxLine && !strings.ContainsFunc(s, control)
}
