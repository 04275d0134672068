package importers

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/worker"
)

type voter struct {
	District string `row:"District"`
	Votes    int    `row:"Votes"`
	Day      string `row:"Day"`
}

var voterKind = jobs.KindOf(worker.Define("voters.import",
	func(context.Context, *worker.Job[voter]) error { return nil }))

func inspect(data string, opt Options) (Inspection, error) {
	return Inspect(bytes.NewReader([]byte(data)), int64(len(data)), voterKind, opt)
}

// TestInspect_ColumnThatFeedsNoField_IsNamed: a warning names the column, unless the user has left
// it out.
func TestInspect_ColumnThatFeedsNoField_IsNamed(t *testing.T) {
	t.Parallel()
	data := "District,Vote,Foo\nN,1,2\n"
	in, err := inspect(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	uploads.RequireWarning(t, in.Warnings, "not imported", `"Vote" (Votes?), "Foo"`)
	in, err = inspect(data, Options{Mapping: map[string]string{"Vote": "Votes", "Foo": ""}})
	if err != nil || len(in.Warnings) > 0 {
		t.Errorf("with a mapping: %q, %v", in.Warnings, err)
	}
}

func TestInspect_NoColumnFeedsAField_IsRefused(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"Foo,Bar\n1,2\n", "a@b.de\nc@d.de\n", "Foo,,Bar,Foo\n1,2,3,4\n"} {
		_, err := inspect(data, Options{})
		p := uploads.Reading{Err: err}.Problem(t)
		if p.Code != CodeNoKnownColumn || !strings.Contains(p.Detail, "District, Votes, Day") {
			t.Errorf("%q: %+v", data, p)
		}
	}
	if in, err := inspect("Foo,Bar\nDistrict,Votes\nN,2\n", Options{}); err != nil || in.HeaderRow != 2 {
		t.Errorf("headings below: %+v, %v", in, err)
	}
}

// TestInspect_HeadingTwice_IsRefusedOnlyIfItFeedsAField: the problem names every column with the
// heading.
func TestInspect_HeadingTwice_IsRefusedOnlyIfItFeedsAField(t *testing.T) {
	t.Parallel()
	_, err := inspect("District,Votes,, v\u00a0O\u200btes,DISTRICT\n1,2,3,4,5\n", Options{})
	p := uploads.Reading{Err: err}.Problem(t)
	var places []string
	for _, f := range p.Errors {
		places = append(places, fmt.Sprint(f.Column, f.Row, f.Code))
	}
	want := []string{"D1DUPLICATE_HEADER", "E1DUPLICATE_HEADER"}
	if diff := cmp.Diff(want, places); diff != "" || !strings.Contains(p.Detail, `Columns B ("Votes") and D`) {
		t.Errorf("%+v, (-want +got):\n%s", p, diff)
	}
	in, err := inspect("District,Total,Total\n1,2,3\n", Options{})
	if err != nil || len(in.Columns) != 2 {
		t.Fatalf("%+v, %v", in, err)
	}
	uploads.RequireWarning(t, in.Warnings, "same heading", `C ("Total")`)
	_, err = inspect("District,Total,Total\n1,2,3\n", Options{Mapping: map[string]string{"Total": "Votes"}})
	if p := (uploads.Reading{Err: err}).Problem(t); p.Code != tabular.CodeDuplicateHeader {
		t.Errorf("mapped: %+v", p)
	}
}

// TestRow_ValueRightOfTheLastColumn_CostsTheRow: only the row is invalid, because rows of the file
// may have run by then.
func TestRow_ValueRightOfTheLastColumn_CostsTheRow(t *testing.T) {
	t.Parallel()
	sheet := uploads.NewWorkbook(uploads.TwoRows + `<row r="4"><c r="A4"><v>1</v></c><c r="XFD4"><v>1</v></c></row><row r="5"><c r="A5"><v>7</v></c></row>`)
	for _, data := range [][]byte{sheet.Zip(t), []byte("A,B\n1,2\n3,4\n1" + strings.Repeat(",", 16383) + "1\n7,8\n")} {
		r := uploads.Read(data, source.Options{})
		if r.Err != nil || len(r.Rows) != 4 || r.Rows[2].Beyond != 16384 || r.Rows[3].Beyond != 0 {
			t.Fatalf("read %v, %v", r.Rows, r.Err)
		}
		faults := drafts.NewMaker(voterKind, columnsOf(r.Table.Header, voterKind.Schema.Match(r.Table.Header, nil))).Draft(r.Rows[2]).Failure
		if faults == nil || faults.Fields[len(faults.Fields)-1].Code != drafts.CodeTooManyCells {
			t.Errorf("row 4 fails with %+v, want %s", faults, drafts.CodeTooManyCells)
		}
	}
}

// TestStream_ResultAsANewFile_LosesItsApostrophes: a result in text form has an apostrophe before
// formulas, which an import removes. In other files apostrophes stay.
func TestStream_ResultAsANewFile_LosesItsApostrophes(t *testing.T) {
	t.Parallel()
	own := strings.Join(resultfile.Headings[:], ",")
	drafts := func(data string) (first string, warnings []string) {
		p, err := ReadPreview(t.Context(), bytes.NewReader([]byte(data)), int64(len(data)), voterKind, Options{}, false)
		if err != nil {
			t.Fatal(err)
		}
		return string(p.First[0].Cells), p.Warnings
	}
	cells, warnings := drafts("District," + own + "\n'+49151,2,failed,,,,,,x\n")
	if !strings.HasPrefix(cells, `{"District":"+49151"`) {
		t.Errorf("a result: %s", cells)
	}
	uploads.RequireWarning(t, warnings, "downloaded from Rollcall", "removed")
	cells, warnings = drafts("District,Votes\n'+49151,2\n")
	if !strings.HasPrefix(cells, `{"District":"'+49151"`) {
		t.Errorf("another file: %s", cells)
	}
	uploads.RequireWarning(t, warnings, "Row 2 has a cell with an apostrophe", "kept")
	if _, warnings = drafts("District,Votes\n'til,2\n"); len(warnings) > 0 {
		t.Errorf("an apostrophe before a letter: %q", warnings)
	}
}
