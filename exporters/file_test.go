package exporters

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/internal/table"
)

var (
	columns = []table.Column{{Name: "Text", Type: "text"}, {Name: "Price", Type: "number"}, {Name: "Day", Type: "date"}}

	rows = [][]table.Cell{
		{{Kind: table.Text, Text: "=1+1"}, {Kind: table.Decimal, Int: -1250, Digits: 2}, {Kind: table.Moment, Time: time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)}},
		{{Kind: table.Text, Text: "a \"b\",\nc & <d>"}, {Kind: table.Integer, Int: 1234567890123456}, {Kind: table.Moment, Time: time.Date(2026, 3, 31, 14, 30, 0, 0, time.UTC)}},
		{{}, {Kind: table.Float, Float: 0.1}, {}},
		{{Kind: table.Text, Text: "Ω_x000D_\x01 "}, {Kind: table.Digits, Text: "0.00000000000000000001"}, {Kind: table.Moment, Time: time.Date(1850, 1, 1, 0, 0, 0, 0, time.UTC)}},
		{{Kind: table.Text, Text: "-5"}, {Kind: table.Boolean, Int: 1}, {}},
	}
)

// made returns a file with the rows of the variable `rows`. The arguments `perFrame` and `most` are the
// maximum numbers of rows of a frame and of a sheet.
func made(t testing.TB, spec table.Spec, perFrame int, most uint32) []byte {
	t.Helper()
	var frames [][][]table.Cell
	for list := range slices.Chunk(rows, perFrame) {
		frames = append(frames, list)
	}
	return fileOf(t, spec, columns, most, frames...)
}

