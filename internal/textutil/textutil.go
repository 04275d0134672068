// Package textutil has what several packages do with texts and optional values:
// make a text fit for the database, truncate it, turn an empty value into nil and
// back.
//
// It knows no domain and no language: package words has what is read by people.
package textutil

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Storable reports whether Postgres takes a text: it has neither NUL nor broken
// UTF-8.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Clean returns the text with U+FFFD for what Postgres does not take.
func Clean(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// Truncate returns at most so many bytes of a text, at a whole character; "…" follows
// them if there was more.
func Truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// TruncateRunes is Truncate for a number of characters.
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
