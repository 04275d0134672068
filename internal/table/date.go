package table

import (
	"strconv"
	"time"
)

// dayZero is day 0 of a workbook. Day numbers are correct from 1 March 1900 on.
var dayZero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// firstYear is the first whole year in which the day numbers of workbooks match the dates of Go.
const firstYear = 1901

// Date returns a cell for a text such as 2026-01-31 or 2026-01-31T12:30:00. The result `ok` is false for
// other texts, and for dates before firstYear.
func Date(text string) (c Cell, ok bool) {
	form := time.DateOnly
	clock := len(text) > len(form)
	if clock {
		form = "2006-01-02T15:04:05"
	}
	t, err := time.Parse(form, text)
	if err != nil || t.Year() < firstYear || t.Format(form) != text {
		return c, false
	}
	return Cell{Kind: Moment, Time: t, Clock: clock}, true
}

// appendSerial appends a time as the day number of a workbook.
func appendSerial(b []byte, t time.Time) []byte {
	const day = 24 * 60 * 60
	seconds := t.Unix() - dayZero.Unix()
	if seconds%day == 0 {
		return strconv.AppendInt(b, seconds/day, 10)
	}
	return strconv.AppendFloat(b, float64(seconds)/day, 'f', -1, 64)
}
