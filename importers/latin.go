package importers

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// alphabet is the letters beyond ASCII that a language writes, in lower case.
type alphabet struct {
	charset string
	table   *charmap.Charmap
	letters string
}

// alphabets are in the order in which they win a draw.
var alphabets = []alphabet{
	{"windows-1252", charmap.Windows1252, "äöüßéèà"},          // German
	{"windows-1252", charmap.Windows1252, "àâæçéèêëîïôœùûüÿ"}, // French
	{"windows-1252", charmap.Windows1252, "áéíñóúüç"},         // Spanish
	{"windows-1252", charmap.Windows1252, "áâãàçéêíóôõúü"},    // Portuguese
	{"windows-1252", charmap.Windows1252, "àèéìíîòóùú"},       // Italian
	{"windows-1252", charmap.Windows1252, "éèëïóöüáê"},        // Dutch
	{"windows-1252", charmap.Windows1252, "åäöéüøæ"},          // Scandinavian, Finnish
	{"windows-1252", charmap.Windows1252, "àçèéíïòóúü"},       // Catalan
	{"windows-1250", charmap.Windows1250, "ąćęłńóśźż"},        // Polish
	{"windows-1250", charmap.Windows1250, "áčďéěíňóřšťúůýž"},  // Czech
	{"windows-1250", charmap.Windows1250, "áäčďéíľňóôšťúýž"},  // Slovak
	{"windows-1250", charmap.Windows1250, "áéíóöőúüű"},        // Hungarian
	{"windows-1250", charmap.Windows1250, "ăâîşţ"},            // Romanian
	{"windows-1250", charmap.Windows1250, "čćđšž"},            // Croatian, Serbian, Slovene
	{"windows-1254", charmap.Windows1254, "çğıiöşüâîû\u0307"}, // Turkish
	{"windows-1257", charmap.Windows1257, "ąčęėįšųūž"},        // Lithuanian
	{"windows-1257", charmap.Windows1257, "āčēģīķļņšūž"},      // Latvian
	{"windows-1257", charmap.Windows1257, "äõöüšž"},           // Estonian
	{"windows-1252", charmap.Windows1252, "áéíóúýþæöð"},       // Icelandic
	{"windows-1258", charmap.Windows1258, "ăâđêôơưàáèéíóùú\u0300\u0301\u0303\u0309\u0323"},
}

// marks stand between words in any language.
const marks = "\u00A0–—‘’‚“”„…€£°®©™«»‹›§·•²³½¼¾×±µªº¿¡\u00AD"

// single counts the bytes from 0x80 on of a text.
type single struct {
	all    [256]int // by byte
	inside [256]int // those of them inside of words
	total  int
}

func countSingles(b []byte) *single {
	var s single
	for i, c := range b {
		if c < 0x80 {
			continue
		}
		s.all[c]++
		s.total++
		if i > 0 && i+1 < len(b) && within(b[i-1], b[i+1]) {
			s.inside[c]++
		}
	}
	return &s
}

// within tells whether what stands between two bytes is inside a word.
func within(before, behind byte) bool {
	high := func(c byte) bool { return c >= 0x80 && c != 0xA0 } // a blank that does not break
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	return high(before) || high(behind) || letter(before) && letter(behind)
}

// share is how much of the text an alphabet explains, from 0 to 1.
func (s *single) share(a alphabet) float64 {
	if s.total == 0 {
		return 0
	}
	hits := 0
	for c := 0x80; c < 0x100; c++ {
		if s.all[c] == 0 {
			continue
		}
		r := a.table.DecodeByte(byte(c))
		switch {
		case strings.ContainsRune(a.letters, unicode.ToLower(r)):
			hits += s.all[c]
		case strings.ContainsRune(marks, r):
			hits += s.all[c] - s.inside[c]
		}
	}
	return float64(hits) / float64(s.total)
}

// latin tells how well each Latin character set explains the text, the best
// first; of equal ones the first of alphabets.
func (s *single) latin() []ranked {
	var list []ranked
	for _, a := range alphabets {
		list = rank(list, ranked{a.charset, s.share(a)})
	}
	return list
}
