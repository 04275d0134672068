package importers

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// stream is the rows of an upload as they go into the ledger, whatever its
// format. It is for one goroutine. Close it.
type stream interface {
	// next goes on to the next row. It returns io.EOF only at the proved end;
	// what is wrong with the file as a whole is a *Problem.
	next() error
	// draft validates the row. Rows that are passed by need none.
	draft() events.Draft
	// keyName is how faults call the key; empty if rows have none.
	keyName() string
	// warnings are what was decided without asking, up to here; nil if nothing
	// is said of that.
	warnings() []string
	close() error
}

// openStream reads an upload as it was accepted: its format and columns are
// known.
func openStream(
	r io.ReaderAt, size int64, kind worker.Kind, t *tasks.Task, l Limits,
) (stream, error) {
	if t.FileFormat == FormatJSONLines || t.FileFormat == FormatJSON {
		return openJSONStream(r, size, kind, of(t, l), t.FileFormat)
	}
	src, err := Open(r, size, of(t, l).open())
	if err != nil {
		return nil, err
	}
	rows := newTableStream(src, kind, t.Columns).by(of(t, l).KeyColumn)
	rows.maker.decimalBy(of(t, l).Decimal)
	return rows, nil
}

// tableStream is the stream of a file with headings.
type tableStream struct {
	src   *Source
	maker *rowMaker
	row   Row
	guard guarded
}

func newTableStream(src *Source, kind worker.Kind, columns []tasks.Column) *tableStream {
	maker := newRowMaker(kind, columns)
	maker.even = src.Delimiter > 0
	return &tableStream{src: src, maker: maker, guard: guardedBy(src)}
}

// by has rows ordered by another column: see rowMaker.by.
func (s *tableStream) by(keyName string) *tableStream {
	s.maker.by(keyName)
	return s
}

func (s *tableStream) next() (err error) {
	s.row, err = s.src.Next()
	s.guard.open(s.row)
	return err
}

func (s *tableStream) draft() events.Draft { return s.maker.draft(s.row) }

func (s *tableStream) keyName() string { return s.maker.key.name }

func (s *tableStream) warnings() []string { return s.src.Warnings }

func (s *tableStream) close() error { return s.src.Close() }

// jsonStream is the stream of a file of JSON objects. A row that cannot be
// read costs itself.
type jsonStream struct {
	file *jsonFile
	rows *JSONRows
	left int64 // rows that may come yet
	most int64
	text []byte
	err  error // why text is not a row
}

// openJSONStream opens an upload that is known to hold rows in JSON.
func openJSONStream(r io.ReaderAt, size int64, kind worker.Kind, opt Options, format string) (stream, error) {
	_, file, err := recognize(r, size, opt.open(), format)
	if err != nil {
		return nil, err
	}
	most := int64(opt.Limits.withDefaults().Rows)
	rows := NewJSONRows(kind, opt.Limits).By(opt.KeyColumn)
	return &jsonStream{file: file, rows: rows, left: most, most: most}, nil
}

func (s *jsonStream) next() error {
	s.text, s.err = s.file.next()
	var file *Problem
	switch {
	case s.err == io.EOF:
		return io.EOF
	case errors.As(s.err, &file):
		return s.err
	case s.err != nil && !errors.Is(s.err, errLongLine):
		return fmt.Errorf("read upload: %w", s.err)
	case s.left == 0:
		return &Problem{Code: CodeTooManyRows, Row: s.file.at(), Detail: fmt.Sprintf(
			"There are more than %d rows. Split them into several tasks.", s.most)}
	}
	s.left--
	return nil
}

func (s *jsonStream) draft() events.Draft {
	if s.err == nil {
		return s.rows.Draft(s.file.at(), s.text)
	}
	return s.rows.maker.unread(s.file.at(), s.text, malformed("", worker.CodeRowTooLarge,
		"row.long", "n", strconv.Itoa(maxLine>>20)))
}

func (s *jsonStream) keyName() string { return s.rows.maker.key.name }

func (s *jsonStream) warnings() []string { return nil }

func (s *jsonStream) close() error { return s.file.close() }
