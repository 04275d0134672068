package render

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// These are the tones of a state. Each tone is a class in the stylesheet.
const (
	ToneWait = "wait"
	ToneRun  = "run"
	ToneGood = "good"
	ToneWarn = "warn"
	ToneBad  = "bad"
)

// RowState returns the state of a row as a text, and its tone.
func RowState(in locale.Printer, e *events.Event) (words, tone string) {
	switch {
	case e.Status == events.Error && e.State() == events.Open:
		return in.Text("grid.error"), ToneBad
	case e.Status.Bad() && e.State() == events.Fixed:
		return in.Text("grid.fixed"), ToneGood
	case e.Status.Bad() && e.State() == events.Open:
		return in.Text("grid.open"), ToneWarn
	case e.Status.Bad():
		return in.Text("grid." + string(e.State())), ToneWait
	case e.Status == events.Finish:
		return in.Text("grid.finish"), ToneGood
	case e.Status == events.Working:
		return in.Text("grid.working"), ToneRun
	}
	return in.Text("grid." + string(e.Status)), ToneWait
}

// statusWords returns the status of a task as a text, and its tone.
func statusWords(in locale.Printer, t view.Task) (words, tone string) {
	switch t.Status {
	case tasks.Open:
		return in.Text(openWords(t)), ToneWait
	case tasks.Splitting:
		if t.Source == nil {
			return in.Text("status.more"), ToneRun
		}
		return in.Text("status.reading"), ToneRun
	case tasks.Running:
		return in.Text("status.working"), ToneRun
	case tasks.Paused:
		return in.Text("status.paused"), ToneWait
	case tasks.Canceling:
		return in.Text("status.stopping"), ToneWait
	case tasks.Canceled:
		if t.Problem != nil {
			return in.Text("status.too_many"), ToneBad
		}
		return in.Text("status.stopped"), ToneWait
	case tasks.Failed:
		return in.Text(failedWords(t)), ToneBad
	case tasks.Finished:
		return in.Text("status.finished"), ToneGood
	case tasks.FinishedWithFailures:
		return badWords(in, t.Counts), ToneWarn
	}
	return view.CodeTitle(string(t.Status)), ToneWait
}

// openWords returns the key of the text about an unstarted task. The text names the cause of the wait.
func openWords(t view.Task) string {
	switch {
	case t.Source != nil:
		return "status.to_read"
	case !t.Counts.TotalIsFinal:
		return "status.for_rows"
	}
	return "status.waiting"
}

// failedWords returns the key of the text for a failed task. It depends on the type and the progress of
// the task.
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

// problemTitle returns the title above a task's problem.
func problemTitle(in locale.Printer, t view.Task) string {
	switch {
	case t.Status == tasks.Canceled:
		return in.Text("problem.stopped")
	case t.Source == nil:
		return in.Text("problem.went")
	}
	return in.Text("problem.file")
}

// badWords returns the text about the rows that need a correction or, without such rows, about the rows in
// error. Without either, it returns the text of a finished task. badWords includes skipped rows only if the
// task also has rows in error. The counts then do not show whether failed rows or rows in error were
// skipped.
func badWords(in locale.Printer, c tasks.CountsJSON) string {
	failed, faulty := c.ToCorrect(), c.Error
	if faulty == 0 || failed+faulty == c.Skipped {
		failed, faulty = failed+faulty-c.Skipped, 0
	}
	switch {
	case failed > 0:
		return in.Text("status.correct", "n", failed)
	case faulty > 0:
		return in.Text("status.ours", "n", faulty)
	}
	return in.Text("status.finished")
}

// problemWords returns the text of a problem for users. It returns the detail of the problem or, for codes
// whose detail is written for programs, a text of the catalogue.
func problemWords(in locale.Printer, p *problem.Problem) string {
	switch p.Code {
	case "FILE_MISSING":
		return in.Text("no_file")
	case "MALFORMED_BODY":
		return in.Text("not_whole")
	case "KIND_MISSING":
		return in.Text("no_kind")
	case "UNSUPPORTED_MEDIA_TYPE":
		return in.Text("other_form")
	}
	return p.Detail
}

// Warning is a warning about a file in the language of the page. The field At is the id of the input, on
// the page of columns, with which a user changes how the file is read. It is "" for a warning without
// such an input.
type Warning struct{ Text, At string }

// Warnings returns the warnings about a file.
func Warnings(in locale.Printer, english []string) []Warning {
	out := make([]Warning, len(english))
	for i, w := range english {
		out[i].Text = words.Translate(string(in), "warning.", w)
		switch words.KeyOf("warning.", w) {
		case "warning.not_unicode":
			out[i].At = "encoding"
		case "warning.comma", "warning.comma.unclear":
			out[i].At = "decimal"
		}
	}
	return out
}

// Shown returns a text from a file so that it is safe to show. It replaces some characters by their code
// points: control characters, most invisible characters, and characters that override the direction of
// text.
func Shown(text any) string {
	var b strings.Builder
	for _, r := range locale.Plain(text) {
		if hidden(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether Shown replaces r by its code point. It returns true for control characters except
// newline and tab, for most invisible characters, and for characters that override the direction of text.
// It returns false for U+200C to U+200F (joiners and directional marks), because some scripts need them.
func hidden(r rune) bool {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0x200b, r == 0xfeff:
		return true
	case r == '\n', r == '\t':
		return false
	}
	return unicode.IsControl(r)
}

// maxShown is the number of characters to which a table truncates long values.
const maxShown = 120

// Clip truncates a long value for a table.
func Clip(text any) string { return textutil.TruncateRunes(locale.Plain(text), maxShown) }
