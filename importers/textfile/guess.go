package textfile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/wlynxg/chardet"
)

// ranked is a possible character set of a text, with its score.
type ranked struct {
	name  string
	score float64 // from 0 to 1
}

// rank inserts a character set into a list that is sorted by score, the best first. If the list already has
// this name, only the entry with the better score stays.
func rank(list []ranked, r ranked) []ranked {
	for i, other := range list {
		if other.name == r.name {
			if other.score >= r.score {
				return list
			}
			list = slices.Delete(list, i, i+1)
			break
		}
	}
	at := len(list)
	for at > 0 && list[at-1].score < r.score {
		at--
	}
	return slices.Insert(list, at, r)
}

// These are the thresholds of the guess. If no character set reaches them, the user chooses one.
const (
	latinSure  = 0.95 // share of the letters that belong to one language
	draw       = 0.05 // greatest difference of scores that count as equal
	latinMixed = 0.75 // like latinSure, if no other character set explains as many
	otherSure  = 0.8  // confidence of the detector
	otherAhead = 0.3  // least difference to the score of the next candidate
	otherAlone = 0.6  // confidence without a next candidate, if characters have several bytes
	fewest     = 12   // fewest characters beyond ASCII that count as evidence
	possible   = 0.2  // least score of an offered candidate
)

// guessed returns the character set of a text that is not Unicode, from lines with bytes beyond ASCII. If
// no character set is certain, it returns "" and the candidates, the likeliest first.
func guessed(evidence []byte, western bool) (name string, candidates []string) {
	latin := countSingles(evidence).latin()
	other := detected(evidence)
	switch {
	case latin[0].score >= latinSure && (western || len(other) == 0 && latin[0].name != macintosh):
		if rivals := rivals(evidence, latin); len(rivals) > 1 && !westernWins(evidence, rivals) {
			return "", rivals
		}
		return latin[0].name, nil
	case isCertain(other):
		return other[0].name, nil
	case western && latin[0].score >= latinMixed && latin[0].name == "windows-1252" &&
		latin[1].score < latin[0].score:
		return latin[0].name, nil
	}
	return "", possibles(evidence, latin, other, western)
}

// possibles returns up to five likely character sets of a text, the likeliest first. If it finds none, it
// returns the entries of multiByte and singleByte in which the text is plausible.
func possibles(evidence []byte, latin, other []ranked, western bool) (names []string) {
	for _, r := range latin {
		if western || r.score >= latinSure {
			other = rank(other, r)
		}
	}
	for _, r := range other[:min(len(other), 5)] {
		if r.score >= possible {
			names = append(names, r.name)
		}
	}
	if len(names) > 0 {
		return names
	}
	for _, name := range slices.Concat(multiByte, singleByte) {
		if l := countCharacters(decoded(evidence, name)); l.credible() {
			names = append(names, name)
		}
	}
	return names
}

// isCertain reports whether the first candidate of a list is certainly the character set of the
// text.
func isCertain(list []ranked) bool {
	switch len(list) {
	case 0:
		return false
	case 1:
		return list[0].score >= otherSure ||
			list[0].score >= otherAlone && slices.Contains(multiByte, list[0].name)
	}
	return list[0].score >= otherSure && list[0].score-list[1].score >= otherAhead
}

// scripts maps names of non-Latin character sets from the detector to WHATWG names. It replaces some ISO
// character sets by similar ones of Windows.
var scripts = map[string]string{
	"WINDOWS-1251": "windows-1251", "KOI8-R": "koi8-r", "ISO-8859-5": "iso-8859-5",
	"IBM866":       "ibm866",
	"WINDOWS-1253": "windows-1253", "ISO-8859-7": "windows-1253",
	"WINDOWS-1255": "windows-1255", "ISO-8859-8": "windows-1255",
	"TIS-620": "windows-874", "ISO-8859-11": "windows-874",
	"SHIFT_JIS": "shift_jis", "CP932": "shift_jis", "EUC-JP": "euc-jp",
	"EUC-KR": "euc-kr", "CP949": "euc-kr", "GB2312": "gb18030", "GBK": "gb18030",
	"GB18030": "gb18030", "BIG5": "big5",
}

