package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// invoices has columns of all types, and headings in several scripts.
const invoices = `No,Customer,Amount,Due date,Paid,Postcode,Цена,数量,"a ""b"" ` + "`c`" + `"
R-1,Acme,12.50,2026-01-02,yes,01067,5,7,x
R-2,Globex,3,2026-01-03,no,10115,6,,
R-3,Acme,,2026-01-03,no,10115,6,,
R-4,Acme,1,2026-01-03,no,10115,7,8,y
`

// request puts a file into a folder of its own, beside an empty package.
func request(t *testing.T, kind, text string) Request {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "workers")
	file := filepath.Join(filepath.Dir(dir), "file.csv")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	return Request{Kind: kind, File: file, Dir: dir}
}

func TestWrite_ColumnsOfAFile_GetTypesThatFitAllRows(t *testing.T) {
	t.Parallel()
	w, err := Write(request(t, "invoices.book", invoices))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(w.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(` +`).ReplaceAllString(string(text), " ")
	for _, want := range []string{
		`No string ` + "`" + `row:"No" key:"true" validate:"required" example:"R-1"` + "`",
		`Customer string ` + "`" + `row:"Customer" validate:"required" example:"Acme"` + "`",
		`Amount *decimal.Decimal ` + "`" + `row:"Amount" example:"12.50"` + "`",
		`DueDate time.Time ` + "`" + `row:"Due date" validate:"required" example:"2026-01-02"` + "`",
		`Paid bool ` + "`" + `row:"Paid" validate:"required" example:"yes"` + "`",
		`Postcode string ` + "`" + `row:"Postcode" validate:"required" example:"01067"` + "`",
		`Цена int64 ` + "`" + `row:"Цена" validate:"required" example:"5"` + "`",
		`Column8 *int64 ` + "`" + `row:"数量" example:"7"` + "`",
		`ABC string "row:\"a \\\"b\\\" ` + "`c`" + `\" example:\"x\""`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
}

// TestFieldName_HeadingsGiveOneName_NamesDiffer has headings that give the name of a later column.
func TestFieldName_HeadingsGiveOneName_NamesDiffer(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	var got []string
	for i, heading := range []string{"Column 2", "Column-2", "数量", "column_3", "Column 2"} {
		got = append(got, fieldName(heading, i, taken))
	}
	if want := "Column2 Column3 Column4 Column5 Column6"; strings.Join(got, " ") != want {
		t.Errorf("fields %v, want %s", got, want)
	}
}

func TestWrite_KeyIsNamed_IsTheKey(t *testing.T) {
	t.Parallel()
	r := request(t, "invoices.book", invoices)
	r.Key = "customer"
	w, err := Write(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(w.Files[0])
	if err != nil || !strings.Contains(string(text), `row:"Customer" key:"true"`) || strings.Count(string(text), `key:"true"`) != 1 {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestWrite_RequestCannotBeMet_WritesNothing(t *testing.T) {
	t.Parallel()
	problem := func(err error) bool { var p *tabular.Problem; return errors.As(err, &p) }
	for name, c := range map[string]struct {
		kind, text, key, there string
		is                     func(error) bool
	}{
		"name of the kind": {"Invoices", invoices, "", "", isOf(ErrKind)},
		"no such key":      {"invoices.book", invoices, "Nr", "", isOf(ErrKey)},
		"no rows":          {"invoices.book", "No,Customer\n", "", "", problem},
		"name is taken":    {"invoices.book", invoices, "", "books.go", isOf(ErrTaken)},
		"file is there":    {"invoices.book", invoices, "", "testdata/invoicesbook.csv", isOf(fs.ErrExist)},
	} {
		r := request(t, c.kind, c.text)
		r.Key = c.key
		if c.there != "" {
			place := filepath.Join(r.Dir, c.there)
			err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o700), os.WriteFile(place, []byte("package workers\n\ntype InvoicesBookRow int\n"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := Write(r)
		left, globErr := filepath.Glob(filepath.Join(r.Dir, "invoices*"))
		if !c.is(err) || globErr != nil || len(left) > 0 {
			t.Errorf("%s: %v, and %q", name, err, left)
		}
	}
}

func isOf(want error) func(error) bool {
	return func(err error) bool { return errors.Is(err, want) }
}
