package importers

import (
	"bytes"
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Few returns rows as the chunk that a Splitter would add to the task, for rows that are added
// together with their task: one JSON object a line, as InspectJSONLines takes them. The task needs
// no number yet, and no file. All rows are held in memory.
func Few(ctx context.Context, text []byte, kind worker.Kind, t *tasks.Task, l Limits) (events.Chunk, error) {
	c := events.Chunk{Num: t.Num, Final: true, Unordered: kind.Unordered}
	within := func(read func(stream) error) error {
		rows, err := openJSONStream(bytes.NewReader(text), int64(len(text)), kind, of(t, l), FormatJSONLines)
		if err != nil {
			return err
		}
		defer rows.close()
		return read(rows)
	}
	var err error
	c.Warnings, err = readRows(ctx, t, l, within, func(d events.Draft) error {
		c.Rows = append(c.Rows, d)
		return nil
	})
	if p := problemOf(err); p != nil {
		c.Problem, err = p, nil
	}
	return c, err
}
