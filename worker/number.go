package worker

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// maxDigits bounds a number in a cell, so that no exponent or endless digits
// cost memory.
const maxDigits = 100

// numberRule is how the numbers of a column are written. The zero value is a
// point before the decimals and nothing between the digits: "1,234" means two
// things in two countries, and is refused.
type numberRule struct {
	decimal string   // before the decimals; empty: a point
	group   string   // between groups of three digits; empty: none
	units   []string // may stand before or behind; % divides by a hundred
	like    string   // an example, empty without a locale
}

// numberCell reads the tags locale and unit.
func numberCell(name string, sf reflect.StructField, set func(reflect.Value, string) *refusal) cell {
	r := &numberRule{}
	if locale := sf.Tag.Get("locale"); locale != "" {
		r.learn(locale)
	}
	if unit := sf.Tag.Get("unit"); unit != "" {
		r.units = strings.Split(unit, "|")
	}
	read := func(v reflect.Value, text string) *refusal {
		plain, no := r.read(text)
		if no != nil {
			return no
		}
		return set(v, plain)
	}
	return cell{name: name, code: CodeInvalidNumber, set: read, like: r.like, number: r}
}

// learn takes the signs of a locale from how it writes a number.
func (r *numberRule) learn(locale string) {
	tag, err := language.Parse(locale)
	if err != nil {
		panic(fmt.Sprintf("worker: locale %q: %v", locale, err))
	}
	r.like = message.NewPrinter(tag).Sprint(number.Decimal(1234.5))
	long := message.NewPrinter(tag).Sprint(number.Decimal(1234567.5))
	before, rest, _ := strings.Cut(long, "234")
	group, decimals, _ := strings.Cut(rest, "567")
	r.group, r.decimal = group, strings.TrimSuffix(decimals, "5")
	if before != "1"+group || r.decimal == "" || r.group == r.decimal || group == "" {
		panic(fmt.Sprintf("worker: the numbers of the locale %q, such as %s, are not read here", locale, long))
	}
}

// read turns a text into digits with a point; why not, if it is no number.
func (r *numberRule) read(text string) (plain string, no *refusal) {
	sign, digits, unit := r.strip(text)
	if r.decimal != "" {
		var ok bool
		if digits, ok = r.ungroup(digits); !ok {
			return "", r.complain(text, digits)
		}
	}
	if len(digits) > maxDigits {
		return "", refuse("number.long", "n", strconv.Itoa(maxDigits))
	}
	if !plainDigits(digits) {
		return "", r.complain(text, digits)
	}
	if unit == "%" {
		digits = hundredth(digits)
	}
	return sign + digits, nil
}

// hundredth is a number by a hundred: what a spreadsheet holds for a percentage.
func hundredth(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	whole = "00" + whole
	return whole[:len(whole)-2] + "." + whole[len(whole)-2:] + rest
}

// strip takes the sign and one unit from a text.
func (r *numberRule) strip(text string) (sign, rest, unit string) {
	sign, rest = signOf(text)
	for _, u := range r.units {
		cut, ok := strings.CutPrefix(rest, u)
		if !ok {
			cut, ok = strings.CutSuffix(rest, u)
		}
		if ok {
			rest, unit = strings.TrimSpace(cut), u
			break
		}
	}
	if sign == "" {
		sign, rest = signOf(rest)
	}
	return sign, rest, unit
}

// signOf cuts a sign; a plus is none.
func signOf(text string) (sign, rest string) {
	for _, minus := range []string{"-", "\u2212"} {
		if rest, ok := strings.CutPrefix(text, minus); ok {
			return "-", rest
		}
	}
	return "", strings.TrimPrefix(text, "+")
}

// ungroup writes digits of the locale with a point and without groups. False
// if a group has not three digits.
func (r *numberRule) ungroup(digits string) (string, bool) {
	whole, decimals, point := strings.Cut(digits, r.decimal)
	groups := strings.FieldsFunc(whole, r.isGroup)
	if n := len(groups); n > 1 {
		for i, g := range groups {
			if len(g) > 3 || i > 0 && len(g) < 3 {
				return digits, false
			}
		}
		if strings.Count(strings.Map(r.mark, whole), "_") != n-1 {
			return digits, false
		}
		whole = strings.Join(groups, "")
	}
	if !point {
		return whole, strings.IndexFunc(whole, r.isGroup) < 0
	}
	return whole + "." + decimals, strings.Trim(decimals, "0123456789") == ""
}

// isGroup tells whether a character separates groups: any blank does where the
// locale has one of them.
func (r *numberRule) isGroup(c rune) bool {
	if strings.TrimFunc(r.group, unicode.IsSpace) == "" {
		return unicode.IsSpace(c)
	}
	return string(c) == r.group || r.group == "’" && c == '\''
}

func (r *numberRule) mark(c rune) rune {
	if r.isGroup(c) {
		return '_'
	}
	return c
}

// plainDigits tells whether text is digits with at most one point.
func plainDigits(text string) bool {
	whole, rest, _ := strings.Cut(text, ".")
	return text != "" && text != "." && strings.Trim(whole, "0123456789") == "" &&
		strings.Trim(rest, "0123456789") == ""
}

// complain says why a text is refused.
func (r *numberRule) complain(text, digits string) *refusal {
	switch {
	case strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")"):
		return refuse("number.brackets")
	case strings.IndexFunc(text, isMark) >= 0:
		return refuse("number.mark")
	case exponent(digits):
		return refuse("number.exponent")
	case r.like != "":
		return refuse("number.like", "example", r.like)
	case strings.Contains(text, ","):
		return refuse("number.comma")
	}
	return refuse("number")
}

func isMark(c rune) bool { return c == '%' || c == '‰' || unicode.Is(unicode.Sc, c) }

// exponent tells whether text is a number in scientific notation.
func exponent(text string) bool {
	mantissa, power, ok := strings.Cut(strings.ToUpper(text), "E")
	_, power = signOf(power)
	return ok && plainDigits(mantissa) && power != "" && strings.Trim(power, "0123456789") == ""
}

// local writes a plain number as the column writes it.
func (r *numberRule) local(plain string) string {
	if r.decimal == "" {
		return plain
	}
	return strings.Replace(plain, ".", r.decimal, 1)
}

func setDecimal(v reflect.Value, plain string) *refusal {
	d, err := decimal.NewFromString(plain)
	if err != nil {
		return refuse("number")
	}
	v.Set(reflect.ValueOf(d))
	return nil
}

func setFloat(v reflect.Value, plain string) *refusal {
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return refuse("number")
	}
	v.SetFloat(f)
	return nil
}

func setInt(v reflect.Value, plain string) *refusal {
	whole, rest, _ := strings.Cut(plain, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(rest, "0") != "" || v.OverflowInt(n) {
		return refuse("integer")
	}
	v.SetInt(n)
	return nil
}

// Local is a plain number, such as a workbook or JSON holds, as a person writes
// it in this column: with the comma of a German one. Texts of other columns
// stay as they are. Params and cells of text hold numbers so.
func (f *Field) Local(plain string) string {
	if f.cell.number == nil || f.cell.number.decimal == "" {
		return plain
	}
	return f.cell.number.local(plain)
}
