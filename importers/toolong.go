package importers

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// refuseLong returns the problem of a file with more rows than it may have, before its
// first row is added. It reads the whole file only if that has as many line ends, or as
// many elements of rows.
func (s *Splitter) refuseLong(ctx context.Context, t *tasks.Task, kind worker.Kind) error {
	return s.within(ctx, t, kind, func(rows stream) error {
		long, err := mayBeLong(ctx, rows, s.opt.Limits.withDefaults().Rows)
		if err != nil || !long {
			return err
		}
		return count(ctx, rows)
	})
}

// mayBeLong reports whether a file may have more than most rows.
func mayBeLong(ctx context.Context, rows stream, most int) (bool, error) {
	if t, ok := rows.(*tableStream); ok {
		if sheet, ok := t.src.rows.(*sheetReader); ok {
			return manyRows(ctx, sheet, most)
		}
	}
	up, end := textOf(rows)
	if up == nil {
		return false, nil
	}
	ends, err := countBytes(ctx, up, end)
	return ends >= int64(most), err
}

// count reads rows to their end. It returns only the problem that there are too many:
// the other ones are for the reader that adds the rows before them.
func count(ctx context.Context, rows stream) error {
	for n := 1; ; n++ {
		err := rows.next()
		var p *Problem
		switch {
		case err == io.EOF, errors.As(err, &p) && p.Code != CodeTooManyRows:
			return nil
		case err == nil && n%previewBreath == 0:
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// textOf returns the upload of rows that are a text, and the bytes of which one stands
// behind each row; nil for a workbook.
func textOf(rows stream) (up *upload, ends string) {
	switch r := rows.(type) {
	case *tableStream:
		if r.src.Delimiter > 0 {
			return r.src.up, "\r\n"
		}
	case *jsonStream:
		if r.file.format == FormatJSON {
			return r.file.content.up, ",]"
		}
		return r.file.content.up, "\r\n"
	}
	return nil, ""
}

// countBytes counts how often the bytes stand in an upload.
func countBytes(ctx context.Context, up *upload, set string) (n int64, err error) {
	in, buf := io.NewSectionReader(up, 0, up.size), make([]byte, 256<<10)
	for {
		got, err := in.Read(buf)
		for _, c := range []byte(set) {
			n += int64(bytes.Count(buf[:got], []byte{c}))
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return 0, up.blame(err)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
}
