package importers

import (
	"context"
	"io"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// reader is a reader of the rows of a task's file. It can read the rows more than once.
type reader struct {
	file  *source.File
	kind  jobs.Kind
	task  *tasks.Task
	limit tabular.Limits
}

// withRows opens the rows of the file, calls the function `read` with them, and closes them.
func (r reader) withRows(read func(stream) error) error {
	rows, err := openStream(r.file, r.kind, r.task, r.limit)
	if err != nil {
		return err
	}
	defer rows.close()
	return read(rows)
}

// each calls the function `take` for the rows of the file that are not in the ledger yet, and returns the
// warnings of the task. For the policy Latest it reads the whole file twice.
func (r reader) each(ctx context.Context, take func(events.Draft) error) (warnings []string, err error) {
	p := newPolicy(optionsOf(r.task, r.limit).Duplicates, "", r.task.ID)
	if p.which == Latest {
		if err := r.withRows(func(rows stream) error { return p.preload(ctx, rows) }); err != nil {
			return nil, err
		}
	}
	err = r.withRows(func(rows stream) error {
		p.column = rows.keyName()
		err := each(rows, p, r.task.Total, take)
		warnings = joined(r.task.Warnings, rows.warnings())
		return err
	})
	return warnings, err
}

// each applies the policy to all rows, and calls the function `take` for the rows that are not in the
// ledger yet. The argument `done` is the number of rows in the ledger.
func each(rows stream, p *policy, done int64, take func(events.Draft) error) error {
	for seq := int64(1); ; seq++ {
		err := rows.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if seq <= done && p.passThrough() {
			continue
		}
		d := rows.draft()
		p.apply(&d, seq)
		if seq <= done {
			continue
		}
		if err := take(d); err != nil {
			return err
		}
	}
}
