package exporters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
)

// sheetMost is the maximum number of rows that Excel allows in a sheet.
const sheetMost = 1 << 20

type form struct {
	spec    table.Spec
	columns []table.Column // the columns of the file
	base    string         // its name without the ending
}

// Request returns the export request for which a task was created.
func Request(t *tasks.Task) (r jobs.ExportRequest, err error) {
	b, err := json.Marshal(t.Options)
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		return r, fmt.Errorf("exporters: request of %s: %w", t.ID, err)
	}
	return r, nil
}

// formOf returns the format and columns of a task's file. It returns ErrOutdated if the kind of the
// task no longer makes files with these columns.
func formOf(t *tasks.Task, kind jobs.Kind) (form, error) {
	r, err := Request(t)
	switch {
	case err != nil:
		return form{}, err
	case kind.Export == nil:
		return form{}, fmt.Errorf("exporters: %s: %w", t.Kind, ErrOutdated)
	}
	if no := r.Check(kind.Export.Columns); no != nil {
		return form{}, fmt.Errorf("exporters: %s: %w: %w", t.ID, ErrOutdated, no)
	}
	f := form{spec: r.Spec, base: baseOf(t)}
	for _, i := range r.Pick(kind.Export.Columns) {
		f.columns = append(f.columns, kind.Export.Columns[i])
	}
	return f, nil
}

// ErrOutdated means that the kind of an export no longer makes files with the requested columns.
var ErrOutdated = errors.New("the kind has changed since the export was requested")

// maxBase is the maximum number of characters of a file name without its ending.
const maxBase = 100

// baseOf returns the name of a task's file without its ending. It replaces characters that file names cannot
// have by "_", truncates the name of the task, and trims dots and spaces. If nothing is left, it returns the
// name of the kind.
func baseOf(t *tasks.Task) string {
	base := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|%`, r) || !unicode.IsPrint(r) && r != ' ' {
			return '_'
		}
		return r
	}, t.Name)
	if r := []rune(base); len(r) > maxBase {
		base = string(r[:maxBase])
	}
	if base = strings.Trim(base, ". "); base == "" {
		base = t.Kind
	}
	return base
}

// Name returns the file name for the export of a task.
func Name(t *tasks.Task) (string, error) {
	r, err := Request(t)
	return baseOf(t) + r.Ending(), err
}

// PartialName returns the file name for an incomplete export.
func PartialName(t *tasks.Task) (string, error) {
	r, err := Request(t)
	return baseOf(t) + "-partial" + r.Ending(), err
}

// Write writes the file of a task from its finished parts, in the order of the plan, and returns
// the number of rows. After an error, the written file is incomplete. The error
// wraps blobs.ErrNotFound if a file of a part is missing, and ErrOutdated if the kind has changed.
func (p *Parts) Write(
	ctx context.Context, w io.Writer, t *tasks.Task, kind jobs.Kind, es *events.Store,
) (rows int64, err error) {
	f, err := formOf(t, kind)
	if err != nil {
		return 0, err
	}
	done := es.Each(ctx, t.Num, events.Filter{Statuses: []events.Status{events.Finish}})
	return p.write(ctx, w, f, done)
}

func (p *Parts) write(
	ctx context.Context, w io.Writer, f form, done iter.Seq2[*events.Event, error],
) (rows int64, err error) {
	out, err := begin(w, f, sheetMost)
	if err != nil {
		return 0, err
	}
	for e, err := range done {
		if err != nil {
			return 0, err
		}
		var made outcome
		if e.Result == nil || json.Unmarshal([]byte(*e.Result), &made) != nil {
			return 0, fmt.Errorf("exporters: part %d has no result with its files", e.ID.Seq())
		}
		for i, id := range made.Files {
			n, err := p.copy(ctx, out, id, made.sum(i))
			if rows += n; err != nil {
				return 0, fmt.Errorf("exporters: part %d: %w", e.ID.Seq(), err)
			}
		}
	}
	failpoint.Hit("merging")
	return rows, out.end()
}

// begin writes the bytes before the rows, and returns the sink for the rows.
func begin(w io.Writer, f form, most uint32) (sink, error) {
	rows, err := table.NewRows(f.spec, f.columns)
	if err != nil {
		return nil, err
	}
	head, err := rows.AppendHead(nil)
	if err != nil {
		return nil, err
	}
	switch {
	case f.spec.Format == table.XLSX:
		return newBook(w, f, head, most)
	case f.spec.Compression == table.Gzip:
		return newGzipped(w, f.spec, head)
	case f.spec.Compression == table.Zip:
		return newZipped(w, f.spec, f.base+"."+f.spec.Format, head)
	}
	_, err = w.Write(head)
	return plain{w}, err
}

// copy copies the rows of a part's file to the sink `out`, and returns their number. The argument `sum` is
// the checksum of the file; "" if it is unknown.
func (p *Parts) copy(ctx context.Context, out sink, id, sum string) (rows int64, err error) {
	file, err := p.files.Get(ctx, id)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	f := newSummed(file)
	for {
		head, err := readFrame(f)
		if errors.Is(err, io.EOF) {
			return rows, f.check(sum)
		}
		if err == nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = out.frame(head, f)
		}
		if err != nil {
			return rows, err
		}
		rows += int64(head.rows)
	}
}
