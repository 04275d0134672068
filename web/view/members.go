package view

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Members returns the JSON names of the members of V, which is a struct, in the order of its fields.
func Members[V any]() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[V]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// Part returns a view as a JSON object with only the members in `names`. It omits members that the
// view does not have.
func Part(v any, names []string) (json.RawMessage, error) {
	whole, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(whole, &all); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for _, name := range names {
		value, ok := all[name]
		if !ok {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, `"`+name+`":`...), value...)
	}
	return append(out, '}'), nil
}

// PartOfItems returns a page of a list as JSON. The items have only the members in `names`. The page
// keeps its other members.
func PartOfItems(page any, names []string) (json.RawMessage, error) {
	whole, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	var items []json.RawMessage
	if err := json.Unmarshal(whole, &all); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(all["items"], &items); err != nil {
		return nil, err
	}
	for i := range items {
		if items[i], err = Part(items[i], names); err != nil {
			return nil, err
		}
	}
	if all["items"], err = json.Marshal(items); err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