// fileOf returns a file of rows in frames.
func fileOf(
	t testing.TB, spec table.Spec, columns []table.Column, most uint32, frames ...[][]table.Cell,
) []byte {
	t.Helper()
	var out bytes.Buffer
	s, err := begin(&out, form{spec, columns, "Prices"}, most)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range frames {
		f, body := framed(t, spec, columns, list)
		if err := s.frame(f, bytes.NewReader(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// framed returns rows as a part stores them.
func framed(
	t testing.TB, spec table.Spec, columns []table.Column, list [][]table.Cell,
) (frame, []byte) {
	t.Helper()
	w, err := table.NewRows(spec, columns)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for _, cells := range list {
		if text, err = w.Append(text, cells); err != nil {
			t.Fatal(err)
		}
	}
	f := frame{uint32(len(list)), uint32(len(text)), uint32(len(text)), crc32.ChecksumIEEE(text)}
	if spec.Compression == "" && spec.Format != table.XLSX {
		return f, text
	}
	packer, err := newPacker(spec)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := pack(packer, &packed, text); err != nil {
		t.Fatal(err)
	}
	f.size = uint32(packed.Len())
	return f, packed.Bytes()
}

// TestTextFiles reads the files with readers of the standard library.
func TestTextFiles(t *testing.T) {
	t.Parallel()
	want := [][]string{
		{"Text", "Price", "Day"},
		{"'=1+1", "-12.50", "2026-03-31"},
		{"a \"b\",\nc & <d>", "1234567890123456", "2026-03-31 14:30:00"},
		{"", "0.1", ""},
		{"Ω_x000D_\x01 ", "0.00000000000000000001", "1850-01-01"},
		{"-5", "true", ""},
	}
	read := func(r io.Reader, comma rune) [][]string {
		in := csv.NewReader(r)
		in.Comma = comma
		got, err := in.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	packed, err := gzip.NewReader(bytes.NewReader(made(t, table.Spec{Format: "csv", Compression: "gzip"}, 2, 9)))
	if err != nil {
		t.Fatal(err)
	}
	file := made(t, table.Spec{Format: "tsv", Compression: "zip"}, 1, 9)
	box, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if f := box.File[0]; f.Flags&0x800 == 0 {
		t.Errorf("letters of %q are not said to be Unicode: %#x", f.Name, f.Flags)
	}
	inner, err := box.Open("Prices.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][][]string{
		"plain": read(bytes.NewReader(made(t, table.Spec{Format: "csv", Delimiter: ";"}, 3, 9)), ';'),
		"gzip":  read(packed, ','), "zip": read(inner, '\t'),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	lines := strings.Split(string(made(t, table.Spec{Format: "jsonl"}, 2, 9)), "\n")
	var first map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &first); err != nil || len(lines) != 6 ||
		first["Text"] != "a \"b\",\nc & <d>" || first["Day"] != "2026-03-31T14:30:00Z" {
		t.Errorf("%d lines, the second %s: %v", len(lines), lines[1], err)
	}
	greek := string(made(t, table.Spec{Format: "csv", Encoding: "windows-1253"}, 2, 9))
	if !strings.Contains(greek, "\xd9_x000D_") || !strings.HasPrefix(string(made(t, table.Spec{
		Format: "csv", Encoding: "UTF-16LE", BOM: true,
	}, 2, 9)), "\xff\xfeT\x00") {
		t.Errorf("the character set is wrong: %q", greek)
	}
}

// TestWorkbooks reads the files with excelize. Rows that do not fit are in a further sheet with the
// headings, wherever their frame ends.
func TestWorkbooks(t *testing.T) {
	t.Parallel()
	for perFrame := 1; perFrame <= len(rows); perFrame++ {
		f, err := excelize.OpenReader(bytes.NewReader(made(t, table.Spec{Format: "xlsx"}, perFrame, 3)))
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for i, name := range f.GetSheetList() {
			sheet, err := f.GetRows(name)
			if err != nil {
				t.Fatal(err)
			}
			if panes, err := f.GetPanes(name); err != nil || !panes.Freeze || panes.YSplit != 1 {
				t.Errorf("the headings of %s do not stay: %+v, %v", name, panes, err)
			}
			if want := []string{"Prices", "Prices (2)", "Prices (3)"}[i]; name != want {
				t.Errorf("sheet %d is %q", i, name)
			}
			got = append(got, sheet...)
		}
		head := []string{"Text", "Price", "Day"}
		want := [][]string{
			head,
			{"=1+1", "-12.50", "2026-03-31"},
			{"a \"b\",\nc & <d>", "1234567890123456", "2026-03-31 14:30:00"},
			head,
			{"", "0.1"},
			{"Ω_x000D_\x01 ", "0.00000000000000000001", "1850-01-01"},
			head,
			{"-5", "TRUE"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d rows in a frame (-want +got):\n%s", perFrame, diff)
		}
		formula, err := f.GetCellFormula("Prices", "A2")
		if err != nil || formula != "" {
			t.Errorf("A2 is the formula %q: %v", formula, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSumsOfTextsJoin joins checksums of texts of any lengths.
func TestSumsOfTextsJoin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOf(rapid.Byte()).Draw(t, "a"), rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		want := crc32.ChecksumIEEE(append(slices.Clone(a), b...))
		if got := joinCRC(crc32.ChecksumIEEE(a), crc32.ChecksumIEEE(b), int64(len(b))); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

// TestNoFileIsMadeOfHalfAPart: a part that is cut off, or a file that cannot be written, is an
// error.
func TestNoFileIsMadeOfHalfAPart(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"csv", "xlsx"} {
		spec := table.Spec{Format: format}
		f, body := framed(t, spec, columns, rows)
		s, err := begin(io.Discard, form{spec, columns, "x"}, 3)
		if err == nil {
			err = s.frame(f, bytes.NewReader(body[:len(body)-1]))
		}
		if err == nil {
			t.Errorf("%s of a part that is cut off", format)
		}
		if s, err = begin(fullDisk{}, form{spec, columns, "x"}, 9); err == nil {
			err = s.frame(f, bytes.NewReader(body))
		}
		if err == nil {
			err = s.end()
		}
		if err == nil {
			t.Errorf("%s on a full disk", format)
		}
	}
	if _, err := readFrame(strings.NewReader("short")); err == nil {
		t.Error("the head of a frame is cut off")
	}
}

// fullDisk is a writer that fails each write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }
