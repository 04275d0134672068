package textfile

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// westernWins reports whether a text that fits several character sets is in windows-1252. It returns
// false unless windows-1252 is the first of them. It checks each letter in which the character sets
// differ, and returns true if all these letters are plausible in a Western language. An example is ñ
// before a vowel, where Polish has no ń.
func westernWins(text []byte, names []string) bool {
	if names[0] != "windows-1252" {
		return false
	}
	for i, c := range text {
		if c >= 0x80 && differs(c, names[1:]) && !westernAt(text, i) {
			return false
		}
	}
	return true
}

// differs reports whether a character set in `names` decodes a byte differently from windows-1252.
func differs(c byte, names []string) bool {
	want := charmap.Windows1252.DecodeByte(c)
	for _, a := range alphabets {
		for _, name := range names {
			if a.charset == name && a.table.DecodeByte(c) != want {
				return true
			}
		}
	}
	return false
}

// westernAt reports whether the neighbors of a letter are typical of Western languages. It returns false
// if they are also typical of a language whose character set has another letter for this byte.
func westernAt(text []byte, i int) bool {
	before, behind := around(text, i)
	vowel := func(r rune) bool { return strings.ContainsRune("aeiouyáéíóúãõ", r) }
	consonant := func(r rune) bool { return unicode.IsLetter(r) && !vowel(r) }
	switch unicode.ToLower(charmap.Windows1252.DecodeByte(text[i])) {
	case 'á', 'í', 'ó', 'ú', 'å', 'ä', 'ö', 'ü', 'é':
		return true
	case 'ë':
		return vowel(before)
	case 'ñ':
		return vowel(behind)
	case 'ç':
		return strings.ContainsRune("aouãõ", behind)
	case 'è':
		return (consonant(before) || before == 'i' || before == 'u') && consonant(behind) && behind != 'k'
	case 'ø':
		return consonant(before) && consonant(behind)
	case 'ã':
		return behind == 'o' || behind == 'e'
	case 'õ':
		return behind == 'e'
	case 'ï':
		return vowel(before) && unicode.IsLetter(behind)
	}
	return false
}

// around returns the characters before and after an index, in lower case. It returns 0 beyond the ends of
// the text.
func around(text []byte, i int) (before, behind rune) {
	small := func(c byte) rune { return unicode.ToLower(charmap.Windows1252.DecodeByte(c)) }
	if i > 0 {
		before = small(text[i-1])
	}
	if i+1 < len(text) {
		behind = small(text[i+1])
	}
	return before, behind
}
