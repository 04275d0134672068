package importers

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TestReadAgainAsAccepted: what was inspected is told so that reading it again
// gives the same rows, whatever a guess would say then.
func TestReadAgainAsAccepted(t *testing.T) {
	t.Parallel()
	text := []byte("sep=;\nA^B\n1;2^\xcf\xf0\xe8\n")
	opt := Options{Encoding: "CP1251", Delimiter: "^"}
	first := readAll(text, opt.open())
	if first.err != nil {
		t.Fatal(first.err)
	}
	task := &tasks.Task{Source: tasks.Source{
		FileEncoding: first.src.Encoding, FileDelimiter: string(first.src.Delimiter),
		HeaderRow: first.src.HeaderRow,
	}}
	if task.FileEncoding != "windows-1251" || task.FileDelimiter != "^" {
		t.Errorf("source = %+v", task.Source)
	}
	again := readAll(text, of(task, Limits{}).open())
	want := [][]string{{"1;2", "При"}}
	if diff := cmp.Diff(want, again.texts()); again.err != nil || diff != "" {
		t.Errorf("err %v, (-want +got):\n%s", again.err, diff)
	}
	if !bytes.Equal([]byte(first.rows[0].Cells[1].Text), []byte(again.rows[0].Cells[1].Text)) {
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
