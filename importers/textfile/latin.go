package textfile

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// alphabet holds the letters beyond ASCII of a language, in lower case.
type alphabet struct {
	charset string
	table   *charmap.Charmap
	letters string
}

// alphabets lists alphabets in order of preference: among equal scores, the first one wins.
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
	{macintosh, charmap.Macintosh, "áàâäãåçéèêëíìîïñóòôöõúùûüßøæœÿ"}, // Western
}

// macintosh is the character set of the classic Mac. Excel for Mac still uses it for "CSV
// (Macintosh)".
const macintosh = "macintosh"

// signs holds the signs beyond ASCII that are plausible between words in a text of any alphabet.
const signs = "\u00A0–—‘’‚“”„…€£°®©™«»‹›§·•²³½¼¾×±µªº¿¡\u00AD"

// single is a text whose characters have one byte each.
type single struct {
	text  []byte
	total int // bytes from 0x80 on
}

func countSingles(b []byte) *single {
	s := single{text: b}
	for _, c := range b {
		if c >= 0x80 {
			s.total++
		}
	}
	return &s
}

// insideWord reports whether a character is inside a word, by the bytes before and after the character.
func insideWord(before, behind byte) bool {
	high := func(c byte) bool { return c >= 0x80 && c != 0xA0 } // 0xA0 is a no-break space
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	return high(before) || high(behind) || letter(before) && letter(behind)
}

// share returns the share of the characters beyond ASCII that an alphabet explains, from 0 to 1.
func (s *single) share(a alphabet) float64 {
	if s.total == 0 {
		return 0
	}
	hits := 0
	var last rune
	for i, c := range s.text {
		r := a.table.DecodeByte(c)
		if c >= 0x80 && s.explained(a, i, last, r) {
			hits++
		}
		last = r
	}
	return float64(hits) / float64(s.total)
}

// explained reports whether the character r at index i is plausible in the language of an alphabet. A
// capital letter is not plausible after a small letter. A sign is plausible only between words, except an
// apostrophe that joins two words, as in L’Oréal.
func (s *single) explained(a alphabet, i int, last, r rune) bool {
	switch {
	case strings.ContainsRune(a.letters, unicode.ToLower(r)):
		return !unicode.IsUpper(r) || !unicode.IsLower(last)
	case !strings.ContainsRune(signs, r):
		return false
	case i == 0 || i+1 == len(s.text) || !insideWord(s.text[i-1], s.text[i+1]):
		return true
	}
	return r == '’' && elides(s.text, i)
}

// elides reports whether the apostrophe at an index joins two words: L’Oréal, don’t.
func elides(text []byte, i int) bool {
	if i < 2 || !letter(text[i-2]) {
		return true
	}
	end := i + 1
	for end < len(text) && letter(text[end]) {
		end++
	}
	switch strings.ToLower(string(text[i+1 : end])) {
	case "s", "t", "re", "ll", "ve":
		return true
	}
	return false
}

// letter reports whether a byte is an ASCII letter, or may be a letter beyond ASCII.
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 && c != 0xA0 }

// latin returns the Latin character sets with their scores, the best first. Character sets with equal
// scores are in the order of `alphabets`.
func (s *single) latin() []ranked {
	var list []ranked
	for _, a := range alphabets {
		list = rank(list, ranked{a.charset, s.share(a)})
	}
	return list
}
