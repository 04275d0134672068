package resultfile

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// Restore returns a text without the escapes that result files contain. The argument `encoding` is the
// character set of the file. If it is "" or a form of UTF, the file has no references such as "&#1078;",
// and Restore leaves them unchanged.
func Restore(text, encoding string) string {
	if encoding != "" && !strings.HasPrefix(encoding, "utf-") {
		text = restoreLetters(text)
	}
	return table.Unguard(text)
}

// restoreLetters replaces references such as "&#1078;" by their letters. A result file contains references
// for letters that its character set lacks.
func restoreLetters(s string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&#")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		digits, after, closed := strings.Cut(rest, ";")
		n, err := strconv.ParseInt(digits, 10, 32)
		if !closed || err != nil || n < utf8.RuneSelf || !utf8.ValidRune(rune(n)) {
			out.WriteString("&#")
			s = rest
			continue
		}
		out.WriteRune(rune(n))
		s = after
	}
}
