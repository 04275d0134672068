package review

import (
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Matcher returns a function that reports whether the failure or a cell of a row contains a text.
// The function ignores case. It searches sensitive cells only in their masked form. Every row
// contains the empty text.
func Matcher(kind jobs.Kind, text string) func(*events.Event) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return func(*events.Event) bool { return true }
	}
	return func(e *events.Event) bool {
		for _, s := range []*string{e.Message, e.Value, e.Code} {
			if s != nil && strings.Contains(strings.ToLower(*s), text) {
				return true
			}
		}
		cells, err := readCells(string(kind.Show([]byte(e.Params))))
		if err != nil {
			return strings.Contains(strings.ToLower(e.Params), text)
		}
		for _, c := range cells {
			if strings.Contains(strings.ToLower(c.text), text) {
				return true
			}
		}
		return false
	}
}

// RowMatcher returns the function of Matcher, extended: it also returns true for the row whose number in
// its file is the text. Use it only for a search in one task. In a search of several tasks, a number
// would find a row of each task.
func RowMatcher(kind jobs.Kind, text string) func(*events.Event) bool {
	contains := Matcher(kind, text)
	row, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || row < 1 {
		return contains
	}
	return func(e *events.Event) bool { return e.Row == row || contains(e) }
}
