package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// docsSchema is a schema of the OpenAPI document, as the page shows it.
type docsSchema struct {
	Name, About string
	Type        docsType
	Fields      []docsField
}

// docsField is a field, a parameter or a header.
type docsField struct {
	Name, Where, About string
	Type               docsType
	Required           bool
}

// docsType is the type of a value in words.
type docsType struct {
	Text  string
	Link  string // name of the schema of the value, or of the items of a list; "" for none
	Limit string // allowed values, bounds and default
}

// apiSchema holds the parts of a JSON Schema that the page of the API shows.
type apiSchema struct {
	Ref string `json:"$ref"`

	Type                      oneOrMore
	Description, Format       string
	Enum                      []any
	OneOf                     []apiSchema
	Items                     *apiSchema
	Properties                map[string]apiSchema
	Required                  []string
	Minimum, Maximum, Default any
	MinLength, MaxLength      *int
	MinItems, MaxItems        *int
}

// oneOrMore holds the types of a value. JSON Schema allows a string for one type, and a list for
// several.
type oneOrMore []string

// UnmarshalJSON reads a string or a list of strings.
func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	var list []string
	err := json.Unmarshal(text, &list)
	*o = list
	return err
}

// typeOf returns the type that a schema describes, with its limits.
func (s apiSchema) typeOf() docsType {
	out := s.named()
	out.Limit = s.limit()
	return out
}

func (s apiSchema) named() docsType {
	switch {
	case s.Ref != "":
		return docsType{Text: refName(s.Ref), Link: refName(s.Ref)}
	case len(s.OneOf) > 0:
		out := s.OneOf[0].named()
		out.Text += " or null"
		return out
	case s.Items != nil:
		out := s.Items.named()
		out.Text = "list of " + out.Text
		if slices.Contains(s.Type, "null") {
			out.Text += " or null"
		}
		return out
	case len(s.Type) > 0:
		text := strings.Join(s.Type, " or ")
		if s.Format != "" {
			text += " (" + s.Format + ")"
		}
		return docsType{Text: text}
	case len(s.Enum) > 0:
		return docsType{Text: "string"}
	}
	return docsType{Text: "any"}
}

// limit returns the rules for a value besides its type: allowed values, bounds and default.
func (s apiSchema) limit() string {
	var out []string
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum {
			if text := fmt.Sprint(v); v != nil && text != "" {
				values = append(values, text)
			}
		}
		out = append(out, "one of "+strings.Join(values, ", "))
	}
	out = append(out, between(s.Minimum, s.Maximum, "")...)
	out = append(out, between(size(s.MinLength), size(s.MaxLength), " characters")...)
	out = append(out, between(size(s.MinItems), size(s.MaxItems), " items")...)
	if s.Default != nil {
		out = append(out, fmt.Sprintf("default %v", s.Default))
	}
	return strings.Join(out, "; ")
}

func size(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}

func between(low, high any, unit string) []string {
	switch {
	case low != nil && high != nil:
		return []string{fmt.Sprintf("%s to %s%s", boundText(low), boundText(high), unit)}
	case low != nil:
		return []string{fmt.Sprintf("at least %s%s", boundText(low), unit)}
	case high != nil:
		return []string{fmt.Sprintf("at most %s%s", boundText(high), unit)}
	}
	return nil
}

// boundText formats a bound without an exponent.
func boundText(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(v)
}

// show returns the schema for the page, with its fields and the fields of nested objects.
func (s apiSchema) show(name string) docsSchema {
	return docsSchema{Name: name, About: s.Description, Type: s.typeOf(), Fields: s.fields("")}
}

func (s apiSchema) fields(prefix string) (out []docsField) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		one := s.Properties[name]
		out = append(out, docsField{
			Name: prefix + name, About: one.Description, Type: one.typeOf(),
			Required: slices.Contains(s.Required, name),
		})
		inner, mark := one, "."
		if one.Items != nil {
			inner, mark = *one.Items, "[]."
		}
		out = append(out, inner.fields(prefix+name+mark)...)
	}
	return out
}

func (p apiParam) show(name string) docsField {
	return docsField{Name: name, Where: p.In, About: p.Description, Type: p.Schema.typeOf(), Required: p.Required}
}
