package review

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// numberIn matches a number, which may have separators between its digits, and a currency or a unit
// before or after it.
var numberIn = regexp.MustCompile(`^([^\d+-]*)([+-]?\d[\d.,' \x{a0}\x{202f}]*)([^\d]*)$`)

// units are the currencies and units that plainNumber removes, in lower case. plainNumber also removes any
// currency sign.
var units = func() map[string]bool {
	out := map[string]bool{"": true}
	for name := range strings.FieldsSeq(`
		eur euro usd us$ gbp chf fr sfr cny rmb jpy yen rub rur uah kzt byn pln zł czk kč huf ft ron lei bgn лв sek nok dkk kr
		try tl inr rs vnd vnđ đ đồng dong thb krw sgd s$ hkd hk$ twd nt$ idr rp myr rm php aud a$ nzd cad c$ brl r$ mxn zar aed
		руб рубль рубля рублей р грн тг тенге 元 人民币 円 원
		pcs pc pce piece pieces ea each x stk st stück stuck шт cái chiếc 个 件 只 台 box boxes
		kg g mg t lb lbs oz кг г т 公斤 千克 克 l ml л мл m cm mm km м см мм км ft in % ‰ h min s ч мин`) {
		out[name] = true
	}
	return out
}()

// isUnit reports whether a text around a number is a known currency or unit, or empty.
func isUnit(text string) bool {
	text = strings.ToLower(strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '.' || r == ',' }))
	sign, size := utf8.DecodeRuneInString(text)
	return units[text] || unicode.Is(unicode.Sc, sign) && size == len(text)
}

// plainNumber returns the number in a text without its unit and separators, with a point before the
// decimals. It returns nil if the column takes no numbers, or if the text is not one number with known
// units around it. It also returns nil if it is unclear whether a separator stands before decimals or
// before thousands.
func plainNumber(f *rowschema.Field, text string) *Suggestion {
	if f.Type != "number" && f.Type != "integer" {
		return nil
	}
	m := numberIn.FindStringSubmatch(text)
	if m == nil || !isUnit(m[1]) || !isUnit(strings.TrimLeft(m[3], "-–—")) {
		return nil
	}
	digits := strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' {
			return -1
		}
		return r
	}, m[2]), ".,")
	whole, decimals, ok := splitNumber(digits)
	if !ok {
		return nil
	}
	why := Unit
	if strings.Contains(digits, ",") {
		why = Comma
	}
	if decimals != "" {
		whole += "." + decimals
	}
	return &Suggestion{With: whole, Why: why}
}

// splitNumber splits digits at the separator before the decimals. The result `ok` is false if it is
// unclear which separator that is.
func splitNumber(digits string) (whole, decimals string, ok bool) {
	last := strings.LastIndexAny(digits, ".,")
	if last < 0 {
		return digits, "", true
	}
	mark := digits[last : last+1]
	other := strings.Trim(".,", mark)
	whole, decimals = digits[:last], digits[last+1:]
	switch {
	case strings.Contains(whole, mark):
		return "", "", false // the separator occurs several times: thousands, or a date
	case len(decimals) == 3 && !strings.Contains(whole, other):
		return "", "", false // 1,234 may have thousands or decimals
	}
	return strings.ReplaceAll(whole, other, ""), decimals, true
}

// dateLayouts are the layouts of dates that can be read in only one way.
var dateLayouts = []string{
	"2.1.2006", "2006/1/2", "2006.1.2", "20060102", "2006-1-2", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006",
	"2006-01-02 15:04:05", time.RFC3339,
}

var yearMonthDay = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)

// plainDate returns the date of a text in the layout of its column. For 2026-02-30 and other days up to 31
// that the month lacks, it returns the last day of the month. It returns nil for texts that are no date, and
// if the column takes no dates.
func plainDate(f *rowschema.Field, text string) *Suggestion {
	if f.Type != "date" {
		return nil
	}
	layout := time.DateOnly
	if len(f.Formats) > 0 {
		layout = f.Formats[0]
	}
	text = strings.TrimSpace(text)
	for _, l := range dateLayouts {
		if at, err := time.Parse(l, text); err == nil {
			return &Suggestion{With: at.Format(layout), Why: Layout}
		}
	}
	if m := yearMonthDay.FindStringSubmatch(text); m != nil {
		first, err := time.Parse("2006-1", m[1]+"-"+m[2])
		if err == nil && len(m[3]) == 2 && m[3] > "28" && m[3] <= "31" {
			return &Suggestion{With: first.AddDate(0, 1, -1).Format(layout), Why: LastDay}
		}
	}
	return nil
}
