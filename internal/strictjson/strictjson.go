// Package strictjson checks JSON objects from callers for faults that encoding/json ignores:
// duplicate names, and text after the object.
//
// The package also limits the nesting of objects. Its errors are texts for users. It does not decode.
package strictjson

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deeply objects and lists may be nested.
const maxDepth = 5

// Error is the reason why a text is invalid, as the end of a sentence that begins with the name of the
// text.
type Error string

func (e Error) Error() string { return string(e) }

// Check returns an error for text that is not one JSON object in UTF-8, repeats a name in an object, or
// has over 5 levels. At the top level, names that differ only in case are equal.
func Check(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !utf8.ValidString(text) {
		return Error("must be a JSON object.")
	}
	if err := value(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return Error("must be one JSON object, with nothing behind it.")
	}
	return nil
}

func value(dec *json.Decoder, depth int) error {
	tok, err := dec.Token()
	if err != nil {
		return Error("is not well-formed JSON.")
	}
	open, nested := tok.(json.Delim)
	if !nested {
		return nil
	}
	if depth == maxDepth {
		return Error("is nested too deeply.")
	}
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			if err := name(dec, seen, depth == 0); err != nil {
				return err
			}
		}
		if err := value(dec, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return Error("is not well-formed JSON.")
	}
	return nil
}

func name(dec *json.Decoder, seen map[string]bool, fold bool) error {
	tok, err := dec.Token()
	if err != nil {
		return Error("is not well-formed JSON.")
	}
	key, _ := tok.(string) // a key is always a string
	if fold {
		key = strings.ToLower(key)
	}
	if seen[key] {
		return Error(fmt.Sprintf("is ambiguous: %.100q occurs twice.", key))
	}
	seen[key] = true
	return nil
}
