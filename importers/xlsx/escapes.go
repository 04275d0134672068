package xlsx

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeLen is the length of "_x000D_".
const escapeLen = 7

// decodeEscapes decodes escapes in b[from:]. Workbooks use them for characters that XML cannot
// contain: "_x000D_" is a carriage return and "_x005F_" an underscore. Other text stays unchanged.
func decodeEscapes(b []byte, from int) []byte {
	i := bytes.Index(b[from:], []byte("_x"))
	if i < 0 {
		return b
	}
	out := b[:from+i] // never longer than the read text
	for rest := b[from+i:]; len(rest) > 0; {
		r, n := escape(rest)
		if n == 0 {
			out = append(out, rest[0])
			rest = rest[1:]
			continue
		}
		rest = rest[n:]
		out = utf8.AppendRune(out, r)
	}
	return out
}

// escape decodes the escape at the start of `b`, or two escapes that form a surrogate pair. It returns the
// character and the number of decoded bytes. This number is 0 if `b` does not begin with a valid escape.
func escape(b []byte) (rune, int) {
	r, ok := escapeUnit(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, escapeLen
	}
	low, ok := escapeUnit(b[escapeLen:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 2 * escapeLen
	}
	return 0, 0
}

func escapeUnit(b []byte) (rune, bool) {
	if len(b) < escapeLen || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
