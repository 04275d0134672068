package importers

import (
	"bytes"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// ReadRows validates rows like a Splitter, and returns them as one chunk. The caller adds the chunk in the
// transaction that adds the task. The rows are JSON objects in UTF-8, one per line. If a fault of the whole
// text ends the reading, the chunk has a Problem. ReadRows holds all rows in memory.
func ReadRows(ctx context.Context, text []byte, kind jobs.Kind, t *tasks.Task, l tabular.Limits) (events.Chunk, error) {
	c := events.Chunk{Num: t.Num, Final: true, Unordered: kind.Unordered}
	rows, err := source.RecognizeJSON(bytes.NewReader(text), int64(len(text)), optionsOf(t, l).Reading(), jsonrows.FormatLines)
	if err == nil {
		defer rows.Close()
		c.Warnings, err = reader{rows, kind, t, l}.each(ctx, func(d events.Draft) error {
			c.Rows = append(c.Rows, d)
			return nil
		})
	}
	if p := problemOf(err); p != nil {
		c.Problem, err = p, nil
	}
	return c, err
}
