package table

import "unicode/utf8"

// sign is a set of properties of a byte in a text file.
type sign uint8

const (
	quoted sign = 1 << iota // the text needs quotes
	wide                    // the byte is not ASCII
)

// signsOf returns the properties of each byte in a file with the delimiter `comma`.
func signsOf(comma byte) (of [256]sign) {
	for _, c := range []byte{comma, '"', '\n', '\r'} {
		of[c] |= quoted
	}
	for c := utf8.RuneSelf; c < len(of); c++ {
		of[c] |= wide
	}
	return of
}

// signsIn returns the properties that any byte of a text has.
func (r *Rows) signsIn(s string) (found sign) {
	for i := range len(s) {
		found |= r.signs[s[i]]
	}
	return found
}
