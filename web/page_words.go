package web

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
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
func (in tongue) statusWords(t view.Task) (words, tone string) {
	switch t.Status {
	case tasks.Open:
		return in.say(openWords(t)), toneWait
	case tasks.Splitting:
		if t.Source == nil {
			return in.say("status.more"), toneRun
		}
		return in.say("status.reading"), toneRun
	case tasks.Running:
		return in.say("status.working"), toneRun
	case tasks.Paused:
		return in.say("status.paused"), toneWait
	case tasks.Canceling:
		return in.say("status.stopping"), toneWait
	case tasks.Canceled:
		if t.Problem != nil {
			return in.say("status.too_many"), toneBad
		}
		return in.say("status.stopped"), toneWait
	case tasks.Failed:
		return in.say(failedWords(t)), toneBad
	case tasks.Finished:
		return in.say("status.finished"), toneGood
	case tasks.FinishedWithFailures:
		return in.badWords(t.Counts), toneWarn
	}
	return view.CodeTitle(string(t.Status)), toneWait
}

// openWords is the key of what a task waits for that has not begun.
func openWords(t view.Task) string {
	switch {
	case t.Source != nil:
		return "status.to_read"
	case !t.Counts.TotalIsFinal:
		return "status.for_rows"
	}
	return "status.waiting"
}

// failedWords is the key of how far a task came that failed.
func failedWords(t view.Task) string {
	switch {
	case t.Type == tasks.Export:
		return "status.not_made"
	case t.Problem != nil && t.Source == nil:
		return "status.not_all"
	case t.Problem != nil && t.Counts.Total > 0:
		return "status.not_to_end"
	case t.Problem != nil:
		return "status.unreadable"
	}
	return "status.nothing"
}

// problemTitle is what stands above the problem of a task.
func (in tongue) problemTitle(t view.Task) string {
	switch {
	case t.Status == tasks.Canceled:
		return in.say("problem.stopped")
	case t.Source == nil:
		return in.say("problem.went")
	}
	return in.say("problem.file")
}

// badWords says what is left to do.
func (in tongue) badWords(c tasks.ServedCounts) string {
	switch {
	case c.ToCorrect() > 0:
		return in.say("status.correct", "n", c.ToCorrect())
	case c.Error > 0:
		return in.say("status.ours", "n", c.Error)
	}
	return in.say("status.finished")
}

// problemWords replaces what a detail tells to programs.
func (in tongue) problemWords(p *problem.Problem) string {
	switch p.Code {
	case "FILE_MISSING":
		return in.say("no_file")
	case "MALFORMED_BODY":
		return in.say("not_whole")
	case errNoDraft.Code:
		return in.say("check.expired")
	case "KIND_MISSING":
		return in.say("no_kind")
	case "UNSUPPORTED_MEDIA_TYPE":
		return in.say("other_form")
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
		return textutil.Deref(t)
	}
	if n, ok := wholeOf(text); ok {
		return strconv.FormatInt(n, 10)
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
func clip(text any) string { return textutil.TruncateRunes(plainText(text), maxShown) }
