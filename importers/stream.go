package importers

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// stream is a reader of the rows of an upload of any format. It returns the rows as drafts for the ledger.
// It is not safe for concurrent use. The caller closes it.
type stream interface {
	// next moves to the next row. It returns io.EOF only if the file is complete. For a fault of the
	// whole file it returns a *tabular.Problem.
	next() error
	// draft validates the current row and returns its draft.
	draft() events.Draft
	// keyName returns the name that faults use for the key column, or "" if rows have no key.
	keyName() string
	// warnings returns the warnings of the reader so far, or nil.
	warnings() []string
	// mayExceed reports whether the file may have more rows than the argument `most`.
	mayExceed(ctx context.Context, most int) (bool, error)
	close() error
}

// recognizeTask opens the file of a task, with the options with which the task was accepted. If the rows
// are JSON, recognizeTask does not detect the format again.
func recognizeTask(r io.ReaderAt, size int64, t *tasks.Task, l tabular.Limits) (*source.File, error) {
	if t.FileFormat == jsonrows.FormatLines || t.FileFormat == jsonrows.FormatList {
		return source.RecognizeJSON(r, size, optionsOf(t, l).Reading(), t.FileFormat)
	}
	return source.RecognizeTable(r, size, optionsOf(t, l).Reading())
}

// openStream opens the rows of the file of a task, with the columns of the task.
func openStream(c *source.File, kind jobs.Kind, t *tasks.Task, l tabular.Limits) (stream, error) {
	if rows := c.Rows(); rows != nil {
		return newJSONStream(rows, kind, optionsOf(t, l)), nil
	}
	src, err := c.Table(optionsOf(t, l).Reading())
	if err != nil {
		return nil, err
	}
	rows := newTableStream(src, kind, t.Columns).withColumns(optionsOf(t, l))
	rows.maker.DecimalBy(optionsOf(t, l).Decimal)
	return rows, nil
}

// tableStream is the stream of a file with headings.
type tableStream struct {
	src   *source.Table
	maker *drafts.Maker
	row   tabular.Row
	guard guarded
}

func newTableStream(src *source.Table, kind jobs.Kind, columns []tasks.Column) *tableStream {
	maker := drafts.NewMaker(kind, columns)
	maker.Even = src.Delimiter > 0
	return &tableStream{src: src, maker: maker, guard: guardedBy(src)}
}

// withColumns sets the key column and the column with start times to those in the options.
func (s *tableStream) withColumns(o Options) *tableStream {
	s.maker.By(o.KeyColumn).StartBy(o.RunAtColumn)
	return s
}

func (s *tableStream) next() (err error) {
	s.row, err = s.src.Next()
	s.guard.restore(s.row)
	return err
}

func (s *tableStream) draft() events.Draft { return s.maker.Draft(s.row) }

func (s *tableStream) keyName() string { return s.maker.KeyName() }

func (s *tableStream) warnings() []string { return s.src.Warnings }

func (s *tableStream) mayExceed(ctx context.Context, most int) (bool, error) {
	return s.src.MayExceed(ctx, most)
}

func (s *tableStream) close() error { return s.src.Close() }

// jsonStream is the stream of a file of JSON objects. A malformed row does not affect other rows. In a
// list, this is true only if the quotes and brackets of the row are balanced.
type jsonStream struct {
	file *source.JSON
	rows *drafts.JSONRows
	left int64 // number of further rows that are allowed
	most int64
	text []byte
	err  error // error of the current row; nil if text is the row
}

// newJSONStream returns the stream of rows in JSON.
func newJSONStream(file *source.JSON, kind jobs.Kind, opt Options) *jsonStream {
	most := int64(opt.Limits.WithDefaults().Rows)
	rows := drafts.NewJSONRows(kind, opt.Limits).By(opt.KeyColumn).StartBy(opt.RunAtColumn)
	return &jsonStream{file: file, rows: rows, left: most, most: most}
}

func (s *jsonStream) next() error {
	s.text, s.err = s.file.Next()
	var file *tabular.Problem
	switch {
	case s.err == io.EOF:
		return io.EOF
	case errors.As(s.err, &file):
		return s.err
	case s.err != nil && !errors.Is(s.err, jsonrows.ErrTooLong):
		return fmt.Errorf("read upload: %w", s.err)
	case s.left == 0:
		return &tabular.Problem{Code: tabular.CodeTooManyRows, Row: s.file.At(), Detail: fmt.Sprintf(
			"There are more than %d rows. Split them into several tasks.", s.most)}
	}
	s.left--
	return nil
}

func (s *jsonStream) draft() events.Draft {
	if s.err == nil {
		return s.rows.Draft(s.file.At(), s.text)
	}
	return s.rows.TooLong(s.file.At(), s.text)
}

func (s *jsonStream) keyName() string { return s.rows.KeyName() }

func (s *jsonStream) warnings() []string { return nil }

func (s *jsonStream) mayExceed(ctx context.Context, most int) (bool, error) {
	return s.file.MayExceed(ctx, most)
}

func (s *jsonStream) close() error { return nil }
