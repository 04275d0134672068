package table

import "unicode/utf8"

// traits is a set of properties of a byte in a text file.
type traits uint8

const (
	quoted traits = 1 << iota // the text needs quotes
	wide                      // the byte is not ASCII
)

// traitsOf returns the properties of each byte in a file with the delimiter `comma`.
func traitsOf(comma byte) (of [256]traits) {
	for _, c := range []byte{comma, '"', '\n', '\r'} {
		of[c] |= quoted
	}
	for c := utf8.RuneSelf; c < len(of); c++ {
		of[c] |= wide
	}
	return of
}

// traitsIn returns the properties that any byte of a text has.
func (r *Rows) traitsIn(s string) (found traits) {
	for i := range len(s) {
		found |= r.traits[s[i]]
	}
	return found
}
