package flatjson_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/flatjson"
)

// FuzzMembers: an object of texts is read as encoding/json reads it, or not.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":"b"}`, `{"a":"b","c":""}`, `{"a":"\u0041","b":"c"}`, `{"a" : "b"}`, `{"a":"b",}`, `{"a":1}`,
		`[`, ``, `{"a":"b"}x`, `{"a":"b","a":"c"}`, "{\"a\":\"\n\"}", `{"a":"b"`, `{"ж":"😀"}`, `{"a":null}`, "{\"a\":\"\xff\"}",
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
