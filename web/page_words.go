package web

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// The tones of a status; each is a class of the style sheet.
const (
	toneWait = "wait"
	toneRun  = "run"
	toneGood = "good"
	toneWarn = "warn"
	toneBad  = "bad"
)

// statusWords says where a task stands, and in which tone.
func statusWords(t taskView) (words, tone string) {
	switch t.Status {
	case tasks.Open:
		return openWords(t), toneWait
	case tasks.Splitting:
		if t.Source == nil {
			return "Working, more rows may come", toneRun
		}
		return "Reading the file", toneRun
	case tasks.Running:
		return "Working", toneRun
	case tasks.Paused:
		return "Paused", toneWait
	case tasks.Canceling:
		return "Being stopped", toneWait
	case tasks.Canceled:
		if t.Problem != nil {
			return "Stopped, too many rows failed", toneBad
		}
		return "Stopped", toneWait
	case tasks.Failed:
		return failedWords(t), toneBad
	case tasks.Finished:
		return "Finished", toneGood
	case tasks.FinishedWithFailures:
		return "Finished, " + badWords(t.Counts), toneWarn
	}
	return codeWords(string(t.Status)), toneWait
}

// openWords says what a task waits for that has not begun.
func openWords(t taskView) string {
	switch {
	case t.Source != nil:
		return "Waiting to be read"
	case !t.Counts.TotalIsFinal:
		return "Waiting for rows"
	}
	return "Waiting"
}

func failedWords(t taskView) string {
	switch {
	case t.Problem != nil && t.Source == nil:
		return "Not all rows arrived"
	case t.Problem != nil && t.Counts.Total > 0:
		return "The file could not be read to its end"
	case t.Problem != nil:
		return "The file could not be read"
	}
	return "Nothing was imported"
}

// problemTitle is what stands above the problem of a task.
func problemTitle(t taskView) string {
	switch {
	case t.Status == tasks.Canceled:
		return "Why it was stopped"
	case t.Source == nil:
		return "What went wrong"
	}
	return "What is wrong with the file"
}

// badWords says what is left to do.
func badWords(c countsView) string {
	switch {
	case c.Failed == 1:
		return "1 row needs correction"
	case c.Failed > 1:
		return num(c.Failed) + " rows need correction"
	case c.Error == 1:
		return "1 row failed on our side"
	}
	return num(c.Error) + " rows failed on our side"
}

// codeWords says a code such as BRAND_UNKNOWN in words.
func codeWords(code string) string {
	if title, ok := (worker.Kind{}).Title(words.Default, code); ok {
		return title
	}
	plain := strings.ToLower(strings.ReplaceAll(code, "_", " "))
	if plain == "" {
		return "Other"
	}
	return strings.ToUpper(plain[:1]) + plain[1:]
}

// problemWords replaces what a detail tells to programs.
func problemWords(p *problem) string {
	switch p.Code {
	case "FILE_MISSING":
		return "No file came with the form. Choose one and try again."
	case "MALFORMED_BODY":
		return "The file did not arrive whole. Try again."
	case "KIND_MISSING":
		return "Choose what the rows are."
	case "UNSUPPORTED_MEDIA_TYPE":
		return "The form did not arrive as this page sends it. Try again from this page."
	}
	return p.Detail
}

// shown makes a text from a file safe to look at: characters that cannot be
// seen, or that change the order of others, are spelled out.
func shown(text any) string {
	var b strings.Builder
	for _, r := range plainText(text) {
		if hidden(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plainText(text any) string {
	switch t := text.(type) {
	case string:
		return t
	case *string:
		if t != nil {
			return *t
		}
		return ""
	}
	return fmt.Sprint(text)
}

// hidden tells whether r is a control character, or one that embeds, overrides
// or isolates a direction, or has no width. Marks and joiners that scripts
// need are not hidden.
func hidden(r rune) bool {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0x200b, r == 0xfeff:
		return true
	case r == '\n', r == '\t':
		return false
	}
	return unicode.IsControl(r)
}

// maxShown is how many characters of a long value a table shows.
const maxShown = 120

// clip shortens a long value for a table.
func clip(text any) string {
	runes := []rune(plainText(text))
	if len(runes) <= maxShown {
		return string(runes)
	}
	return string(runes[:maxShown]) + "…"
}

// moment is a time as a page tells it before its script does better.
func moment(text any) string {
	t, err := time.Parse(time.RFC3339, plainText(text))
	if err != nil {
		return plainText(text)
	}
	return t.Format("2 Jan 2006, 15:04 UTC")
}