// multiByte lists the character sets with characters of more than one byte.
var multiByte = []string{"shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"}

// singleByte lists some non-Latin character sets with characters of one byte.
var singleByte = []string{"windows-1251", "windows-1253", "windows-1255", "windows-1256"}

// detected returns the character sets that package chardet suggests and in which the text is plausible, the
// best first. It leaves out character sets that are missing in `scripts`.
func detected(evidence []byte) []ranked {
	var list []ranked
	for _, r := range chardet.DetectAll(evidence) {
		name := scripts[strings.ToUpper(r.Encoding)]
		if name == "" {
			continue
		}
		if l := countCharacters(decoded(evidence, name)); l.credible() {
			list = rank(list, ranked{name, l.weigh(name, r.Confidence)})
		}
	}
	return list
}

// characterCounts holds numbers of characters that show whether a text was decoded correctly.
type characterCounts struct {
	high   int // characters beyond ASCII
	broken int // of these, characters that no text has
	odd    int // of these, characters that cannot follow the previous character
	kana   int // of these, characters that only Japanese has
}

func countCharacters(text string) (l characterCounts) {
	var last rune
	for _, r := range text {
		switch {
		case r < 0x80:
		case r == unicode.ReplacementChar, unicode.IsControl(r), unicode.Is(unicode.Co, r):
			l.broken++
		case oddBehind(last, r):
			l.odd++
		case r >= 0x3041 && r <= 0x30FE:
			l.kana++
		}
		if r >= 0x80 {
			l.high++
		}
		last = r
	}
	return l
}

// credible reports whether the decoded text consists of plausible words.
func (l characterCounts) credible() bool {
	return l.high > 0 && l.odd*10 <= l.high && l.broken*200 <= l.high
}

// weigh corrects the detector's confidence. It lowers the confidence for fewer than `fewest` characters
// beyond ASCII, and prefers Japanese for a text with kana.
func (l characterCounts) weigh(name string, confidence float64) float64 {
	japanese := name == "shift_jis" || name == "euc-jp"
	switch {
	case l.high < fewest:
		return min(confidence, otherAlone-possible)
	case l.kana*10 < l.high:
		return confidence
	case japanese:
		return max(confidence, 0.95)
	}
	return min(confidence, 0.95-otherAhead)
}

// oddBehind reports whether the character `r` is unlikely directly after the character `last`.
func oddBehind(last, r rune) bool {
	switch {
	case unicode.IsUpper(r):
		return unicode.IsLower(last)
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return false
	}
	return last >= 0x80 && unicode.IsLetter(last) && !strings.ContainsRune(signs, r) &&
		(r < 0x2000 || r >= 0x2500 && r < 0x25A0) // a sign, or a line of a drawing
}

// rivals returns the names of the likeliest character sets of a sorted list, beginning with the first.
// Another character set is included if it decodes the text differently from the first, and its score is
// lower by at most `draw`. macintosh is included only if it is the first.
func rivals(evidence []byte, list []ranked) []string {
	names := []string{list[0].name}
	text := decoded(evidence, list[0].name)
	for _, r := range list[1:] {
		if r.name != macintosh && r.score >= list[0].score-draw && decoded(evidence, r.name) != text {
			names = append(names, r.name)
		}
	}
	return names
}

// decoded returns the text decoded from the named character set, or "" if that is not possible.
func decoded(b []byte, name string) string {
	set, err := named(name, 0)
	if err != nil || set.encoding == nil {
		return ""
	}
	text, err := set.encoding.NewDecoder().Bytes(b)
	if err != nil {
		return ""
	}
	return string(text)
}
