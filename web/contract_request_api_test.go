package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestExamplesOfTheContractAreTrue sends the requests in the examples of the contract, and checks that
// the service accepts each.
func TestExamplesOfTheContractAreTrue(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	for _, op := range contract().ops {
		if media, body := op.media(); media == jsonType || strings.Contains(body, "frontier") && op.path == "/api/v1/tasks" {
			if strings.HasSuffix(op.path, "/resume") {
				w.call(http.MethodPost, strings.TrimSuffix(w.path(op), "resume")+"pause", "")
			}
			if strings.HasSuffix(op.path, "/undo") {
				body = w.undoable(op, body)
			}
			w.sends(op, body)
		}
	}
	w.sends(contract().find(http.MethodPost, "/api/v1/tasks"), contract().example("/api/v1/tasks", jsonType))
}

// undoable performs an act on rows of a task, and puts its ID into a body.
func (w *walk) undoable(op *operation, body string) string {
	w.t.Helper()
	var in map[string]any
	fine(w.t, json.Unmarshal([]byte(body), &in))
	skip := strings.TrimSuffix(w.path(op), "undo") + "skip"
	for _, act := range []string{`{"filter":{},"state":"open"}`, `{"filter":{}}`, `{"filter":{"resolution":"fixed"}}`} {
		in["act_id"] = w.call(http.MethodPost, skip, act, "Content-Type", jsonType).object()["act_id"]
		if in["act_id"] != nil {
			break
		}
	}
	out, err := json.Marshal(in)
	fine(w.t, err)
	return string(out)
}

// example returns the example of a POST.
func (b *book) example(path, media string) string {
	def := b.at("paths", path, "post", "requestBody", "content", media)
	text, err := json.Marshal(def["example"])
	if err != nil {
		panic(err) // it came as JSON
	}
	return string(text)
}

// sends runs an operation.
func (w *walk) sends(op *operation, body string) {
	w.t.Helper()
	if r := w.asks(op, body, nil); r.status >= http.StatusBadRequest {
		w.t.Errorf("%s %s refuses its own example, %d: %s", op.method, op.path, r.status, r.body)
	}
}

// asks sends a JSON body or a form to an operation.
func (w *walk) asks(op *operation, body string, query url.Values) reply {
	w.t.Helper()
	media := jsonType
	if strings.HasPrefix(body, "--frontier") {
		media = multipartType
	}
	header := []string{"Content-Type", media}
	if op.method == http.MethodPatch {
		header = append(header, "If-Match", w.look(w.path(op)).header.Get("ETag"))
	}
	return w.call(op.method, w.path(op)+"?"+query.Encode(), body, header...)
}

// TestWhatTheContractRefusesIsRefused tests bodies of the wrong form.
func TestWhatTheContractRefusesIsRefused(t *testing.T) {
	t.Parallel()
	w, b := newWalk(t), contract()
	for _, op := range b.ops {
		content := b.at("paths", op.path, strings.ToLower(op.method), "requestBody", "content", jsonType)
		if content == nil {
			continue
		}
		schema := b.compile("paths", op.path, strings.ToLower(op.method), "requestBody", "content", jsonType, "schema")
		def, _ := b.deref(content["schema"])
		base, _ := content["example"].(map[string]any)
		sent := 0
		for _, body := range b.spoilt(def, base) {
			text, err := json.Marshal(body)
			fine(t, err)
			if schema.Validate(body) == nil {
				continue
			}
			sent++
			r := w.asks(op, string(text), nil)
			if r.status != http.StatusBadRequest && r.status != http.StatusUnprocessableEntity {
				t.Errorf("%s %s answers %d to %.200s, which web/openapi.yaml does not allow: mend the one or the other: %.200s",
					op.method, op.path, r.status, text, r.body)
			}
		}
		if sent == 0 {
			t.Errorf("%s %s: nothing is refused", op.method, op.path)
		}
	}
}

// spoilt returns bodies that differ from base in one thing: another value, a missing field, an
// additional field.
func (b *book) spoilt(def, base map[string]any) (out []map[string]any) {
	pool := []any{
		true, json.Number("-1"), json.Number("1.5"), json.Number("99999999999999999999"), "", "x",
		strings.Repeat("x", 3000),
		[]any{},
		[]any{"x", "x"},
		map[string]any{"zz": []any{}},
	}
	properties, _ := def["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		for _, value := range pool {
			out = append(out, with(base, name, value))
		}
		inner, _ := b.deref(properties[name])
		if inner["properties"] != nil {
			within, _ := base[name].(map[string]any)
			for _, value := range b.spoilt(inner, within) {
				out = append(out, with(base, name, value))
			}
		}
	}
	for name := range base {
		less := maps.Clone(base)
		delete(less, name)
		out = append(out, less)
	}
	return append(out, with(base, "zz", "x"))
}

// with returns a copy of an object with another value.
func with(base map[string]any, name string, value any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, base)
	out[name] = value
	return out
}

// TestWhatTheContractRefusesInAddressesIsRefused tests parameters out of their range.
func TestWhatTheContractRefusesInAddressesIsRefused(t *testing.T) {
	t.Parallel()
	w, b := newWalk(t), contract()
	for _, op := range b.ops {
		if op.method != http.MethodGet && op.params == nil || strings.HasSuffix(op.path, "/stream") {
			continue
		}
		for _, param := range op.params {
			name := fmt.Sprint(param["name"])
			if param["in"] != "query" {
				continue
			}
			_, body := op.media()
			for _, value := range []string{"x", "-1", "0", "501", "1.5", "99999999999999999999", "failed,", "no\nline"} {
				if b.allows(op, param, value) {
					continue
				}
				r := w.asks(op, body, url.Values{name: {value}})
				if r.status != http.StatusBadRequest && r.status != http.StatusUnprocessableEntity {
					t.Errorf("%s %s answers %d to ?%s=%q, which web/openapi.yaml does not allow: mend the one or the other",
						op.method, op.path, r.status, name, value)
				}
			}
		}
	}
}

// allows reports whether a parameter may have a value.
func (b *book) allows(op *operation, param map[string]any, text string) bool {
	for i, one := range op.places {
		if op.params[i]["name"] != param["name"] {
			continue
		}
		def, _ := b.deref(param["schema"])
		var value any = text
		switch def["type"] {
		case "integer":
			if _, err := strconv.Atoi(text); err != nil {
				return false
			}
			value = json.Number(text)
		case "boolean":
			return text == "true" || text == "false" || text == "0"
		}
		return b.compile(append(slices.Clone(one), "schema")...).Validate(value) == nil
	}
	return true
}
