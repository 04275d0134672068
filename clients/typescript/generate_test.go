package typescript

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "write src/schema.ts from web/openapi.yaml")

// TestSchemaIsOfTheContract checks that the types of the client match the contract.
func TestSchemaIsOfTheContract(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../web/openapi.yaml")
	fine(t, err)
	var d document
	fine(t, yaml.Unmarshal(text, &d.all))
	want := d.generate()
	if *update {
		fine(t, os.WriteFile("src/schema.ts", []byte(want), 0o644))
	}
	got, err := os.ReadFile("src/schema.ts")
	fine(t, err)
	if string(got) != want {
		t.Error("src/schema.ts is of another contract: run go test ./clients/typescript -update")
	}
}

// object is a part of the document.
type object = map[string]any

// document is an OpenAPI document, from which types are generated.
type document struct {
	all object
	out strings.Builder
}

func (d *document) generate() string {
	d.out.WriteString("// Generated from web/openapi.yaml by go test ./clients/typescript -update.\n")
	schemas := at(d.all, "components", "schemas")
	for _, name := range sorted(schemas) {
		s := schemas[name].(object)
		d.comment("", s)
		fmt.Fprintf(&d.out, "export type %s = %s;\n", name, typeOf(s, ""))
	}
	d.operations()
	return d.out.String()
}

// operations writes the request, the answer and the address of each operation.
func (d *document) operations() {
	var types, routes strings.Builder
	paths := at(d.all, "paths")
	for _, path := range sorted(paths) {
		if !strings.HasPrefix(path, "/api/v1/") {
			continue
		}
		item := paths[path].(object)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			op, ok := item[method].(object)
			if !ok {
				continue
			}
			name := op["operationId"].(string)
			fmt.Fprintf(&types, "  /** %s */\n  %s: {\n    path: %s;\n    query: %s;\n    body: %s;\n    answer: %s;\n  };\n",
				op["summary"], name, d.params(item, op, "path"), d.params(item, op, "query"), bodyOf(op), answerOf(op))
			fmt.Fprintf(&routes, "  %s: [%q, %q],\n", name, strings.ToUpper(method), path)
		}
	}
	fmt.Fprintf(&d.out, "\n/** What each operation takes, and answers. */\nexport interface Operations {\n%s}\n", types.String())
	fmt.Fprintf(&d.out, "\n/** Where each operation is. */\nexport const routes = {\n%s} as const;\n", routes.String())
}

// params returns the parameters of an operation, and of its path, that stand in the given place, such as "query".
func (d *document) params(item, op object, in string) string {
	var fields []string
	for _, from := range []object{item, op} {
		list, _ := from["parameters"].([]any)
		for _, one := range list {
			p := one.(object)
			if ref, ok := p["$ref"].(string); ok {
				p = at(d.all, "components", "parameters", last(ref))
			}
			if p["in"] != in {
				continue
			}
			mark := "?"
			if p["required"] == true {
				mark = ""
			}
			fields = append(fields, fmt.Sprintf("%s%s: %s", p["name"], mark, typeOf(p["schema"].(object), "")))
		}
	}
	if fields == nil {
		return "{}"
	}
	return "{ " + strings.Join(fields, "; ") + " }"
}

// bodyOf returns the type of the body of a request.
func bodyOf(op object) string {
	body, ok := op["requestBody"].(object)
	if !ok {
		return "undefined"
	}
	var types []string
	for _, media := range sorted(at(body, "content")) {
		switch media {
		case "application/json":
			types = append(types, typeOf(at(body, "content", media, "schema"), ""))
		case "multipart/form-data":
			types = append(types, "FormData")
		default:
			types = append(types, "string")
		}
	}
	if body["required"] != true {
		types = append(types, "undefined")
	}
	return strings.Join(types, " | ")
}

// answerOf returns the type of a successful answer. This is the type of its JSON or, without JSON, `Response`, which
// the caller reads.
func answerOf(op object) string {
	var types []string
	for status, one := range at(op, "responses") {
		content, _ := one.(object)["content"].(object)
		answer, ok := content["application/json"].(object)
		if !strings.HasPrefix(status, "2") || !ok {
			continue
		}
		types = append(types, typeOf(answer["schema"].(object), ""))
	}
	if types == nil {
		return "Response"
	}
	slices.Sort(types)
	return strings.Join(slices.Compact(types), " | ")
}

// typeOf returns the type of a schema.
func typeOf(s object, indent string) string {
	if ref, ok := s["$ref"].(string); ok {
		return last(ref)
	}
	var types []string
	for _, one := range slices.Concat(list(s["oneOf"]), list(s["anyOf"])) {
		types = append(types, typeOf(one.(object), indent))
	}
	for _, one := range list(s["enum"]) {
		text, _ := json.Marshal(one) // texts and null
		types = append(types, string(text))
	}
	if types == nil {
		for _, one := range list(s["type"]) {
			types = append(types, plain(one.(string), s, indent))
		}
	}
	if types == nil {
		return "unknown"
	}
	return strings.Join(types, " | ")
}

// plain returns the type for a schema whose JSON type is `name`.
func plain(name string, s object, indent string) string {
	switch name {
	case "integer":
		return "number"
	case "string":
		if s["format"] == "binary" {
			return "Blob"
		}
	case "array":
		items, _ := s["items"].(object)
		return "Array<" + typeOf(items, indent) + ">"
	case "object":
		return shape(s, indent)
	}
	return name
}

// shape returns the type of an object.
func shape(s object, indent string) string {
	fields, ok := s["properties"].(object)
	if !ok {
		values, _ := s["additionalProperties"].(object)
		return "Record<string, " + typeOf(values, indent) + ">"
	}
	var d document
	d.out.WriteString("{\n")
	for _, name := range sorted(fields) {
		mark := "?"
		if slices.Contains(list(s["required"]), any(name)) {
			mark = ""
		}
		field := fields[name].(object)
		d.comment(indent+"  ", field)
		fmt.Fprintf(&d.out, "%s  %s%s: %s;\n", indent, name, mark, typeOf(field, indent+"  "))
	}
	return d.out.String() + indent + "}"
}

func (d *document) comment(indent string, s object) {
	if text, ok := s["description"].(string); ok {
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "*/", "* /")), " ")
		fmt.Fprintf(&d.out, "%s/** %s */\n", indent, text)
	}
}

// list returns a value as a list. It returns a list unchanged.
func list(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// at returns a part of the document; nil if there is none.
func at(o object, path ...string) object {
	for _, name := range path {
		o, _ = o[name].(object)
	}
	return o
}

func sorted(o object) []string { return slices.Sorted(maps.Keys(o)) }

func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
