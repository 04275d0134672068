package importers

import "unicode/utf8"

// tally counts what tells character sets apart.
type tally struct {
	bytes, letters, control int
	high                    int // bytes from 0x80 on
	multi                   int // characters of several bytes in UTF-8
	broken                  int // bytes that are no UTF-8
	undefined               int // bytes that windows-1252 does not have
	rare                    int // bytes that no UTF-8 has and few Western words
	runs                    int // high bytes in runs of three or more: not Western
}

// add looks at a piece of the file, which may begin or end inside a character.
func (t *tally) add(b []byte, cutFront, cutBack bool) {
	t.bytes += len(b)
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

// judge counts a byte that is no UTF-8.
func (t *tally) judge(c byte) {
	t.broken++
	switch c {
	case 0x81, 0x8D, 0x8F, 0x90, 0x9D:
		t.undefined++
	case 0xFE, 0xFF:
		t.rare++
	}
}

// longRuns counts the high bytes that stand in runs of three or more.
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
