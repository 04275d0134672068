package web

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// servedType is a type with the name and the description of its schema.
type servedType struct {
	name, doc string
	value     any
}

// schemas is a writer of the schemas of types as YAML. The tag `doc` of a field is its description. The
// tag `schema` contains what the Go type does not express, separated by semicolons: key=value, or null
// for a value that may be null.
type schemas struct {
	list  []servedType
	names map[reflect.Type]string
}

func newSchemas(list, alike []servedType) *schemas {
	s := &schemas{list, map[reflect.Type]string{}}
	for _, one := range append(alike, list...) {
		s.names[reflect.TypeOf(one.value)] = one.name
	}
	return s
}

func (s *schemas) text() string {
	var b strings.Builder
	for _, one := range s.list {
		o := s.object(reflect.TypeOf(one.value))
		fmt.Fprintf(&b, "    %s:\n", one.name)
		if one.doc != "" {
			fmt.Fprintf(&b, "      description: %s\n", scalar(one.doc))
		}
		b.WriteString("      type: object\n")
		if len(o.required) > 0 {
			fmt.Fprintf(&b, "      required: %s\n", inline(o.required))
		}
		b.WriteString("      properties:\n")
		for _, p := range o.properties {
			fmt.Fprintf(&b, "        %s: %s\n", p.key, inline(p.value))
		}
		b.WriteString(examples[one.name])
	}
	return b.String()
}

// member is a member of an ordered object of YAML.
type member struct {
	key   string
	value any // members, []any, literal, or a value that is written as text
}

// members is an ordered object.
type members []member

// literal is a value that is written as it is, such as a number.
type literal string

// object is the schema of a struct.
type object struct {
	required   []any
	properties members
}

func (o object) schema() members {
	out := members{{"type", "object"}}
	if len(o.required) > 0 {
		out = append(out, member{"required", o.required})
	}
	return append(out, member{"properties", o.properties})
}

func (s *schemas) object(t reflect.Type) (o object) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Pointer: // all of it may be missing
			o.properties = append(o.properties, s.object(f.Type.Elem()).properties...)
		case f.Anonymous && name == "":
			in := s.object(f.Type)
			o.required, o.properties = append(o.required, in.required...), append(o.properties, in.properties...)
		case name == "" || name == "-" || f.Tag.Get("schema") == "-":
		default:
			may := strings.HasPrefix(opts, "omit")
			if !may {
				o.required = append(o.required, name)
			}
			o.properties = append(o.properties, member{name, s.field(f, may)})
		}
	}
	return o
}

// field returns the schema of a field. A field that may be omitted is never null.
func (s *schemas) field(f reflect.StructField, may bool) (out members) {
	tags := map[string]string{}
	for part := range strings.SplitSeq(f.Tag.Get("schema"), ";") {
		key, value, _ := strings.Cut(part, "=")
		tags[key] = value
	}
	_, null := tags["null"]
	ref, enum := tags["ref"], tags["enum"]
	out = s.value(f.Type, null || !may && f.Type.Kind() == reflect.Pointer)
	switch {
	case ref != "" && null:
		out = orNull(ref)
	case ref != "":
		out = refTo(ref)
	case tags["time"] == "" && has(tags, "time") && may:
		out = refTo("Time")
	case has(tags, "time"):
		out = refTo("MaybeTime")
	case strings.Contains("|"+enum+"|", "|null|"):
		out = nil
	case tags["items"] != "":
		out[len(out)-1].value = refTo(tags["items"])
	}
	for _, key := range []string{"format", "pattern", "enum", "minimum", "maximum", "maxItems", "examples"} {
		if text, ok := tags[key]; ok {
			out = append(out, member{key, constraint(key, text)})
		}
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		out = append(out, member{"description", quoted.ReplaceAllString(doc, "$1`$2`")})
	}
	return out
}

func has(m map[string]string, key string) bool { _, ok := m[key]; return ok }

func constraint(key, text string) any {
	switch key {
	case "enum", "examples":
		var list []any
		for one := range strings.SplitSeq(text, "|") {
			if one == "null" {
				list = append(list, literal("null"))
			} else {
				list = append(list, one)
			}
		}
		return list
	case "minimum", "maximum", "maxItems":
		return literal(text)
	}
	return text
}

func refTo(name string) members { return members{{"$ref", "#/components/schemas/" + name}} }

func orNull(name string) members {
	return members{{"oneOf", []any{refTo(name), members{{"type", "null"}}}}}
}

// value returns the schema of the values of a type.
func (s *schemas) value(t reflect.Type, null bool) members {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name := s.names[t]; name != "" && null {
		return orNull(name)
	} else if name != "" {
		return refTo(name)
	}
	switch {
	case t == reflect.TypeFor[[]byte]() || t.String() == "json.RawMessage":
		return members{}
	case t == reflect.TypeFor[map[string]string]():
		return refTo("Texts")
	case t == reflect.TypeFor[map[string]*string]():
		return refTo("Cells")
	case t.Kind() == reflect.String && null:
		return refTo("MaybeText")
	}
	switch t.Kind() {
	case reflect.Struct:
		return s.object(t).schema()
	case reflect.Slice:
		return append(typed("array", null), member{"items", s.value(t.Elem(), false)})
	case reflect.Map:
		var values any = s.value(t.Elem(), false)
		if t.Elem().Kind() == reflect.Interface {
			values = literal("true")
		}
		return append(typed("object", null), member{"additionalProperties", values})
	}
	return typed(plainTypes[t.Kind()], null)
}

var plainTypes = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Float64: "number",
	reflect.Int: "integer", reflect.Int64: "integer",
}

func typed(name string, null bool) members {
	if null {
		return members{{"type", []any{name, "null"}}}
	}
	return members{{"type", name}}
}

// inline writes a value on one line.
func inline(v any) string {
	var parts []string
	switch v := v.(type) {
	case members:
		for _, m := range v {
			parts = append(parts, m.key+": "+inline(m.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, one := range v {
			parts = append(parts, inline(one))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case literal:
		return string(v)
	}
	return scalar(fmt.Sprint(v))
}

// quoted matches a word of code in the tag `doc`. Such a word is in single quotes, because tags are in backquotes.
var quoted = regexp.MustCompile(`(^|[\s(])'([^']+)'`)

// bare matches texts that need no quotes in YAML.
var bare = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_ .;()'/-]*$`)

func scalar(text string) string {
	_, err := strconv.ParseBool(text)
	if bare.MatchString(text) && err != nil && !slices.Contains([]string{"null", "yes", "no", "on", "off"}, text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
