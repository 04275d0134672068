package table

import (
	"math"
	"strconv"
	"time"
)

// Kind is the type of the value in a Cell. It selects the fields that the cell uses.
type Kind uint8

// These are the types of values in a Cell.
const (
	None    Kind = iota // empty
	Text                // Cell.Text
	Integer             // Cell.Int
	Decimal             // Cell.Int, with Cell.Digits digits after the point
	Float               // Cell.Float
	Digits              // Cell.Text, which is a number with a point
	Boolean             // Cell.Int; 0 is false
	Moment              // Cell.Time
)

// Cell is one value of a row.
type Cell struct {
	Kind   Kind
	Digits int // of Decimal: from 0 to 18
	Int    int64
	Float  float64
	Text   string
	Time   time.Time // shown in UTC, to the second
	Clock  bool      // of Moment: the time of day is shown at midnight, too
	Marked bool      // a workbook shows the cell with a red background
}

// appendNumber appends the number of a cell in plain digits.
func (c *Cell) appendNumber(b []byte) []byte {
	switch c.Kind {
	case Integer:
		return strconv.AppendInt(b, c.Int, 10)
	case Decimal:
		return appendDecimal(b, c.Int, c.Digits)
	case Float:
		return strconv.AppendFloat(b, c.Float, 'f', -1, 64)
	default:
		return append(b, c.Text...)
	}
}

// appendDecimal appends n with a decimal point before its last digits, whose number is `digits`.
func appendDecimal(b []byte, n int64, digits int) []byte {
	if n < 0 {
		b = append(b, '-')
	}
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	var buf [24]byte
	s := strconv.AppendUint(buf[:0], u, 10)
	whole := len(s) - digits
	if whole <= 0 {
		b = append(b, '0')
	} else {
		b = append(b, s[:whole]...)
	}
	if digits == 0 {
		return b
	}
	b = append(b, '.')
	for ; whole < 0; whole++ {
		b = append(b, '0')
	}
	return append(b, s[max(whole, 0):]...)
}

// tooLong is the smallest integer with more digits than the 15 that a spreadsheet keeps.
const tooLong = 1_000_000_000_000_000

// decimals returns how many digits after the point a workbook shows; -1 means all. The result
// `exact` is false if a spreadsheet cannot store or show the number exactly.
func (c *Cell) decimals() (n int, exact bool) {
	switch c.Kind {
	case Integer:
		return 0, c.Int > -tooLong && c.Int < tooLong
	case Decimal:
		return c.Digits, c.Int > -tooLong && c.Int < tooLong && c.Digits <= MaxDecimals
	case Float:
		return -1, !math.IsNaN(c.Float) && !math.IsInf(c.Float, 0)
	default:
		n = Decimals(c.Text)
		return n, n >= 0
	}
}

// day reports whether a time is the start of a day.
func day(t time.Time) bool {
	h, m, s := t.Clock()
	return h+m+s == 0
}

// appendMoment appends a time for users: a date, or a date and a time of day.
func (c *Cell) appendMoment(b []byte) []byte {
	t := c.Time.UTC()
	if day(t) && !c.Clock {
		return appendDay(b, t)
	}
	return t.AppendFormat(b, time.DateTime)
}

// appendDay appends the date of a time in the layout time.DateOnly.
func appendDay(b []byte, t time.Time) []byte {
	y, m, d := t.Date()
	if y < 0 || y > 9999 {
		return t.AppendFormat(b, time.DateOnly)
	}
	two := func(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
	b = append(two(two(b, y/100), y%100), '-')
	return two(append(two(b, int(m)), '-'), d)
}
