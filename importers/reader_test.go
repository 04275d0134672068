package importers

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// countedReads is a reader that counts the bytes that are read.
type countedReads struct {
	io.ReaderAt
	n int
}

func (c *countedReads) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.n += n
	return n, err
}

// TestReader_PackedFile_IsUnpackedOnce counts the rows, searches the last row of each key, and
// reads the rows: all from one unpacked file.
func TestReader_PackedFile_IsUnpackedOnce(t *testing.T) {
	t.Parallel()
	text := "SKU,Name,Price\n" + strings.Repeat("a,b,1\n", 500)
	for format, data := range map[string][]byte{
		"csv": uploads.Gzip(t, []byte(text)), "xlsx": uploads.NewWorkbook(uploads.TwoRows).Zip(t),
	} {
		in := &countedReads{ReaderAt: bytes.NewReader(data)}
		limit := tabular.Limits{Rows: 500}
		task := &tasks.Task{
			Columns: []tasks.Column{{Header: "SKU", Field: "SKU"}, {Header: "Name", Field: "Name"}},
			Options: map[string]any{"duplicates": Latest}, Source: tasks.Source{FileFormat: format, HeaderRow: 1},
		}
		file, err := recognizeTask(in, int64(len(data)), task, limit)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		before, rows := in.n, 0
		r := reader{file, goodKind, task, limit}
		if err := r.refuseLong(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err = r.each(t.Context(), func(events.Draft) error { rows++; return nil })
		if err != nil || rows == 0 {
			t.Errorf("%s: %d rows, %v", format, rows, err)
		}
		if unpacked := format == "csv"; unpacked && in.n != before {
			t.Errorf("%s: %d bytes were read again", format, in.n-before)
		}
	}
}
