package input

import (
	"reflect"
	"slices"
	"strings"
)

// These are the usual media types of request bodies. The function Lines also accepts other names of
// MediaLines. The function Bytes accepts the media type that its caller names.
const (
	MediaJSON      = "application/json"
	MediaForm      = "application/x-www-form-urlencoded"
	MediaMultipart = "multipart/form-data"
	MediaLines     = "application/x-ndjson"
)

// Names lists the URL parameters, members or fields that a request may have. Nil means that the route lacks
// a declaration.
type Names []string

var (
	// NoQuery declares that the URL has no parameters.
	NoQuery = Names{}
	// AnyQuery declares that the URL may have any parameters. It is for URLs to which other services
	// redirect browsers.
	AnyQuery = Names{"*"}
)

// Body is the declaration of the bodies that a route accepts.
type Body struct {
	Forms    []Form // one for each media type; nil: the route lacks a declaration; empty list: the request has no body
	Optional bool   // the body may be missing
}

// Form is the declaration of a body of one media type.
type Form struct {
	Media  []string // names of the type; the first is the usual one
	Fields Names    // members of the JSON object, or fields of the form
	many   Names    // fields that may occur several times
	Prefix string   // prefix of further fields, each of which may occur once; "": none
	Query  Names    // URL parameters that only requests with this body may have

	// Decode returns a new value. Package web decodes the JSON object into this value before it calls
	// the handler. If Decode is nil, package web does not decode JSON.
	Decode func() any
}

// NoBody declares that a request has no body.
var NoBody = Body{Forms: []Form{}}

// JSON declares a JSON object. Package web decodes the object into a T before it calls the handler.
func JSON[T any]() Body {
	return Body{Forms: []Form{{
		Media: []string{MediaJSON}, Fields: jsonNames(reflect.TypeFor[T]()), Decode: func() any { return new(T) },
	}}}
}

// JSONStream declares a JSON object that the handler reads member by member.
func JSONStream(members ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaJSON}, Fields: members}}}
}

// Upload declares a multipart form with a file, which the handler reads. The argument `fields` lists the
// other fields.
func Upload(fields ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaMultipart}, Fields: append(Names{FileField}, fields...)}}}
}

// Bytes declares a body of any bytes, which the handler reads.
func Bytes(media string) Body {
	return Body{Forms: []Form{{Media: []string{media}, Fields: Names{}}}}
}

// Lines declares a body with one JSON object per line, which the handler reads. The argument `query` lists
// the URL parameters, which apply to all lines.
func Lines(query ...string) Body {
	return Body{Forms: []Form{{
		Media: []string{MediaLines, "application/ndjson", "application/jsonl"}, Fields: Names{}, Query: query,
	}}}
}

// PageForm declares the form of a page. Package web reads the form before it calls the handler. The body
// may be missing.
func PageForm(fields ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaForm}, Fields: fields}}, Optional: true}
}

// Repeat returns a copy of the declaration in which these fields may occur several times.
func (b Body) Repeat(fields ...string) Body {
	return b.changed(func(f *Form) { f.many = fields })
}

// Prefixed returns a copy of the declaration that accepts all fields with a prefix.
func (b Body) Prefixed(prefix string) Body {
	return b.changed(func(f *Form) { f.Prefix = prefix })
}

// Without returns a copy of the declaration that lacks some members of the JSON object.
func (b Body) Without(members ...string) Body {
	return b.changed(func(f *Form) {
		f.Fields = slices.DeleteFunc(slices.Clone(f.Fields), func(name string) bool {
			return slices.Contains(members, name)
		})
	})
}

// changed returns a copy of the declaration with a changed first form. Routes may share the declaration.
func (b Body) changed(change func(*Form)) Body {
	b.Forms = slices.Clone(b.Forms)
	change(&b.Forms[0])
	return b
}

// OrNone returns a copy of the declaration with an optional body.
func (b Body) OrNone() Body {
	b.Optional = true
	return b
}

// Or returns a declaration that accepts the bodies of both declarations. The body is optional only if it
// is optional in both declarations.
func (b Body) Or(other Body) Body {
	return Body{slices.Concat(b.Forms, other.Forms), b.Optional && other.Optional}
}

// form returns the form for a media type; nil if there is none.
func (b Body) form(media string) *Form {
	for i := range b.Forms {
		if slices.Contains(b.Forms[i].Media, media) {
			return &b.Forms[i]
		}
	}
	return nil
}

// Takes reports whether the form declares a field of this name, by its whole name or by a prefix.
func (f *Form) Takes(name string) bool {
	return slices.Contains(f.Fields, name) || f.Prefix != "" && strings.HasPrefix(name, f.Prefix)
}

// jsonNames returns the JSON names of a struct's fields.
func jsonNames(t reflect.Type) (out Names) {
	out = Names{}
	for _, field := range reflect.VisibleFields(t) { // includes the fields of embedded structs
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}
