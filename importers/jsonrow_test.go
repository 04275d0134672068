package importers_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

func TestCheckJSONRow(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000)
	tests := []struct{ name, text, code, field string }{
		{"values of each kind", `{"a":"x","b":1.50,"c":true,"d":null}`, "", ""},
		{"no values", ` {} `, "", ""},
		{"a list", `[]`, jsonrows.CodeMalformedJSON, ""},
		{"a text", `"x"`, jsonrows.CodeMalformedJSON, ""},
		{"nothing", ``, jsonrows.CodeMalformedJSON, ""},
		{"cut off", `{"a":`, jsonrows.CodeMalformedJSON, ""},
		{"NaN", `{"a":NaN}`, jsonrows.CodeMalformedJSON, ""},
		{"a leading zero", `{"a":01}`, jsonrows.CodeMalformedJSON, ""},
		{"two objects", `{} {}`, jsonrows.CodeMalformedJSON, ""},
		{"a comma too many", `{"a":1,}`, jsonrows.CodeMalformedJSON, ""},
		{"an object inside", `{"a":{"b":1}}`, jsonrows.CodeNestedValue, "a"},
		{"a depth bomb", `{"a":` + deep, jsonrows.CodeNestedValue, "a"},
		{"twice", `{"a":1,"a":2}`, jsonrows.CodeDuplicateField, "a"},
		{"infinite", `{"a":1e999}`, jsonrows.CodeNumberOutOfRange, "a"},
		{"infinitely small", `{"a":1e-999}`, jsonrows.CodeNumberOutOfRange, "a"},
		{"an exponent bomb", `{"a":1e999999999999}`, jsonrows.CodeNumberOutOfRange, "a"},
		{"digits without end", `{"a":` + strings.Repeat("9", 101) + `}`, jsonrows.CodeNumberOutOfRange, "a"},
		{"no UTF-8", "{\"a\":\"\xff\"}", tabular.CodeInvalidEncoding, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := jsonrows.Check([]byte(tt.text))
			var m *jsonrows.Malformed
			if !errors.As(err, &m) {
				m = &jsonrows.Malformed{}
			}
			if m.Code != tt.code || m.Field != tt.field || (err != nil) != (tt.code != "") {
				t.Errorf("got %v, want %s of %q", err, tt.code, tt.field)
			}
		})
	}
}

func TestJSONRows(t *testing.T) {
	t.Parallel()
	rows := drafts.NewJSONRows(jobs.KindOf(itemKind), tabular.Limits{})
	tests := []struct{ name, text, key, params, codes string }{
		{"by name", `{"SKU":"a","Stock":7}`, "a", `{"SKU":"a","Stock":"7"}`, ""},
		{"as a heading is matched", `{" s-k_u":"a"}`, "a", `{"SKU":"a"}`, ""},
		{"null is empty", `{"SKU":"a","Stock":null}`, "a", `{"SKU":"a"}`, ""},
		{"a number is kept to its last digit", `{"SKU":0.10000000000000000001e0}`, "0.10000000000000000001", "", "SKU:TOO_LONG"},
		{"a whole number with an exponent", `{"SKU":"a","Stock":12e2}`, "a", `{"SKU":"a","Stock":"1200"}`, ""},
		{"missing", `{"Stock":1}`, "", `{"Stock":"1"}`, "SKU:REQUIRED"},
		{"unknown", `{"SKU":"a","Stok":1}`, "a", `{"SKU":"a"}`, "Stok:UNKNOWN_FIELD"},
		{"two names for one field", `{"SKU":"a","sku":"b"}`, "a", `{"SKU":"a"}`, "SKU:DUPLICATE_FIELD"},
		{"two names for one field, the first empty", `{"sku":null,"SKU":"a"}`, "", `{}`, "SKU:DUPLICATE_FIELD"},
		{"a control character", `{"SKU":"a\u0000"}`, "", "", "SKU:INVALID_CHARACTER"},
		{"malformed", `{"SKU":`, "", `{"column 1":"{\"SKU\":"}`, ":MALFORMED_JSON"},
	}
	for _, tt := range tests {
		d := rows.Draft(3, []byte(tt.text))
		codes := ""
		if f := d.Failure; f != nil {
			codes = f.Column + ":" + f.Code
		}
		if d.Row != 3 || d.Key != tt.key || codes != tt.codes || tt.params != "" && string(d.Params) != tt.params {
			t.Errorf("%s: key %q, params %s, fault %q", tt.name, d.Key, d.Params, codes)
		}
	}
	if d := rows.Draft(1, []byte(`{"Stok":1,"SKU":"x"}`)); !strings.Contains(d.Failure.Hint, `"Stock"`) {
		t.Errorf("hint %q does not name the field that was meant", d.Failure.Hint)
	}
}

