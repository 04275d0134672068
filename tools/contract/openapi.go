package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// excluded lists the members of an OpenAPI document that are not part of the contract.
var excluded = []string{"description", "summary", "example", "examples", "tags", "title", "info", "externalDocs"}

// openapi flattens an OpenAPI document into facts such as "paths /tasks post responses 202 …".
func openapi(text []byte) (facts []string, err error) {
	var document map[string]any
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	flatten(nil, document, func(fact string) { facts = append(facts, fact) })
	return facts, nil
}

// flatten calls `add` with a fact for each leaf of `value`, except below the members in `excluded`.
// The argument `path` is the path of `value` in the document.
func flatten(path []string, value any, add func(string)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !slices.Contains(excluded, name) || inProperties(path) {
				flatten(append(path[:len(path):len(path)], name), v[name], add)
			}
		}
	case []any:
		for _, item := range v {
			flatten(append(path[:len(path):len(path)], nameOf(item)), item, add)
		}
	default:
		add(fact(path, fmt.Sprint(v)))
	}
}

// inProperties reports whether the members below a path have names of this API, such as the fields
// of a row, and not keywords of OpenAPI. The list `excluded` does not apply to these members.
func inProperties(path []string) bool {
	return len(path) > 0 && slices.Contains([]string{"properties", "schemas", "paths", "parameters"}, path[len(path)-1])
}

// nameOf returns a name for an item of a list. The name does not contain the position of the item, so
// reordered lists compare equal.
func nameOf(item any) string {
	object, ok := item.(map[string]any)
	if !ok {
		return "has"
	}
	if name, ok := object["name"]; ok {
		return fmt.Sprintf("%v %v", object["in"], name)
	}
	if ref, ok := object["$ref"]; ok {
		return fmt.Sprint(ref)
	}
	return "has"
}

// fact returns a leaf as a fact. If a request requires the input, the fact begins with the constant
// `required`.
func fact(path []string, value string) string {
	line := strings.Join(path, " ") + " = " + value
	request := slices.Contains(path, "requestBody") || slices.Contains(path, "parameters") ||
		len(path) > 2 && path[1] == "schemas" && strings.HasSuffix(path[2], "Request")
	if request && slices.Contains(path, "required") && value != "false" {
		return required + line
	}
	return line
}
