package xlsx

import (
	"strconv"
	"strings"
)

// dateKind is the kind of date or time that a number format shows.
type dateKind uint8

const (
	notDate    dateKind  = iota
	dateFormat           // shows a day, perhaps with the time
	timeFormat           // shows a time of day only
	spanFormat           // shows elapsed hours, minutes or seconds
	maxFormats = 1 << 17 // Excel allows 65,490
)

// cellFormat is the effect of a cell style on a number.
type cellFormat struct {
	date  dateKind
	zeros int    // least number of shown digits; 0 without padding
	shape string // the format code if it shows other characters than the number has
}

// readStyles returns the format of each cell style of the workbook.
func readStyles(c *Container, name string) ([]cellFormat, error) {
	x, err := c.open(name)
	if err != nil {
		return nil, err
	}
	if err := x.enter("styleSheet"); err != nil {
		return nil, err
	}
	custom := map[string]cellFormat{}
	var formats []cellFormat
	inCells := false
	for {
		tok, err := x.next()
		if err != nil || tok == tokenEOF {
			return formats, err
		}
		switch name := string(local(x.name)); {
		case name == "cellXfs":
			inCells = tok == tokenStart
		case tok != tokenStart:
		case name == "numFmt" && len(custom) < maxFormats:
			custom[x.attr("numFmtId")] = formatOf(x.attr("formatCode"))
		case name == "xf" && inCells && len(formats) < maxFormats:
			formats = append(formats, formatNumbered(x.attr("numFmtId"), custom))
		}
	}
}

func formatNumbered(id string, custom map[string]cellFormat) cellFormat {
	if f, ok := custom[id]; ok {
		return f
	}
	n, err := strconv.Atoi(id)
	if err != nil {
		return cellFormat{}
	}
	return cellFormat{date: builtinKind(n)}
}

// formatOf analyzes a format code.
func formatOf(code string) cellFormat {
	f := cellFormat{date: formatKind(code)}
	if f.date == notDate {
		f.zeros, f.shape = digitShape(code)
	}
	return f
}

// builtinKind returns the date kind of a built-in format, which files name only by number. The
// numbers 27 to 36 and 50 to 58 are the dates of East Asian versions of Excel.
func builtinKind(id int) dateKind {
	switch {
	case id == 46:
		return spanFormat
	case id >= 18 && id <= 21, id == 45, id == 47:
		return timeFormat
	case id >= 14 && id <= 22, id >= 27 && id <= 36, id >= 50 && id <= 58:
		return dateFormat
	}
	return notDate
}

// formatKind returns the date kind of a format code such as `[$-409]d\-mmm\-yy;@`, from its first
// section.
func formatKind(code string) dateKind {
	letters, span := formatLetters(strings.ToLower(code))
	letters = strings.NewReplacer("s.000", "s", "s.00", "s", "s.0", "s").Replace(letters)
	switch {
	case strings.ContainsAny(letters, "0#?"):
		return notDate // digit placeholders: a number with a unit
	case span:
		return spanFormat
	case strings.ContainsAny(letters, "ydbg"):
		return dateFormat
	case strings.ContainsAny(letters, "hs"):
		return timeFormat
	case strings.Contains(letters, "m"):
		return dateFormat
	}
	return notDate
}

// formatLetters takes a format code in lower case. It returns the characters of the first section that
// are not quoted, not escaped and not in brackets. It leaves out General, E+ and E-. The result `span`
// reports whether the format shows elapsed time.
func formatLetters(code string) (letters string, span bool) {
	code = strings.NewReplacer("general", "", "e+", "", "e-", "").Replace(code)
	var out strings.Builder
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case ';':
			return out.String(), span
		case '\\', '_', '*':
			i++
		case '"':
			i += skipTo(code[i+1:], '"')
		case '[':
			n := skipTo(code[i+1:], ']')
			inner := strings.TrimSuffix(code[i+1:min(len(code), i+1+n)], "]")
			span = span || inner != "" && strings.Trim(inner, inner[:1]) == "" &&
				strings.Contains("hms", inner[:1])
			i += n
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), span
}

// skipTo returns the length of the text up to and including the first `c`, or the whole length if the text
// has no `c`.
func skipTo(s string, c byte) int {
	if i := strings.IndexByte(s, c); i >= 0 {
		return i + 1
	}
	return len(s)
}
