package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// TestOpen_RowsAboveHeadings_AreNamed: the headings are found, and a warning names each row above
// them that is not imported.
func TestOpen_RowsAboveHeadings_AreNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ data, header, first, above string }{
		"years are headings":      {"district,2018\nNorth,5\n", "district|2018", "North|5", ""},
		"a word and a year":       {"Email,2024\na@b.de,1\nc@d.de,2\n", "Email|2024", "a@b.de|1", ""},
		"a title above years":     {"Votes\ndistrict,2018\nNorth,5\n", "district|2018", "North|5", `1 ("Votes")`},
		"titles":                  {"Prices\n\nSpring\nA,B\n1,2\n3,4\n", "A|B", "1|2", `1 ("Prices"), 3 ("Spring")`},
		"a comment":               {"# made by us, for you\nA,B\n1,2\n", "A|B", "1|2", `1 ("# made by us")`},
		"numbers":                 {"1,2\n2024,7\nA,B\n1,2\n", "A|B", "1|2", `1 ("1"), 2 ("2024")`},
		"many":                    {strings.Repeat("1,2\n", 8) + "A,B\n1,2\n", "A|B", "1|2", "and 3 more"},
		"a list with a comma":     {"Word\nx\ny\nz,w\n", "Word", "x", ""},
		"a list, a comma inside":  {"Word\nx\nz,w\ny\n", "Word", "x", ""},
		"a list of commas at end": {"Word\nx\nz,w\nv,w\ny\nx\n", "Word", "x", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read([]byte(tt.data), source.Options{})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			got := []string{strings.Join(r.Table.Header, "|"), strings.Join(r.Texts()[0], "|")}
			if diff := cmp.Diff([]string{tt.header, tt.first}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			uploads.RequireWarning(t, r.Table.Warnings, "rows above", tt.above)
			for _, w := range r.Table.Warnings {
				if vi := words.Translate("vi", "warning.", w); strings.Contains(vi, "row") || strings.Contains(vi, "more") {
					t.Errorf("English words in %q", vi)
				}
			}
			again := uploads.Read([]byte(tt.data), source.Options{HeaderRow: r.Table.HeaderRow})
			if !slices.Equal(r.Table.Warnings, again.Table.Warnings) {
				t.Errorf("with the row named: %q, want %q", again.Table.Warnings, r.Table.Warnings)
			}
		})
	}
}

// TestOpen_EveryRowIsThere_InLists: rows that were read to find the headings are returned, too.
func TestOpen_EveryRowIsThere_InLists(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]int{
		"Word\nx\ny\nz,w\n": 3, "T\nU\nV\nA,B\n1,2\n": 1, "T\nU\nA,B\n1,2\n3,4\n5,6\n7,8\n": 4,
		"Word\n" + strings.Repeat("x\n", 17) + "z,w\n" + strings.Repeat("y\n", 50): 68,
	} {
		if r := uploads.Read([]byte(data), source.Options{}); r.Err != nil || len(r.Rows) != want {
			t.Errorf("%q: %d rows, %v, want %d", data, len(r.Rows), r.Err, want)
		}
	}
	p := uploads.Read([]byte("T\nU\nA,B\n1,2\n3,\"4\n"), source.Options{}).Problem(t)
	if p.Code != tabular.CodeUnclosedQuote {
		t.Errorf("a fault that was read ahead: %+v", p)
	}
}

// TestOpen_ColumnsWithoutOwnHeading_AreLeftOutAndNamed: a column that belongs to no field is no
// reason to refuse the file.
func TestOpen_ColumnsWithoutOwnHeading_AreLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ data, header, rows, about, said string }{
		"an index":        {",A,B\n0,x,y\n1,,z\n", "A|B", "x|y |z", "no heading", ": A."},
		"two gaps":        {"A,,B,,C\n1,2,3,4,5\n1,2\n", "A|B|C", "1|3|5 1", "no heading", ": B, D."},
		"a heading twice": {"A,B,a\n1,2,3\n1,2\n", "A|B", "1|2 1|2", "same heading", `: C ("a").`},
		"an error":        {"A,#N/A,B\n1,2,3\n", "A|B", "1|3", "cannot be read", "B (\"#N/A\")"},
		"an index alone":  {",A\n0,x\n1,\n", "A", "x ", "no heading", ": A."},
		"too many cells":  {",A\n0,x,z\n", "A", "x|z", "no heading", ": A."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read([]byte(tt.data), source.Options{})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			var rows []string
			for i, cells := range r.Texts() {
				rows = append(rows, strings.Join(cells, "|"))
				if r.Rows[i].Width > 2 && name != "two gaps" {
					t.Errorf("width %d of %q", r.Rows[i].Width, cells)
				}
			}
			got := []string{strings.Join(r.Table.Header, "|"), strings.Join(rows, " ")}
			if diff := cmp.Diff([]string{tt.header, tt.rows}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			uploads.RequireWarning(t, r.Table.Warnings, tt.about, tt.said)
		})
	}
}
