package flatjson_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/flatjson"
)

// FuzzMembers: an object of texts is read as by encoding/json, or refused.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":"b"}`, `{"a":"b","c":""}`, `{"a":"\u0041","b":"c"}`, `{"a" : "b"}`, `{"a":"b",}`, `{"a":1}`,
		`[`, ``, `{"a":"b"}x`, `{"a":"b","a":"c"}`, "{\"a\":\"\n\"}", `{"a":"b"`, `{"ж":"😀"}`, `{"a":null}`,
		`{"a\n":"\"b\" \/\b\f\r\t\\"}`, `{"a":"\x"}`, `{"a":"\`, `{"a":"\"}`, "{\"a\":\"\\n\n\"}", `{"a":"\n\u00e4"}`, "{\"a\":\"\xff\"}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := map[string]string{}, map[string]string{}
		err := flatjson.Members(s, func(name, value string) { got[name] = value })
		wantErr := json.Unmarshal([]byte(s), &want)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, encoding/json %v", s, err, wantErr)
		}
		if err == nil && !maps.Equal(got, want) {
			t.Fatalf("%q: %q, encoding/json %q", s, got, want)
		}
	})
}

// FuzzAppendText: a text is written as by encoding/json without escapes for HTML.
func FuzzAppendText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\nb\r\t", `"quoted" \`, "<&>", "ж😀", "\u2028", "a\u2029ж", "\x00\b\f\x7f", "\xff", "ж\n\xff", "\ufffd",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := string(flatjson.AppendText([]byte("x"), s)) + "\n"; got != "x"+want.String() {
			t.Fatalf("%q: %s, encoding/json %s", s, got, want.String())
		}
	})
}
