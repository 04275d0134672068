// Package locale formats the texts of pages in the language of a user: sentences from internal/words,
// numbers, durations, sizes and times.
//
// If a language lacks a sentence, the package uses the sentence in the default language. The package does
// not depend on pages or requests.
package locale

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Printer is a language, one of words.Languages, in which its methods format texts.
type Printer string

// Text returns the sentence of a catalogue key. In the catalogue, the key has the prefix "page.". The
// arguments `args` are the names and values of placeholders, in pairs. For a whole number `n`, the
// sentence may also use `n_shown`, which is the number with separators. If the sentence or a value is
// missing, Text returns the key with its prefix. A test checks that each used key has a sentence.
func (t Printer) Text(key string, args ...any) string {
	text, ok := words.Say(string(t), "page."+key, t.Values(args...))
	if !ok {
		return "page." + key
	}
	return text
}

// Sentences joins two sentences with the full stop of the language. Either may be empty.
func (t Printer) Sentences(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return strings.TrimRight(first, ".。") + t.Text("stop") + second
}

// Values converts names and values, in pairs, into the values of placeholders. For each whole number, it
// adds a value with separators, whose name ends with "_shown".
func (t Printer) Values(args ...any) map[string]string {
	values := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		name := fmt.Sprint(args[i])
		values[name] = Plain(args[i+1])
		if n, ok := wholeOf(args[i+1]); ok {
			values[name+"_shown"] = t.Integer(n)
		}
	}
	return values
}

// wholeOf returns the whole number in an int, an int64, or a pointer to one. The result `ok` is false for
// other types and for nil.
func wholeOf(value any) (n int64, ok bool) {
	switch v := value.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case *int:
		if v != nil {
			return int64(*v), true
		}
	case *int64:
		if v != nil {
			return *v, true
		}
	}
	return 0, false
}

// Number formats an int, an int64 or a pointer to one, with separators between thousands. Any other
// value is formatted as 0.
func (t Printer) Number(value any) string {
	n, _ := wholeOf(value)
	return t.Integer(n)
}

// separators returns the separators of thousands and of decimals.
func (t Printer) separators() (thousands, decimals string) {
	switch t {
	case "ru":
		return "\u00a0", ","
	case "vi":
		return ".", ","
	}
	return ",", "."
}

// Integer formats a number with separators between thousands.
func (t Printer) Integer(n int64) string {
	text := strconv.FormatInt(n, 10)
	mark, _ := t.separators()
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + mark + text[i:]
	}
	return text
}

func (t Printer) decimal(x float64) string {
	_, mark := t.separators()
	return strings.Replace(strconv.FormatFloat(x, 'f', 1, 64), ".", mark, 1)
}

// Duration formats a number of seconds in seconds, minutes, or hours and minutes.
func (t Printer) Duration(seconds int64) string {
	switch {
	case seconds < 60:
		return t.Text("seconds", "n", seconds)
	case seconds < 3600-30: // the minutes are rounded
		return t.Text("minutes", "n", (seconds+30)/60)
	}
	seconds = max(seconds, 3600)
	return t.Text("hours", "n", seconds/3600, "m", seconds%3600/60)
}

// Span formats a number of milliseconds. Below a second, it uses milliseconds. Below a minute, it uses
// seconds with a decimal. For longer times, it uses the format of Duration.
func (t Printer) Span(ms int64) string {
	switch {
	case ms < 1000:
		return t.Text("ops.millis", "n", ms)
	case ms < 59_950: // the decimal is rounded
		return t.Text("ops.seconds", "n", t.decimal(float64(ms)/1000))
	}
	return t.Duration((ms + 500) / 1000)
}

// Rate formats a number of rows per second. It shows a decimal only for numbers below 10.
func (t Printer) Rate(perSecond float64) string {
	if perSecond >= 9.95 { // the decimal is rounded
		return t.Integer(int64(perSecond + 0.5))
	}
	return t.decimal(perSecond)
}

// Bytes formats a size in B, kB or MB. A kB is 1024 B, and a MB is 1024 kB.
func (t Printer) Bytes(n int64) string {
	one, kilo, mega := " B", " kB", " MB"
	if t == "ru" {
		one, kilo, mega = " Б", " КБ", " МБ"
	}
	switch {
	case n < 1<<10:
		return t.Integer(n) + one
	case n < 1<<20-512: // the kB are rounded
		return t.Integer((n+512)>>10) + kilo
	case n%(1<<20) == 0:
		return t.Integer(n>>20) + mega
	}
	return t.decimal(float64(n)/(1<<20)) + mega
}

// Time formats an RFC 3339 time in UTC. It returns any other text unchanged. In a browser, a script
// replaces the time with the local time.
func (t Printer) Time(text any) string {
	at, err := time.Parse(time.RFC3339, Plain(text))
	if err != nil {
		return Plain(text)
	}
	form := map[Printer]string{
		"ru": "02.01.2006, 15:04 UTC", "vi": "02/01/2006, 15:04 UTC", "zh": "2006-01-02 15:04 UTC",
	}[t]
	if form == "" {
		form = "2 Jan 2006, 15:04 UTC"
	}
	return at.UTC().Format(form)
}

// Ago formats how long ago a time was, like the script of the pages. For a time more than a week ago, it
// returns the day. It formats a time after `now` like Time. All times less than a minute ago have the same
// text, so that a polled page does not change each second.
func (t Printer) Ago(text any, now time.Time) string {
	at, err := time.Parse(time.RFC3339, Plain(text))
	if err != nil {
		return Plain(text)
	}
	const day = 24 * time.Hour
	switch past := now.Sub(at); {
	case past < 0:
		return t.Time(text)
	case past < time.Minute:
		return t.Text("ago.now")
	case past < time.Hour:
		return t.Text("ago.minutes", "n", int64(past/time.Minute))
	case past < day:
		return t.Text("ago.hours", "n", int64(past/time.Hour))
	case past < 2*day:
		return t.Text("ago.yesterday")
	case past < 7*day:
		return t.Text("ago.days", "n", int64(past/day))
	}
	date, _, _ := strings.Cut(t.Time(text), at.UTC().Format("15:04"))
	return strings.TrimRight(date, ", ")
}

// Exact formats a time like Time, but with seconds.
func (t Printer) Exact(text any) string {
	at, err := time.Parse(time.RFC3339, Plain(text))
	if err != nil {
		return Plain(text)
	}
	return strings.Replace(t.Time(text), at.UTC().Format("15:04"), at.UTC().Format("15:04:05"), 1)
}

// Template returns the sentence of a catalogue key with its placeholders left in. A script on the page
// fills in their values. The sentence may use only the placeholders that Template lists.
func (t Printer) Template(key string) string {
	var args []any
	for _, name := range []string{"row", "column", "count", "why", "left", "done", "total", "rate", "time", "n", "m"} {
		args = append(args, name, "{"+name+"}")
	}
	return t.Text(key, args...)
}

// Around returns the parts of a sentence before and after its placeholder "at".
func (t Printer) Around(key string) []string {
	before, after, _ := strings.Cut(t.Text(key, "at", "\x00"), "\x00")
	return []string{before, after}
}

// Plain converts the value of a placeholder to text; "" for nil and for a nil *string.
func Plain(text any) string {
	switch t := text.(type) {
	case nil:
		return ""
	case string:
		return t
	case *string:
		return textutil.Deref(t)
	}
	if n, ok := wholeOf(text); ok {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprint(text)
}
