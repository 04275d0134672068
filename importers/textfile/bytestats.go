package textfile

import (
	"bytes"
	"unicode/utf8"
)

// byteStats holds numbers of bytes and characters by which guessCharset distinguishes character sets.
type byteStats struct {
	bytes, letters, control int
	high                    int // bytes from 0x80 on
	multi                   int // characters of several bytes in UTF-8
	broken                  int // bytes that are not UTF-8
	rare                    int // bytes that never occur in UTF-8 and rarely in Western words
	runs                    int // high bytes in runs of three or more: not Western

	evidence []byte // lines with high bytes
}

// maxEvidence is the number of bytes to which a stored line is cut. Once the stored lines together have
// this many bytes, no more lines are stored.
const maxEvidence = 32 << 10

// add counts the bytes of a piece of the file. The arguments cutFront and cutBack report that the file
// has more bytes before or after the piece. The piece may then begin or end inside a character.
func (t *byteStats) add(b []byte, cutFront, cutBack bool) {
	t.bytes += len(b)
	t.gather(b, cutFront, cutBack)
	t.runs += longRuns(b)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			front := cutFront && i < utf8.UTFMax-1 && !utf8.RuneStart(b[i])
			if !front && !(cutBack && !utf8.FullRune(b[i:])) {
				t.judge(b[i])
			}
			t.high++
		case n > 1:
			t.multi++
			t.high += n
		case r|0x20 >= 'a' && r|0x20 <= 'z':
			t.letters++
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			t.control++
		}
		i += n
	}
}

// judge counts a byte that is not part of valid UTF-8.
func (t *byteStats) judge(c byte) {
	t.broken++
	if c == 0xFF {
		t.rare++
	}
}

// longRuns returns the number of bytes from 0x80 on in sequences of three or more such bytes. A sequence
// at the end of the piece does not count.
func longRuns(b []byte) int {
	total, run := 0, 0
	for _, c := range b {
		if c >= utf8.RuneSelf {
			run++
			continue
		}
		if run >= 3 {
			total += run
		}
		run = 0
	}
	return total
}

// gather stores the lines of a piece that have bytes from 0x80 on. It leaves out lines that are cut
// off at the front. It keeps a line that is cut off at the back only if no line is stored yet.
func (t *byteStats) gather(b []byte, cutFront, cutBack bool) {
	if cutFront {
		_, b, _ = cutLine(b)
	}
	for len(b) > 0 && len(t.evidence) < maxEvidence {
		line, rest, ended := cutLine(b)
		if cutBack && !ended && len(t.evidence) > 0 {
			break
		}
		line = line[:min(len(line), maxEvidence)]
		if bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			t.evidence = append(append(t.evidence, line...), '\n')
		}
		b = rest
	}
}

// cutLine splits a text around its first CR or LF, and reports whether there is one.
func cutLine(b []byte) (line, rest []byte, ended bool) {
	if i := bytes.IndexAny(b, "\r\n"); i >= 0 {
		return b[:i], b[i+1:], true
	}
	return b, nil, false
}
