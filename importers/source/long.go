package source

import (
	"bytes"
	"context"
	"io"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
)

// MayExceed reports whether the table may have more rows than the argument `most`. For a text it counts the
// line ends of the whole file. For a workbook it calls xlsx.SheetReader.MayExceed.
func (s *Table) MayExceed(ctx context.Context, most int) (bool, error) {
	if sheet, ok := s.rows.(*xlsx.SheetReader); ok {
		return sheet.MayExceed(ctx, most)
	}
	ends, err := countBytes(ctx, s.up, "\r\n")
	return ends >= int64(most), err
}

// MayExceed reports whether the file may have more rows than the argument `most`. It reads the whole
// file.
func (j *JSON) MayExceed(ctx context.Context, most int) (bool, error) {
	behind := "\r\n" // each row ends with one of these bytes
	if j.Format == jsonrows.FormatList {
		behind = ",]"
	}
	ends, err := countBytes(ctx, j.up, behind)
	return ends >= int64(most), err
}

// countBytes returns the number of bytes of an upload that are in the argument `set`.
func countBytes(ctx context.Context, up *tabular.Upload, set string) (n int64, err error) {
	in, buf := io.NewSectionReader(up, 0, up.Size), make([]byte, 256<<10)
	for {
		got, err := in.Read(buf)
		for _, c := range []byte(set) {
			n += int64(bytes.Count(buf[:got], []byte{c}))
		}
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return 0, up.IOErr(err)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
}
