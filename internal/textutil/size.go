package textutil

import (
	"math"
	"strconv"
	"strings"
)

// sizeUnits lists the units of sizes in ascending order, in steps of 1024.
var sizeUnits = []string{"B", "kB", "MB", "GB", "TB", "PB"}

// Size returns a number of bytes in the largest unit in which it is a whole number, such as "500 MB".
func Size(n int64) string {
	unit := 0
	for ; n > 0 && n%1024 == 0 && unit < len(sizeUnits)-1; unit++ {
		n /= 1024
	}
	return strconv.FormatInt(n, 10) + " " + sizeUnits[unit]
}

// russianUnits replaces the Russian names of units, in capitals, with the names in sizeUnits.
var russianUnits = strings.NewReplacer("КБ", "kB", "МБ", "MB", "ГБ", "GB", "ТБ", "TB")

// SizeInBytes converts a whole number with a unit, such as "500 MB", to the number of bytes in digits.
// The unit may be in any case, also in Russian. SizeInBytes returns any other text unchanged.
func SizeInBytes(given string) string {
	text := russianUnits.Replace(strings.ToUpper(given))
	for i, unit := range sizeUnits {
		at := len(text) - len(unit)
		if at <= 0 || !strings.EqualFold(text[at:], unit) {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text[:at]), 10, 64)
		if factor := int64(1) << (10 * i); err == nil && n >= 0 && n <= math.MaxInt64/factor {
			return strconv.FormatInt(n*factor, 10)
		}
	}
	return given
}