// FuzzJSONRows: the row of any line can be stored, and a line that passes the check is never called
// malformed.
func FuzzJSONRows(f *testing.F) {
	for _, text := range []string{`{"SKU":"a","Stock":7}`, `{"SKU":1e5}`, `{"a":[]}`, "{\"\\u0000\":\"\xff\"}", `{`} {
		f.Add([]byte(text))
	}
	rows := drafts.NewJSONRows(jobs.KindOf(itemKind), tabular.Limits{})
	f.Fuzz(func(t *testing.T, text []byte) {
		d := rows.Draft(1, text)
		var params map[string]string
		if err := json.Unmarshal(d.Params, &params); err != nil || !utf8.ValidString(d.Key) || strings.Contains(d.Key, "\x00") {
			t.Fatalf("params %q, key %q: %v", d.Params, d.Key, err)
		}
		if !json.Valid(text) && d.Failure == nil {
			t.Fatalf("%q became %s without a fault", text, d.Params)
		}
		good := jsonrows.Check(text) == nil
		if bad := d.Failure != nil && d.Failure.Code == jsonrows.CodeMalformedJSON; good && bad {
			t.Fatalf("%q passes the check, and is malformed", text)
		}
	})
}

// acceptLines stores lines of JSON and their task, as the API does.
func (p *splitterEnv) acceptLines(t *testing.T, text string) *tasks.Task {
	t.Helper()
	info, err := p.Files.Put(t.Context(), strings.NewReader(text), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	in, err := importers.InspectJSONLines(strings.NewReader(text), jobs.KindOf(itemKind))
	if err != nil {
		t.Fatal(err)
	}
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "items.import", Type: tasks.Import, Status: tasks.Open,
		Columns: in.Columns, Source: tasks.Source{FileID: info.ID, FileFormat: in.Format},
	}
	if err := p.Tasks.Create(t.Context(), task, time.Hour); err != nil {
		t.Fatal(err)
	}
	return task
}

// TestLinesOfJSON: a line that cannot be read invalidates its row only.
func TestLinesOfJSON(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		long := `{"SKU":"` + strings.Repeat("x", 3<<20) + `"}`
		large := `{"SKU":"` + strings.Repeat("x", 300<<10) + `"}`
		p.acceptLines(t, "\ufeff{\"SKU\":\"a\"}\r\n\n{\"SKU\":\n"+long+"\n"+large+"\n{\"SKU\":\"b\"}")
		task, claim := p.claim(t, time.Minute)
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		list, err := p.Events.List(t.Context(), task.Num, events.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			code := ""
			if e.Code != nil {
				code = *e.Code
			}
			got = append(got, fmt.Sprintf("%d %s %s", e.Row, e.Key, code))
			if len(e.Params) > rowschema.MaxParams {
				t.Errorf("row %d has %d bytes", e.Row, len(e.Params))
			}
		}
		want := []string{"1 a ", "3  MALFORMED_JSON", "4  ROW_TOO_LARGE", "5  TOO_LONG", "6 b "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rows (-want +got):\n%s", diff)
		}
	})
}

// TestLinesOfJSONGoOn: a splitter is stopped, and the next one continues where it stopped. A file
// with too many rows is refused.
func TestLinesOfJSONGoOn(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		var text strings.Builder
		for i := range 30 {
			fmt.Fprintf(&text, "{\"SKU\":\"s%d\"}\n\n", i)
		}
		p.acceptLines(t, text.String())
		task, claim := p.claim(t, time.Minute)
		_, err := p.Events.Append(t.Context(), events.Chunk{
			Num: task.Num, Claim: int64(claim), TTL: time.Minute,
			Rows: []events.Draft{{Row: 1, Key: "s0", Params: []byte("{}")}, {Row: 3, Key: "s1", Params: []byte("{}")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		task.Total = 2
		opt := importers.SplitterOptions{Limits: tabular.Limits{Rows: 25}}
		if err := p.splitter(opt).Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		got, err := p.Tasks.Get(t.Context(), "acme", task.ID)
		if err != nil || got.Total != 25 || got.Problem == nil || got.Problem.Code != tabular.CodeTooManyRows {
			t.Errorf("%+v, %v", got, err)
		}
		last, err := p.Events.Get(t.Context(), events.NewID(task.Num, 25))
		if err != nil || last.Key != "s24" || last.Row != 49 {
			t.Errorf("the last row is %+v, %v", last, err)
		}
	})
}

func TestInspectJSONLines(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(itemKind)
	for text, want := range map[string]string{
		"": tabular.CodeEmptyFile, " \n\n": tabular.CodeEmptyFile, "SKU,Stock\na,1\n": jsonrows.CodeMalformedJSON,
		"[{}]": jsonrows.CodeMalformedJSON, "{}\nx": "",
	} {
		_, err := importers.InspectJSONLines(strings.NewReader(text), kind)
		var p *tabular.Problem
		if errors.As(err, &p); p == nil && (want != "" || err != nil) || p != nil && p.Code != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	away := io.MultiReader(strings.NewReader("{"), errReader{})
	var p *tabular.Problem
	if _, err := importers.InspectJSONLines(away, kind); err == nil || errors.As(err, &p) {
		t.Errorf("a storage that is away: %v", err)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("away") }
