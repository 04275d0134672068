package jsonrows_test

import (
	"io"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
)

// TestList lists the rows of JSON lists, or the reasons why they are refused.
func TestList(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want, said string }{
		{"rows", `[{"a":1},{"b":2}]`, `{"a":1} {"b":2}`, ""},
		{"blanks between", " [\n {\"a\": 1 } ,\r\n\t{} ]\n ", `{"a": 1 } {}`, ""},
		{"signs in texts", `[{"a":"],[{\"}\\"},{"b":2}]`, `{"a":"],[{\"}\\"} {"b":2}`, ""},
		{"lists in rows", `[{"a":[1,[2]]},3]`, `{"a":[1,[2]]} 3`, ""},
		{"nothing", `[]`, ``, ""},
		{"cut off behind a row", `[{"a":1},{"b":2}`, `{"a":1}`, "cut off, after row 1"},
		{"cut off in a text", `[{"a":"]`, ``, "cut off, after row 0"},
		{"cut off behind a comma", `[{"a":1},`, `{"a":1}`, "cut off, after row 1"},
		{"a comma too many", `[{"a":1},]`, `{"a":1}`, "between two commas, after row 1"},
		{"two commas", `[{"a":1},,{"b":2}]`, `{"a":1}`, "between two commas, after row 1"},
		{"more behind", `[{"a":1}] [{"b":2}]`, ``, "text after its end"},
		{"a bracket too many", `[{"a":1}},{"b":2}]`, ``, "never opened"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := jsonrows.NewList(strings.NewReader(tt.text))
			var got []string
			var err error
			for err == nil {
				var text []byte
				if text, err = l.Next(); err == nil {
					got = append(got, string(text))
				}
			}
			if strings.Join(got, " ") != tt.want || (err == io.EOF) != (tt.said == "") ||
				tt.said != "" && !strings.Contains(err.Error(), tt.said) {
				t.Errorf("got %q, then %v", got, err)
			}
		})
	}
}
