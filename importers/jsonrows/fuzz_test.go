package jsonrows_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
)

// FuzzList checks that a list of rows in JSON is divided as encoding/json does it. A list that
// encoding/json refuses must be refused here or by the reader of a row.
func FuzzList(f *testing.F) {
	f.Add(`[{"a":1},{"b":"],[\""}]`)
	f.Add("[ ]")
	f.Add(`[{"a":[1]},2,"x",]`)
	f.Add(`[{"a":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "[") {
			text = "[" + text
		}
		var want []json.RawMessage
		refused := json.Unmarshal([]byte(text), &want)
		got, err := elements(jsonrows.NewList(strings.NewReader(text)))
		if refused == nil && err != io.EOF {
			t.Fatalf("%q: %v", text, err)
		}
		bad := err != io.EOF
		for i, e := range got {
			bad = bad || !json.Valid([]byte(e))
			if refused == nil && e != string(bytes.TrimSpace(want[i])) {
				t.Errorf("%q: element %d is %q, want %q", text, i, e, want[i])
			}
		}
		if refused == nil && len(got) != len(want) || refused != nil && !bad {
			t.Errorf("%q: %d elements, %v; encoding/json: %d, %v", text, len(got), err, len(want), refused)
		}
	})
}

func elements(rows jsonrows.Reader) (list []string, err error) {
	for {
		text, err := rows.Next()
		if err != nil {
			return list, err
		}
		list = append(list, string(text))
	}
}

// FuzzLines checks that every line of a file of JSON objects is read.
func FuzzLines(f *testing.F) {
	f.Add("{\"SKU\":\"a\"}\n\r\n{\"SKU\":1e5}\r\n{")
	f.Add("\xEF\xBB\xBF{}")
	f.Add("{\"a\":\"\xff\"}\n{\"SKU\":null}")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := elements(jsonrows.NewLines(strings.NewReader(text)))
		n := 0
		for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xEF\xBB\xBF"), "\n") {
			if len(bytes.TrimSpace([]byte(line))) > 0 {
				n++
			}
		}
		if err != io.EOF || len(got) != n {
			t.Errorf("%q: %d lines, %v, want %d", text, len(got), err, n)
		}
	})
}
