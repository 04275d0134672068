package worker

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// cell is how the text of a cell becomes a value of a Go type.
type cell struct {
	name string // type of the column, as told to people and in JSON Schema
	code string // of a text that cannot be read
	set  func(v reflect.Value, text string) (complaint string)
}

// maxDigits bounds a number in a cell, so that no exponent or endless digits
// cost memory.
const maxDigits = 100

// cellFor finds the reader for the type of a field or, if it is a pointer, of
// what it points to.
func cellFor(sf reflect.StructField) (cell, bool) {
	t := sf.Type
	if t.Kind() == reflect.Pointer {
		c, ok := plainCell(t.Elem(), sf)
		set := c.set
		c.set = func(v reflect.Value, text string) string {
			v.Set(reflect.New(t.Elem()))
			return set(v.Elem(), text)
		}
		return c, ok
	}
	return plainCell(t, sf)
}

func plainCell(t reflect.Type, sf reflect.StructField) (cell, bool) {
	switch {
	case t == reflect.TypeFor[decimal.Decimal]():
		return cell{"number", CodeInvalidNumber, setDecimal}, true
	case t == reflect.TypeFor[time.Time]():
		return cell{"date", CodeInvalidDate, setTime(sf.Tag.Get("format"))}, true
	case t.Kind() == reflect.String:
		return cell{"text", CodeInvalidValue, setString}, true
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return cell{"integer", CodeInvalidNumber, setInt}, true
	case t.Kind() == reflect.Float64:
		return cell{"number", CodeInvalidNumber, setFloat}, true
	case t.Kind() == reflect.Bool:
		return cell{"boolean", CodeInvalidValue, setBool}, true
	}
	return cell{}, false
}

func setString(v reflect.Value, text string) string {
	v.SetString(text)
	return ""
}

// plainNumber tells whether text is digits with a sign and at most one point.
// Group separators are refused: "1,234" means two things in two countries.
func plainNumber(text string) bool {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || digits == "." || len(digits) > maxDigits {
		return false
	}
	whole, rest, _ := strings.Cut(digits, ".")
	return strings.Trim(whole+rest, "0123456789") == ""
}

// noNumber says why a text is refused as a number.
func noNumber(text string) string {
	if strings.Contains(text, ",") {
		return "is not a number: write it without commas, with a point before the decimals"
	}
	return "is not a number"
}

func setDecimal(v reflect.Value, text string) string {
	d, err := decimal.NewFromString(text)
	if err != nil || !plainNumber(text) {
		return noNumber(text)
	}
	v.Set(reflect.ValueOf(d))
	return ""
}

func setFloat(v reflect.Value, text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !plainNumber(text) {
		return noNumber(text)
	}
	v.SetFloat(f)
	return ""
}

func setInt(v reflect.Value, text string) string {
	if !plainNumber(text) {
		return noNumber(text)
	}
	whole, rest, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(rest, "0") != "" || v.OverflowInt(n) {
		return "is not a whole number that fits"
	}
	v.SetInt(n)
	return ""
}

func setBool(v reflect.Value, text string) string {
	switch strings.ToLower(text) {
	case "true", "yes", "1":
		v.SetBool(true)
	case "false", "no", "0":
		v.SetBool(false)
	default:
		return "is neither yes nor no"
	}
	return ""
}

// setTime reads a date in one of the layouts, or as the importers give the
// date of a workbook.
func setTime(format string) func(reflect.Value, string) string {
	layouts := []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339}
	if format != "" {
		layouts = append(strings.Split(format, "|"), layouts...)
	}
	example := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC).Format(layouts[0])
	return func(v reflect.Value, text string) string {
		for _, layout := range layouts {
			if t, err := time.Parse(layout, text); err == nil {
				v.Set(reflect.ValueOf(t))
				return ""
			}
		}
		return "is not a date like " + example
	}
}
