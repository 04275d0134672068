package web

import (
	"fmt"
	"strconv"
)

// num is a number with its thousands apart.
func num(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// spoken is a duration in seconds, roughly, as one would say it.
func spoken(seconds int64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min", (seconds+30)/60)
	}
	return fmt.Sprintf("%d h %d min", seconds/3600, seconds%3600/60)
}

// rate is rows a second, with a decimal only where it matters.
func rate(perSecond float64) string {
	if perSecond >= 10 {
		return num(int64(perSecond + 0.5))
	}
	return strconv.FormatFloat(perSecond, 'f', 1, 64)
}

// byteSize is a size as file managers tell it, in units of 1024.
func byteSize(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d kB", (n+512)>>10)
	case n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
