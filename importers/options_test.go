package importers

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestReadAgainAsAccepted: the task stores what the inspection found, so that reading the file
// again gives the same rows, whatever a new guess would be.
func TestReadAgainAsAccepted(t *testing.T) {
	t.Parallel()
	text := []byte("sep=;\nA^B\n1;2^\xcf\xf0\xe8\n")
	opt := Options{Encoding: "CP1251", Delimiter: "^"}
	first := uploads.Read(text, opt.Reading())
	if first.Err != nil {
		t.Fatal(first.Err)
	}
	task := &tasks.Task{Source: tasks.Source{
		FileEncoding: first.Table.Encoding, FileDelimiter: string(first.Table.Delimiter),
		HeaderRow: first.Table.HeaderRow,
	}}
	if task.FileEncoding != "windows-1251" || task.FileDelimiter != "^" {
		t.Errorf("source = %+v", task.Source)
	}
	again := uploads.Read(text, optionsOf(task, tabular.Limits{}).Reading())
	want := [][]string{{"1;2", "При"}}
	if diff := cmp.Diff(want, again.Texts()); again.Err != nil || diff != "" {
		t.Errorf("err %v, (-want +got):\n%s", again.Err, diff)
	}
	if !bytes.Equal([]byte(first.Rows[0].Cells[1].Text), []byte(again.Rows[0].Cells[1].Text)) {
		t.Error("read again, the row is another")
	}
}

func TestOptionsThatNoFileHas(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Encoding: "klingon"},
		{Encoding: "hz-gb-2312"},
		{Delimiter: "ab"},
		{Delimiter: "x"},
		{Delimiter: "7"},
		{Delimiter: `"`},
		{Delimiter: "\n"},
		{Delimiter: "、"},
	} {
		if o.Check() == nil {
			t.Errorf("%+v passes", o)
		}
	}
	for _, o := range []Options{
		{},
		{Encoding: "UTF8"},
		{Encoding: "Shift_JIS", Delimiter: "\t"},
		{Encoding: "utf-16le"},
		{Delimiter: "|"},
	} {
		if err := o.Check(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
