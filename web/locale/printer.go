// Package locale writes the texts of pages in the language of a user: sentences of the tables in
// internal/words, numbers, durations, sizes and times.
//
// It promises that a text which is missing in a language is printed in the default language. Names and
// values in a sentence stay unchanged. It depends on no page and no request.
package locale

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Printer writes texts in a language, which is one of words.Languages.
type Printer string

// Text returns the sentence of a key; the table has the key below "page.". args are names and values
// in turn. A whole number n also gives n_shown, as the language writes it. Text returns the key if
// there is no sentence; a test checks that each used key has one.
func (t Printer) Text(key string, args ...any) string {
	text, ok := words.Say(string(t), "page."+key, t.Values(args...))
	if !ok {
		return "page." + key
	}
	return text
}

// Values returns the values of placeholders from names and values in turn.
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

// wholeOf returns a value as a whole number, if it is one.
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

// Number writes a whole number of any type, with separators between thousands.
func (t Printer) Number(value any) string {
	n, _ := wholeOf(value)
	return t.Integer(n)
}

// marks returns the separators of thousands and of decimals.
func (t Printer) marks() (thousands, decimals string) {
	switch t {
	case "ru":
		return "\u00a0", ","
	case "vi":
		return ".", ","
	}
	return ",", "."
}

// Integer writes a number with separators between thousands.
func (t Printer) Integer(n int64) string {
	text := strconv.FormatInt(n, 10)
	mark, _ := t.marks()
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + mark + text[i:]
	}
	return text
}

func (t Printer) decimal(x float64) string {
	_, mark := t.marks()
	return strings.Replace(strconv.FormatFloat(x, 'f', 1, 64), ".", mark, 1)
}

// Duration writes a number of seconds roughly: in seconds, minutes or hours.
func (t Printer) Duration(seconds int64) string {
	switch {
	case seconds < 60:
		return t.Text("seconds", "n", seconds)
	case seconds < 3600:
		return t.Text("minutes", "n", (seconds+30)/60)
	}
	return t.Text("hours", "n", seconds/3600, "m", seconds%3600/60)
}

// Span writes a number of milliseconds: in milliseconds, in seconds with a decimal, or roughly.
func (t Printer) Span(ms int64) string {
	switch {
	case ms < 1000:
		return t.Text("ops.millis", "n", ms)
	case ms < 60_000:
		return t.Text("ops.seconds", "n", t.decimal(float64(ms)/1000))
	}
	return t.Duration(ms / 1000)
}

// Rate writes rows a second, with a decimal only below 10.
func (t Printer) Rate(perSecond float64) string {
	if perSecond >= 10 {
		return t.Integer(int64(perSecond + 0.5))
	}
	return t.decimal(perSecond)
}

// Bytes writes a size in units of 1024, as file managers do.
func (t Printer) Bytes(n int64) string {
	switch {
	case n < 1<<10:
		return t.Integer(n) + " B"
	case n < 1<<20:
		return t.Integer((n+512)>>10) + " kB"
	case n%(1<<20) == 0:
		return t.Integer(n>>20) + " MB"
	}
	return t.decimal(float64(n)/(1<<20)) + " MB"
}

// Time writes a time in UTC. The script of a page replaces it by the local time.
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

// Exact writes a time in UTC, with seconds. The script of a page replaces it by the local time.
func (t Printer) Exact(text any) string {
	at, err := time.Parse(time.RFC3339, Plain(text))
	if err != nil {
		return Plain(text)
	}
	return strings.Replace(t.Time(text), at.UTC().Format("15:04"), at.UTC().Format("15:04:05"), 1)
}

// Template returns the sentence of a key with its placeholders, which a script fills in.
func (t Printer) Template(key string) string {
	var args []any
	for _, name := range []string{"row", "column", "count", "why", "left", "done", "total", "rate", "time", "n"} {
		args = append(args, name, "{"+name+"}")
	}
	return t.Text(key, args...)
}

// Around returns the texts before and after the placeholder named at in a sentence.
func (t Printer) Around(key string) []string {
	before, after, _ := strings.Cut(t.Text(key, "at", "\x00"), "\x00")
	return []string{before, after}
}

// Plain returns a value of a sentence as text: a text as it is, "" for nil.
func Plain(text any) string {
	switch t := text.(type) {
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
