package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// tongue is the language that a page is told in; one of words.Languages.
type tongue string

// tongueOf is that of a request. A language that only some kind knows is told
// by its rows alone.
func tongueOf(c *gin.Context) tongue {
	lang := c.GetString(langKey)
	if !slices.Contains(words.Languages(), lang) {
		lang = words.Default
	}
	return tongue(lang)
}

// say is the sentence of a key, without its "page.", with names and values by
// turns. A whole number n also gives n_shown, as the language writes it. What
// cannot be said is the key: a test holds that there is none.
func (t tongue) say(key string, args ...any) string {
	text, ok := words.Say(string(t), "page."+key, t.values(args...))
	if !ok {
		return "page." + key
	}
	return text
}

// values are the values of placeholders, from names and values by turns.
func (t tongue) values(args ...any) map[string]string {
	values := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		name := fmt.Sprint(args[i])
		values[name] = plainText(args[i+1])
		if n, ok := wholeOf(args[i+1]); ok {
			values[name+"_shown"] = t.num(n)
		}
	}
	return values
}

// wholeOf is a value as a whole number, if it is one.
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

// number is a whole number of any size, with its thousands apart.
func (t tongue) number(value any) string {
	n, _ := wholeOf(value)
	return t.num(n)
}

// marks of a language: between thousands, and before decimals.
func (t tongue) marks() (thousands, decimals string) {
	switch t {
	case "ru":
		return "\u00a0", ","
	case "vi":
		return ".", ","
	}
	return ",", "."
}

// num is a number with its thousands apart.
func (t tongue) num(n int64) string {
	text := strconv.FormatInt(n, 10)
	mark, _ := t.marks()
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + mark + text[i:]
	}
	return text
}

func (t tongue) decimal(x float64) string {
	_, mark := t.marks()
	return strings.Replace(strconv.FormatFloat(x, 'f', 1, 64), ".", mark, 1)
}

// spoken is a duration in seconds, roughly, as one would say it.
func (t tongue) spoken(seconds int64) string {
	switch {
	case seconds < 60:
		return t.say("seconds", "n", seconds)
	case seconds < 3600:
		return t.say("minutes", "n", (seconds+30)/60)
	}
	return t.say("hours", "n", seconds/3600, "m", seconds%3600/60)
}

// rate is rows a second, with a decimal only where it matters.
func (t tongue) rate(perSecond float64) string {
	if perSecond >= 10 {
		return t.num(int64(perSecond + 0.5))
	}
	return t.decimal(perSecond)
}

// byteSize is a size as file managers tell it, in units of 1024.
func (t tongue) byteSize(n int64) string {
	switch {
	case n < 1<<10:
		return t.num(n) + " B"
	case n < 1<<20:
		return t.num((n+512)>>10) + " kB"
	case n%(1<<20) == 0:
		return t.num(n>>20) + " MB"
	}
	return t.decimal(float64(n)/(1<<20)) + " MB"
}

// moment is a time as a page tells it before its script does better.
func (t tongue) moment(text any) string {
	at, err := time.Parse(time.RFC3339, plainText(text))
	if err != nil {
		return plainText(text)
	}
	form := map[tongue]string{
		"ru": "02.01.2006, 15:04 UTC", "vi": "02/01/2006, 15:04 UTC", "zh": "2006-01-02 15:04 UTC",
	}[t]
	if form == "" {
		form = "2 Jan 2006, 15:04 UTC"
	}
	return at.UTC().Format(form)
}

// text is the sentence of a key as a script fills it in.
func (t tongue) text(key string) string {
	var args []any
	for _, name := range []string{"row", "column", "count", "why"} {
		args = append(args, name, "{"+name+"}")
	}
	return t.say(key, args...)
}
