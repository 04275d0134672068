package web_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rollcall-dev/rollcall/web"
)

// book is openapi.yaml and pages.yaml in one document for the tests. It is stricter than the served
// one, because an undeclared field must not be answered.
type book struct {
	doc  map[string]any
	ops  []*operation
	any  map[int]answerDoc // the answers for an unknown address or method
	seen sync.Map          // of string: the answers so far

	compile compiler
}

// operation is an operation of the document.
type operation struct {
	method, path string
	def          map[string]any
	params       []map[string]any
	places       [][]string // of params
	answers      map[int]answerDoc
}

// pagePaths returns the paths of pages.yaml.
var pagePaths = sync.OnceValue(func() map[string]any {
	return readDocument(web.Pages())["paths"].(map[string]any)
})

// api reports whether an operation is in openapi.yaml; the others are pages.
func (op *operation) api() bool {
	_, page := pagePaths()[op.path]
	return !page
}

// answerDoc is one response of an operation.
type answerDoc struct {
	codes   []string
	types   map[string]*jsonschema.Schema // by media type; nil for a type that is not JSON
	headers map[string]headerDoc
}

type headerDoc struct {
	required bool
	schema   *jsonschema.Schema
}

// contract is read once for all tests. partial is the contract for responses to requests with the parameter
// `fields`. It requires no member of these responses.
var (
	contract = sync.OnceValue(func() *book { return readBook(closeObjects) })
	partial  = sync.OnceValue(func() *book {
		return readBook(func(schema any) {
			closeObjects(schema)
			requireNothing(schema)
		})
	})
)

// readBook reads the book. It panics on an invalid document, so that no test runs with that document.
func readBook(tune func(schema any)) *book {
	b := &book{doc: readDocument(web.Contract()), any: map[int]answerDoc{}}
	pages := readDocument(web.Pages())
	maps.Copy(b.at("paths"), pages["paths"].(map[string]any))
	for name, parts := range pages["components"].(map[string]any) {
		maps.Copy(b.at("components", name), parts.(map[string]any))
	}
	for _, one := range b.at("components", "schemas") {
		tune(one)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("contract.json", b.doc); err != nil {
		panic(err)
	}
	var one sync.Mutex
	b.compile = func(where ...string) *jsonschema.Schema {
		one.Lock()
		defer one.Unlock()
		where = slices.Clone(where)
		for i := range where {
			where[i] = url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(where[i]))
		}
		return c.MustCompile("contract.json#/" + strings.Join(where, "/"))
	}
	paths := b.at("paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(map[string]any)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if def, ok := item[method].(map[string]any); ok {
				b.ops = append(b.ops, b.operation(path, method, def))
			}
		}
	}
	for _, name := range []string{"PageOfForm", "PageNoPath", "PageNoMethod", "BadAddress", "PageBadRequest", "UnknownHost", "Forbidden", "OpenTooMany"} {
		status := map[string]int{
			"PageOfForm": 303, "PageNoPath": 404, "PageNoMethod": 405, "BadAddress": 400, "PageBadRequest": 400, "UnknownHost": 421, "Forbidden": 403, "OpenTooMany": 429,
		}[name]
		b.any[status] = b.answer("components", "responses", name)
	}
	return b
}

// readDocument parses a document in JSON.
func readDocument(text []byte, err error) map[string]any {
	if err != nil {
		panic(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		panic(err)
	}
	return parsed.(map[string]any)
}

// closeObjects makes objects refuse members that they do not list.
func closeObjects(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		_, lists := s["properties"].(map[string]any)
		if _, says := s["additionalProperties"]; lists && !says {
			s["additionalProperties"] = false
		}
		for _, one := range s {
			closeObjects(one)
		}
	case []any:
		for _, one := range s {
			closeObjects(one)
		}
	}
}

// requireNothing makes all members of objects optional.
func requireNothing(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, list := s["required"].([]any); list {
			delete(s, "required")
		}
		for _, one := range s {
			requireNothing(one)
		}
	case []any:
		for _, one := range s {
			requireNothing(one)
		}
	}
}

// at returns an object of the document.
func (b *book) at(where ...string) map[string]any {
	out := b.doc
	for _, name := range where {
		out, _ = out[name].(map[string]any)
	}
	return out
}

// deref follows a reference to a component.
func (b *book) deref(v any) (def map[string]any, where []string) {
	def, _ = v.(map[string]any)
	if ref, ok := def["$ref"].(string); ok {
		where = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		return b.at(where...), where
	}
	return def, nil
}

// isJSON reports whether a body of a media type is one JSON value.
func isJSON(media string) bool {
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

type compiler func(where ...string) *jsonschema.Schema

func (b *book) operation(path, method string, def map[string]any) *operation {
	op := &operation{method: strings.ToUpper(method), path: path, def: def, answers: map[int]answerDoc{}}
	for _, where := range [][]string{{"paths", path}, {"paths", path, method}} {
		list, _ := b.at(where...)["parameters"].([]any)
		for i, one := range list {
			param, place := b.deref(one)
			if place == nil {
				place = append(slices.Clone(where), "parameters", strconv.Itoa(i))
			}
			op.params, op.places = append(op.params, param), append(op.places, place)
		}
	}
	for status := range def["responses"].(map[string]any) {
		n, err := json.Number(status).Int64()
		if err != nil {
			panic(path + ": " + err.Error())
		}
		op.answers[int(n)] = b.answer("paths", path, method, "responses", status)
	}
	return op
}

func (b *book) answer(where ...string) answerDoc {
	def, moved := b.deref(b.at(where...))
	if moved != nil {
		where = moved
	}
	out := answerDoc{types: map[string]*jsonschema.Schema{}, headers: map[string]headerDoc{}}
	codes, _ := def["x-codes"].([]any)
	for _, code := range codes {
		out.codes = append(out.codes, code.(string))
	}
	content, _ := def["content"].(map[string]any)
	for media := range content {
		out.types[media] = nil
		if isJSON(media) {
			out.types[media] = b.compile(append(slices.Clone(where), "content", media, "schema")...)
		}
	}
	headers, _ := def["headers"].(map[string]any)
	for name, v := range headers {
		header, place := b.deref(v)
		if place == nil {
			place = append(slices.Clone(where), "headers", name)
		}
		required, _ := header["required"].(bool)
		out.headers[name] = headerDoc{required, b.compile(append(slices.Clone(place), "schema")...)}
	}
	return out
}

// find returns the operation that serves a request; nil if none does.
func (b *book) find(method, path string) *operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var found *operation
	for _, op := range b.ops {
		if op.method == method && matches(op.path, path) && (found == nil || fewer(op.path, found.path)) {
			found = op
		}
	}
	return found
}

// fewer reports whether the path `a` has fewer variables than the path `b`.
func fewer(a, b string) bool { return strings.Count(a, "{") < strings.Count(b, "{") }

func matches(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && (!strings.HasPrefix(want[i], "{") || got[i] == "") {
			return false
		}
	}
	return true
}
