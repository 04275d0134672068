package xlsx

import "strings"

// minZeros is the least number of zeros in a format for codes of digits, such as postal codes. Most other
// formats have at most one zero.
const minZeros = 2

// digitShape analyzes the first section of a format code for numbers. If the section consists of two or
// more zeros, such as 00000, the result `zeros` is their number. The result `shape` is the format code if
// the section adds characters to padded digits, such as "A-"0000. `shape` is also the format code if the
// section adds a hyphen between digits, as in 000-00-0000.
func digitShape(code string) (zeros int, shape string) {
	digits, literals, between := sectionShape(code)
	whole := digits == "" || strings.ContainsAny(digits, ".,%eE@*/")
	run := strings.Count(digits, "0")
	switch {
	case whole:
		return 0, ""
	case run >= minZeros && strings.Trim(digits, "0") == "" && literals == 0:
		return run, ""
	case run >= minZeros && literals > 0, between:
		return 0, code
	}
	return 0, ""
}

// sectionShape analyzes the first section of a format code. It returns the characters 0#?.,%eE@*/ that are
// not quoted, escaped or in brackets, and the number of literal characters. The result `between` reports
// whether a hyphen is between two digits.
func sectionShape(code string) (digits string, literals int, between bool) {
	var out strings.Builder
	hyphen := false
	literal := func(c byte) {
		literals++
		hyphen = hyphen || c == '-' && out.Len() > 0
	}
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch c := code[i]; {
		case c == '"':
			n := skipTo(code[i+1:], '"')
			for _, inner := range []byte(code[i+1 : i+n]) {
				literal(inner)
			}
			i += n
		case c == '[':
			i += skipTo(code[i+1:], ']')
		case c == '_':
			i++ // a gap as wide as the next character
		case c == '\\' && i+1 < len(code):
			i++
			literal(code[i])
		case strings.IndexByte("0#?.,%eE@*/", c) >= 0:
			between = between || hyphen && strings.IndexByte("0#?", c) >= 0
			out.WriteByte(c)
		default:
			literal(c)
		}
	}
	return out.String(), literals, between
}
