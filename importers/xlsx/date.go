package xlsx

import (
	"fmt"
	"math"
	"time"
)

const (
	lastSerial = 2958466 // the day after 9999-12-31, in the 1900 system
	offset1904 = 1462    // days between the two systems
	leapSerial = 60      // 29 February 1900, which did not exist
	daySeconds = 86400
)

// serialText converts a number with a date format to a text. The text is 2006-01-02, or
// 2006-01-02T15:04:05 if the number has a time of day. A time of day without a day is 15:04:05, and an
// elapsed time is hours:minutes:seconds. Times are rounded to the second. If the number is not a valid
// date, the result `why` is the text key of the reason.
func serialText(serial float64, kind dateKind, date1904 bool) (text, why string) {
	if serial < 0 || serial > lastSerial {
		return "", "serial.range"
	}
	secs := int64(math.Round(serial * daySeconds))
	day, sec := secs/daySeconds, secs%daySeconds
	if kind == spanFormat {
		return clock(secs), ""
	}
	if kind == timeFormat && day == 0 {
		return clock(sec), ""
	}
	if date1904 {
		day += offset1904
	}
	return dayText(day, sec)
}

// dayText returns the text of a day number in the 1900 system, and of a time of day in seconds. For a
// day that does not exist, the result `why` is the text key of the reason.
func dayText(day, sec int64) (text, why string) {
	switch {
	case day == leapSerial:
		return "", "serial.leap"
	case day == 0 || day >= lastSerial:
		return "", "serial.range"
	case day > leapSerial:
		day-- // from here on, the system counts one day too many
	}
	t := time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day))
	if sec == 0 {
		return t.Format(time.DateOnly), ""
	}
	return t.Add(time.Duration(sec) * time.Second).Format("2006-01-02T15:04:05"), ""
}

func clock(secs int64) string {
	return fmt.Sprintf("%02d:%02d:%02d", secs/3600, secs/60%60, secs%60)
}

// isoText converts a date or a time of day that is stored as ISO 8601 text to the format of serialText.
// A text with a zone other than UTC stays unchanged. For a text that is no such date or time,
// isoText returns false.
func isoText(raw string) (string, bool) {
	layouts := []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", time.DateOnly,
		"2006-01-02T15:04", "2006-01-02T15:04Z07:00", "15:04:05",
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, raw)
		switch {
		case err != nil:
		case zoned(t):
			return raw, true
		case layout == "15:04:05":
			return t.Format(layout), true
		case t.Hour()+t.Minute()+t.Second() == 0:
			return t.Format(time.DateOnly), true
		default:
			return t.Format("2006-01-02T15:04:05"), true
		}
	}
	return "", false
}

// zoned reports whether the text of a time has a zone other than UTC.
func zoned(t time.Time) bool {
	_, offset := t.Zone()
	return offset != 0
}
