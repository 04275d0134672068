package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exampleOf is an entry of examples.json.
type exampleOf struct {
	Request string `json:"request"`
	Status  string `json:"status"`
	Media   string `json:"media,omitempty"`
	Answer  any    `json:"answer,omitempty"`
}

func readExamples(t *testing.T) map[string]exampleOf {
	t.Helper()
	text, err := os.ReadFile("examples.json")
	fine(t, err)
	var out map[string]exampleOf
	fine(t, json.Unmarshal(text, &out))
	return out
}

// exemplary reports whether an operation needs an example. Pages need none.
func exemplary(op *operation) bool { return op.api() }

// TestContract_EachOperation_HasAnExample: each operation has an example of a request. An operation that answers
// with JSON also has an example of a response, which matches the schema. TestContract_Examples_AreAnsweredSo of
// make test-all sends the requests.
func TestContract_EachOperation_HasAnExample(t *testing.T) {
	t.Parallel()
	list := readExamples(t)
	for _, op := range contract().ops {
		id := op.def["operationId"].(string)
		one, ok := list[id]
		delete(list, id)
		if !exemplary(op) {
			continue
		}
		if !ok {
			t.Errorf("%s %s: examples.json has no %s: run go test -tags=nomsgpack,all ./web -run Contract_Examples_ -update",
				op.method, op.path, id)
			continue
		}
		if !isJSON(one.Media) || one.Answer == nil { // nil: the document itself
			continue
		}
		var status int
		_, err := fmt.Sscan(one.Status, &status)
		fine(t, err)
		schema := op.answers[status].types[one.Media]
		if schema == nil {
			t.Errorf("%s: the contract has no answer %s %s", id, one.Status, one.Media)
		} else if err := schema.Validate(one.Answer); err != nil {
			t.Errorf("%s: the example is not as its schema: %v", id, err)
		}
	}
	for id := range list {
		t.Errorf("examples.json has %s, which is no operation", id)
	}
}

// random matches parts of responses that differ each time, with their replacements in examples.
var random = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`rcl_[a-z2-7]{8}_[a-z2-7]+`), "rcl_7c2kq4mx_wn5e6zj2f3tq"},
	{regexp.MustCompile(`rcl_[a-z2-7]{8}\b`), "rcl_7c2kq4mx"},
	{regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`), "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"},
	{regexp.MustCompile(`(key|usr)_[a-z2-7]{8,}`), "${1}_4f7q2m6xw3k5"},
	{regexp.MustCompile(`127\.0\.0\.1:[0-9]+`), "127.0.0.1:8080"},
	{regexp.MustCompile(`http://127\.0\.0\.1:8080/x`), "https://shop.example/rollcall"},
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// fixed returns a text without its random parts. UUIDs are numbered.
func fixed(text string) string {
	var seen []string
	text = anyUUID.ReplaceAllStringFunc(text, func(id string) string {
		if !slices.Contains(seen, id) {
			seen = append(seen, id)
		}
		return fmt.Sprintf("0193c1f0-0000-7000-8000-%012d", slices.Index(seen, id)+1)
	})
	for _, r := range random {
		text = r.find.ReplaceAllString(text, r.put)
	}
	return text
}

// shape stores, in `into`, the paths of the members of a value that are neither objects nor lists. From a list, it
// uses only the first item.
func shape(v any, at string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			shape(one, at+"/"+name, into)
		}
	case []any:
		if len(v) > 0 {
			shape(v[0], at+"/0", into)
		}
	default:
		into[at] = true
	}
}

// cut shortens the lists of a value to two items.
func cut(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = cut(v[name])
		}
	case []any:
		v = v[:min(len(v), 2)]
		for i := range v {
			v[i] = cut(v[i])
		}
		return v
	}
	return v
}

// sameShape reports whether two values have the same members. A plain value, such as null, matches
// an object or a list with members.
func sameShape(a, b any) bool {
	x, y := map[string]bool{}, map[string]bool{}
	shape(a, "", x)
	shape(b, "", y)
	for at := range x {
		if !y[at] && !hasBelow(y, at) {
			return false
		}
	}
	for at := range y {
		if !x[at] && !hasBelow(x, at) {
			return false
		}
	}
	return true
}

// hasBelow reports whether a shape has members below a place, or a plain value at a place above it.
func hasBelow(in map[string]bool, at string) bool {
	for other := range in {
		if strings.HasPrefix(other, at+"/") || strings.HasPrefix(at, other+"/") {
			return true
		}
	}
	return false
}
