package importers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestHeaderOfTheKindIsFound: titles of several cells and data above the header are skipped if the
// names of the kind's fields are below.
func TestHeaderOfTheKindIsFound(t *testing.T) {
	t.Parallel()
	const head = "SKU,Name,Price\n"
	const row = "a,b,1\n"
	tests := []struct {
		name, data string
		opt        Options
		row        int
		code       string
	}{
		{"on line 1", head + row, Options{}, 1, ""},
		{"below a title of two cells", "Price list,May\n\n" + head + row, Options{}, 3, ""},
		{"below a title with a gap", "Price list,,2024\n" + head + row, Options{}, 2, ""},
		{"below a title that repeats", "x,x\n" + head + row, Options{}, 2, ""},
		{"below words", "Firm,Acme\nBy,Ann\nOn,Monday\n" + head + row, Options{}, 4, ""},
		{"by what the mapping says", "Firm,Acme\nNo,Name,Price\n" + row, Options{Mapping: map[string]string{"No": "SKU"}}, 2, ""},
		{"below twenty rows it is not looked for", strings.Repeat("x,y\n", 20) + head + row, Options{}, 0, tabular.CodeMissingColumn},
		{"nor where a row was named", "Price list,May\n" + head + row, Options{HeaderRow: 1}, 0, tabular.CodeMissingColumn},
		{"none", "Firm,Acme\nBy,Ann\n", Options{}, 0, tabular.CodeMissingColumn},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, err := Inspect(bytes.NewReader([]byte(tt.data)), int64(len(tt.data)), goodKind, tt.opt)
			if tt.code != "" {
				if p := (uploads.Reading{Err: err}).Problem(t); p.Code != tt.code {
					t.Errorf("got %v, want %s", err, tt.code)
				}
				return
			}
			if err != nil || in.HeaderRow != tt.row || len(in.Columns) != 3 {
				t.Errorf("header in row %d of %+v, %v", in.HeaderRow, in.Columns, err)
			}
		})
	}
}
