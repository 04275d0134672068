package importers

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// good is a row with columns of the usual types.
type good struct {
	SKU   string    `row:"SKU" key:"true" validate:"required,max=8"`
	Name  string    `row:"Name" validate:"required"`
	Zip   string    `row:"Zip"`
	Price float64   `row:"Price" validate:"gt=0"`
	Stock int64     `row:"Stock"`
	Since time.Time `row:"Since"`
	Note  string    `row:"Note"`
}

var goodKind = jobs.KindOf(worker.Define("goods.import",
	func(context.Context, *worker.Job[good]) error { return nil }))

var goodHeader = []string{"SKU", "Name", "Zip", "Price", "Stock", "Since", "Note"}

// goodRows returns random rows as values. One in five has a fault.
func goodRows(rnd *rand.Rand, n int) [][]any {
	names := []string{"Käse", "Brötchen", "5\" screw", "a,b;c\td", "say \"hi\"", "Weiße Farbe", "=1+1"}
	var rows [][]any
	for i := range n {
		row := []any{
			"s" + strconv.Itoa(i%50), names[rnd.IntN(len(names))], fmt.Sprintf("%05d", rnd.IntN(99999)),
			float64(1+rnd.IntN(100_000)) / 100, rnd.IntN(500),
			time.Date(2024, 1, 1+rnd.IntN(300), 0, 0, 0, 0, time.UTC), "two\nlines",
		}
		switch rnd.IntN(15) {
		case 0:
			row[0] = nil
		case 1:
			row[3] = "abc"
		case 2:
			row[5] = "31/02/2024"
		case 3:
			row[6] = nil
		}
		rows = append(rows, row)
	}
	return rows
}

// shown returns a value as a text file shows it.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case time.Time:
		return v.Format(time.DateOnly)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// asText writes delimited text in a character set.
func asText(t *testing.T, rows [][]any, charset string, delim rune) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = delim
	lines := [][]string{goodHeader}
	for _, row := range rows {
		var line []string
		for _, v := range row {
			line = append(line, shown(v))
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	coded, err := enc.NewEncoder().Bytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if charset == "utf-16le" {
		coded = append([]byte("\xFF\xFE"), coded...)
	}
	return coded
}

// asJSON writes an object for each row.
func asJSON(t *testing.T, rows [][]any, list bool) []byte {
	t.Helper()
	var objects []json.RawMessage
	for _, row := range rows {
		object := map[string]any{}
		for i, v := range row {
			if day, ok := v.(time.Time); ok {
				v = shown(day)
			}
			if v != nil {
				object[goodHeader[i]] = v
			}
		}
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, text)
	}
	if list {
		text, err := json.MarshalIndent(objects, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var b bytes.Buffer
	for _, o := range objects {
		b.Write(append(o, '\n'))
	}
	return b.Bytes()
}

// asBook returns a workbook whose rows were written in one of the ways of uploads.Writers.
func asBook(t *testing.T, rows [][]any, how string) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	var head []any
	for _, h := range goodHeader {
		head = append(head, h)
	}
	if err := uploads.Writers[how](f, head, rows); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// draftsOf inspects a file like an upload, reads it like the file of a task, and returns its drafts.
func draftsOf(t *testing.T, data []byte, opt Options) ([]events.Draft, Inspection) {
	t.Helper()
	in, err := Inspect(bytes.NewReader(data), int64(len(data)), goodKind, opt)
	if err != nil {
		t.Fatal(err)
	}
	task := &tasks.Task{Columns: in.Columns, Source: tasks.Source{
		FileName: opt.Name, FileSheet: in.Sheet, FileFormat: in.Format, HeaderRow: in.HeaderRow,
		FileEncoding: in.Encoding, FileDelimiter: in.Delimiter,
	}}
	file, err := recognizeTask(bytes.NewReader(data), int64(len(data)), task, opt.Limits)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := openStream(file, goodKind, task, opt.Limits)
	if err != nil {
		t.Fatal(err)
	}
	var out []events.Draft
	for {
		err := rows.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("after %d rows: %v", len(out), err)
		}
		d := rows.draft()
		d.Row = len(out) // lines and places differ between formats
		out = append(out, d)
	}
	if err := errors.Join(rows.close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return out, in
}

// TestEveryFormatGivesTheSameEvents writes one table in every format.
func TestEveryFormatGivesTheSameEvents(t *testing.T) {
	t.Parallel()
	rows := goodRows(rand.New(rand.NewPCG(3, 3)), 200)
	files := map[string][]byte{
		"xlsx shared": asBook(t, rows, "shared"), "xlsx inline": asBook(t, rows, "inline"),
		"jsonl": asJSON(t, rows, false), "json": asJSON(t, rows, true),
	}
	for _, charset := range []string{"utf-8", "utf-16le", "windows-1252"} {
		for _, delim := range ",;\t" {
			files[fmt.Sprintf("text %s %q", charset, delim)] = asText(t, rows, charset, delim)
		}
	}
	want, _ := draftsOf(t, files["jsonl"], Options{})
	failed := 0
	for _, d := range want {
		if d.Failure != nil {
			failed++
		}
	}
	if len(want) != len(rows) || failed < 10 || failed > 100 {
		t.Fatalf("%d rows, %d failed: not a test", len(want), failed)
	}
	for name, data := range files {
		for _, packed := range []struct {
			how  string
			data []byte
		}{
			{"plain", data},
			{"gz", uploads.Gzip(t, data)},
			{"zip", uploads.ZipFile(t, "goods", data)},
		} {
			t.Run(name+" "+packed.how, func(t *testing.T) {
				t.Parallel()
				got, _ := draftsOf(t, packed.data, Options{Name: "goods." + packed.how})
				if !reflect.DeepEqual(want, got) {
					t.Errorf("(-jsonl +this):\n%.2000s", cmp.Diff(want, got))
				}
			})
		}
	}
}

// TestFormatIsWhatIsInside: the content of a file determines its format. Its name and its
// compression do not.
func TestFormatIsWhatIsInside(t *testing.T) {
	t.Parallel()
	rows := goodRows(rand.New(rand.NewPCG(4, 4)), 20)
	for want, data := range map[string][]byte{
		"xlsx": asBook(t, rows, "shared"), "csv": asText(t, rows, "utf-8", ';'),
		"tsv": asText(t, rows, "utf-16le", '\t'), "jsonl": asJSON(t, rows, false), "json": asJSON(t, rows, true),
	} {
		for _, file := range [][]byte{data, uploads.Gzip(t, data), uploads.ZipFile(t, "x.bin", data)} {
			_, in := draftsOf(t, file, Options{Name: "misleading.pdf"})
			text := want != "xlsx"
			table := slices.Contains([]string{"csv", "tsv"}, want)
			if in.Format != want || (in.Encoding != "") != text || (in.Delimiter != "") != table {
				t.Errorf("%s was taken for %+v", want, in)
			}
		}
	}
}
