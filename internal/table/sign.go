package table

import "unicode/utf8"

// sign holds the properties of a byte for the writer of a text file.
type sign uint8

const (
	quoted sign = 1 << iota // the text needs quotes
	wide                    // the byte is not ASCII
)

// signsOf returns the signs of all bytes in a file with this delimiter.
func signsOf(comma byte) (of [256]sign) {
	for _, c := range []byte{comma, '"', '\n', '\r'} {
		of[c] |= quoted
	}
	for c := utf8.RuneSelf; c < len(of); c++ {
		of[c] |= wide
	}
	return of
}

// signsIn returns the signs of all bytes of a text together.
func (r *Rows) signsIn(s string) (found sign) {
	for i := range len(s) {
		found |= r.signs[s[i]]
	}
	return found
}
