package rowschema

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

// maxDigits is how many characters a number in a cell may have without sign, unit and group separators.
// The limit bounds the memory for the conversion of a number.
const maxDigits = 100

// numberRule is the notation of the numbers of a column. The zero value means a decimal
// point and no group separator: "1,234" is ambiguous, and rejected.
type numberRule struct {
	decimal string   // decimal separator; empty means a point
	group   string   // separator of groups of three digits; empty means none
	units   []string // allowed before or after the number; % divides by a hundred
	like    string   // an example, empty without a locale
}

// numberCell returns the conversion of the cells of a number column, by the struct tags `locale` and
// `unit`.
func numberCell(name string, sf reflect.StructField, set func(reflect.Value, string) *refusal) cell {
	r := &numberRule{}
	if locale := sf.Tag.Get("locale"); locale != "" {
		r.learn(locale)
	}
	if unit := sf.Tag.Get("unit"); unit != "" {
		r.units = strings.Split(unit, "|")
	}
	read := func(v reflect.Value, text string) *refusal {
		plain, refused := r.read(text)
		if refused != nil {
			return refused
		}
		return set(v, plain)
	}
	return cell{name: name, code: CodeInvalidNumber, set: read, like: r.like, number: r}
}

// learn sets the separators that a locale uses in numbers. It panics on an unknown locale, and on a
// locale without two different separators for groups and decimals.
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
		panic(fmt.Sprintf("worker: the number format of the locale %q, such as %s, is not supported", locale, long))
	}
}

// read converts a text to digits with a decimal point. If it rejects the text, `refused` is the
// reason.
func (r *numberRule) read(text string) (plain string, refused *refusal) {
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

// hundredth divides a number by a hundred, which is how spreadsheets store percentages.
func hundredth(digits string) string {
	whole, rest, _ := strings.Cut(digits, ".")
	whole = "00" + whole
	return whole[:len(whole)-2] + "." + whole[len(whole)-2:] + rest
}

// strip removes the sign and one unit from a text.
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

// signOf splits a sign from a text; a plus sign is dropped.
func signOf(text string) (sign, rest string) {
	for _, minus := range []string{"-", "\u2212"} {
		if rest, ok := strings.CutPrefix(text, minus); ok {
			return "-", rest
		}
	}
	return "", strings.TrimPrefix(text, "+")
}

// ungroup removes the group separators of the locale, and replaces its decimal separator by a point. It
// returns false for wrong groups, or for decimals that are not digits.
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

// isGroup reports whether a character separates groups. If the locale separates groups by a blank, any
// blank does. If the separator is ’, an apostrophe does, too.
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

// plainDigits reports whether text consists of digits and at most one point.
func plainDigits(text string) bool {
	whole, rest, _ := strings.Cut(text, ".")
	return text != "" && text != "." && strings.Trim(whole, "0123456789") == "" &&
		strings.Trim(rest, "0123456789") == ""
}

// complain returns the reason why a text is rejected.
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

// exponent reports whether text is a number in scientific notation.
func exponent(text string) bool {
	mantissa, power, ok := strings.Cut(strings.ToUpper(text), "E")
	_, power = signOf(power)
	return ok && plainDigits(mantissa) && power != "" && strings.Trim(power, "0123456789") == ""
}

// local formats a plain number for the column.
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

// Local formats a plain number from a workbook or JSON as users write it in this column, for example
// with a decimal comma. Params and text cells contain numbers in this form. For other columns, Local
// returns the text unchanged.
func (f *Field) Local(plain string) string {
	if f.cell.number == nil || f.cell.number.decimal == "" {
		return plain
	}
	return f.cell.number.local(plain)
}
