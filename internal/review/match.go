package review

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// Matcher tells whether a row holds a text, whatever its case: in what is told
// of its failure or in its cells, as far as these may be shown. An empty text is
// in every row.
func Matcher(kind worker.Kind, text string) func(*events.Event) bool {
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
