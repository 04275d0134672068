package rowschema

import (
	"encoding/json"
	"slices"
)

// JSON returns the schema of one row as an object in JSON Schema 2020-12. In the schema, numbers,
// booleans and dates may be any text. Rules that JSON Schema cannot express are left out. Rollcall
// may therefore reject a row that the schema accepts.
func (s *Schema) JSON(title string) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range s.Fields {
		f := &s.Fields[i]
		properties[f.Name] = f.property()
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "type": "object",
		"properties": properties, "required": required, "additionalProperties": false,
	}
}

// property returns the schema of one value.
func (f *Field) property() map[string]any {
	types := map[string][]string{
		"number": {"number", "string"}, "integer": {"integer", "string"},
		"boolean": {"boolean", "string"},
	}[f.Type]
	if types == nil {
		types = []string{"string"}
	}
	p := map[string]any{"title": f.Name}
	if f.Required && f.Type == "text" {
		p["minLength"] = 1
	}
	if !f.Required {
		types = append(slices.Clone(types), "null")
	}
	p["type"] = types
	for name, text := range map[string]string{"description": f.Hint, "x-locale": f.Locale} {
		if text != "" {
			p[name] = text
		}
	}
	if f.Example != "" && !f.Sensitive {
		p["examples"] = []string{f.Example}
	}
	if f.Key {
		p["x-key"] = true
	}
	if f.Sensitive {
		p["x-sensitive"] = true
	}
	f.constrain(p)
	return p
}

// constrain adds the rules of the field.
func (f *Field) constrain(p map[string]any) {
	if enum := f.Enum; enum != nil && f.Type == "text" {
		values := []any{}
		for _, v := range enum {
			values = append(values, v)
		}
		if !f.Required {
			values = append(values, "", nil)
		}
		p["enum"] = values
	}
	words := boundWords
	if f.Type == "text" {
		words = lengthWords
	}
	for _, r := range f.Rules {
		if _, err := json.Number(r.Param).Float64(); err == nil && f.Type != "date" {
			for _, w := range words[r.Name] {
				p[w] = json.Number(r.Param)
			}
		}
		if f.Type == "text" && formWords[r.Name] != "" {
			p[formWord(r.Name)] = f.form(formWords[r.Name])
		}
	}
}

// form returns the format or the pattern of a rule for the field, from the value in formWords. The
// pattern of an optional field also matches the empty text.
func (f *Field) form(pattern string) string {
	if f.Required || pattern[0] != '^' {
		return pattern
	}
	return "^$|" + pattern
}

func formWord(rule string) string {
	if formWords[rule][0] == '^' {
		return "pattern"
	}
	return "format"
}

// These maps convert rules of the struct tag `validate` to keywords of JSON Schema. The values of formWords
// are formats, or patterns that begin with ^.
var (
	boundWords = map[string][]string{
		"gt": {"exclusiveMinimum"}, "gte": {"minimum"}, "min": {"minimum"},
		"lt": {"exclusiveMaximum"}, "lte": {"maximum"}, "max": {"maximum"},
	}
	lengthWords = map[string][]string{
		"min": {"minLength"}, "gte": {"minLength"}, "max": {"maxLength"}, "lte": {"maxLength"},
		"len": {"minLength", "maxLength"},
	}
	formWords = map[string]string{
		"email": "email", "url": "uri", "http_url": "uri", "uri": "uri", "uuid": "uuid",
		"e164":  `^\+[1-9]?[0-9]{7,14}$`,
		"alpha": "^[a-zA-Z]+$", "alphanum": "^[a-zA-Z0-9]+$", "number": "^[0-9]+$",
		"numeric": `^[-+]?[0-9]+(\.[0-9]+)?$`,
	}
)
