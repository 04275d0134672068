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

// reader reads the rows of the file of a task, once or several times.
type reader struct {
	file  *source.File
	kind  jobs.Kind
	task  *tasks.Task
	limit tabular.Limits
}

// within opens the rows, calls read, and closes them.
func (r reader) within(read func(stream) error) error {
	rows, err := openStream(r.file, r.kind, r.task, r.limit)
	if err != nil {
		return err
	}
	defer rows.close()
	return read(rows)
}

// each passes the rows that the task does not have yet to take, and returns the warnings of the task.
// Some rules for rows of one key need a first reading of all rows.
func (r reader) each(ctx context.Context, take func(events.Draft) error) (warnings []string, err error) {
	p := newPolicy(optionsOf(r.task, r.limit).Duplicates, "", r.task.ID)
	if p.which == Latest {
		if err := r.within(func(rows stream) error { return p.preload(ctx, rows) }); err != nil {
			return nil, err
		}
	}
	err = r.within(func(rows stream) error {
		p.column = rows.keyName()
		err := each(rows, p, r.task.Total, take)
		warnings = joined(r.task.Warnings, rows.warnings())
		return err
	})
	return warnings, err
}

// each passes on the rows after the first done rows, with the decisions of the policy.
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
