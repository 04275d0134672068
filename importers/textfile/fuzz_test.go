package textfile_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// FuzzCSV checks that reading never panics, and that a text that encoding/csv accepts is read as by
// encoding/csv.
func FuzzCSV(f *testing.F) {
	f.Add("A,B\n1,2\n")
	f.Add("A;B\r\n\"x\r\ny\";2\r\n")
	f.Add("A,B\n5\" x,\"a\"\"b\"\n")
	f.Add("A,B\r1,\"2")
	f.Add("A,B\n\"x\" ,1\n")
	f.Fuzz(func(t *testing.T, data string) {
		r := uploads.Read([]byte(data), source.Options{Delimiter: ',', Encoding: "utf-8"})
		if r.Err != nil {
			r.Problem(t)
			return
		}
		if strings.Contains(strings.ReplaceAll(data, "\r\n", "\n"), "\r") ||
			strings.HasPrefix(strings.ToLower(data), "sep=") || strings.HasPrefix(data, "\xFE\xFF") ||
			strings.HasPrefix(data, "\xFF\xFE") || strings.Contains(data, "sep=") {
			return // encoding/csv reads a bare CR as text, and does not read UTF-16
		}
		if strings.Contains(fmt.Sprint(r.Texts()), "!") {
			return // a cell may have replaced characters
		}
		c := csv.NewReader(strings.NewReader(strings.TrimPrefix(data, "\xEF\xBB\xBF")))
		c.FieldsPerRecord = -1
		want, err := c.ReadAll()
		if err != nil {
			return
		}
		if diff := cmp.Diff(visible(want, r.Table.Header), append([][]string{}, plain(r)...)); diff != "" {
			t.Errorf("%q (-encoding/csv +ours):\n%s", data, diff)
		}
	})
}

// visible returns what encoding/csv read below the header, without what our reader omits: blank
// rows, and empty cells at the end.
func visible(rows [][]string, head []string) [][]string {
	found := false
	out := [][]string{}
	for _, row := range rows {
		if tabular.TrimHeading(strings.Join(row, "")) == "" {
			continue
		}
		for row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if found {
			out = append(out, row)
		}
		found = found || isHead(row, head)
	}
	return out
}

func isHead(row, head []string) bool {
	for i, cell := range row {
		if cell = tabular.TrimHeading(cell); i < len(head) && cell != head[i] || i >= len(head) && cell != "" {
			return false
		}
	}
	return len(row) >= len(head)
}

// plain returns our rows as texts, without their codes.
func plain(r uploads.Reading) [][]string {
	var out [][]string
	for _, row := range r.Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, c.Text)
		}
		out = append(out, cells)
	}
	return out
}

// FuzzText checks that any bytes are always read in the same way. With the properties that the
// first reading found, the second gives the same rows. So a splitter can continue a file.
func FuzzText(f *testing.F) {
	f.Add([]byte("A;B\n1;\xe4\n"))
	f.Add([]byte("sep=|\r\nA|B\r\n1|2\r\n"))
	f.Add([]byte("\xFF\xFEA\x00,\x00B\x00\n\x001\x00,\x002\x00"))
	f.Add([]byte("\xcd\xe0\xe7\xe2\xe0\xed\xe8\xe5;\xd6\xe5\xed\xe0\n\xcc\xee\xeb\xee\xea\xee;5\n"))
	f.Add([]byte("\x8f\xa4\x95\x69\x96\xbc,\x89\xbf\x8a\x69\n\x90\xd4,5\n"))
	f.Add([]byte("x\n\n\"y\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first := uploads.Read(data, source.Options{})
		if first.Table == nil {
			first.Problem(t) // never an error of another kind
			return
		}
		s := first.Table
		again := uploads.Read(data, source.Options{
			Encoding: s.Encoding, Delimiter: s.Delimiter, HeaderRow: s.HeaderRow, Sheet: s.Sheet,
		})
		if again.Table == nil {
			t.Fatalf("%q: read again, it is refused: %v", data, again.Err)
		}
		if diff := cmp.Diff(first.Texts(), again.Texts()); diff != "" {
			t.Errorf("%q (-first +again):\n%s", data, diff)
		}
	})
}
