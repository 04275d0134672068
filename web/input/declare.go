package input

import (
	"reflect"
	"slices"
	"strings"
)

// The media types of bodies.
const (
	MediaJSON      = "application/json"
	MediaForm      = "application/x-www-form-urlencoded"
	MediaMultipart = "multipart/form-data"
	MediaLines     = "application/x-ndjson"
)

// Names are the names that a request may use; nil declares none.
type Names []string

var (
	// NoQuery declares an address without parameters.
	NoQuery = Names{}
	// AnyQuery declares an address with any parameters, because another service composes it.
	AnyQuery = Names{"*"}
)

// Body declares the bodies that a route accepts.
type Body struct {
	Forms    []Form // one for each media type; nil declares nothing, an empty list declares that there is no body
	Optional bool   // the body may be missing
}

// Form is a body of one media type.
type Form struct {
	Media  []string // names of the type; the first is the usual one
	Fields Names    // members of the JSON object, or fields of the form
	many   Names    // the fields that may occur several times
	Prefix string   // further fields of a form begin with it and may stand once; "" if there are none
	Query  Names    // parameters of the address that only requests with this body may have

	// Decode returns the value that a JSON object is decoded into before the handler is called. Nil:
	// the handler reads the body.
	Decode func() any
}

// NoBody declares that a request has no body.
var NoBody = Body{Forms: []Form{}}

// JSON declares one JSON object that is decoded into a T before the handler is called.
func JSON[T any]() Body {
	return Body{Forms: []Form{{
		Media: []string{MediaJSON}, Fields: jsonNames(reflect.TypeFor[T]()), Decode: func() any { return new(T) },
	}}}
}

// JSONStream declares a JSON object whose members the handler reads one by one.
func JSONStream(members ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaJSON}, Fields: members}}}
}

// Upload declares a form with a file, which the handler reads.
func Upload(fields ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaMultipart}, Fields: append(Names{FileField}, fields...)}}}
}

// Bytes declares a body of bytes, which the handler reads.
func Bytes(media string) Body {
	return Body{Forms: []Form{{Media: []string{media}, Fields: Names{}}}}
}

// Lines declares one JSON object a line, which the handler reads. The query parameters apply to all
// lines.
func Lines(query ...string) Body {
	return Body{Forms: []Form{{
		Media: []string{MediaLines, "application/ndjson", "application/jsonl"}, Fields: Names{}, Query: query,
	}}}
}

// PageForm declares a form of a page, which is read before the handler is called.
func PageForm(fields ...string) Body {
	return Body{Forms: []Form{{Media: []string{MediaForm}, Fields: fields}}, Optional: true}
}

// Repeat allows fields of a form to occur several times.
func (b Body) Repeat(fields ...string) Body {
	b.Forms[0].many = fields
	return b
}

// Prefixed accepts fields of a form that begin with a prefix.
func (b Body) Prefixed(prefix string) Body {
	b.Forms[0].Prefix = prefix
	return b
}

// Without removes members of a JSON object.
func (b Body) Without(members ...string) Body {
	b.Forms[0].Fields = slices.DeleteFunc(b.Forms[0].Fields, func(name string) bool {
		return slices.Contains(members, name)
	})
	return b
}

// OrNone makes the body optional.
func (b Body) OrNone() Body {
	b.Optional = true
	return b
}

// Or accepts another body as well.
func (b Body) Or(other Body) Body {
	return Body{slices.Concat(b.Forms, other.Forms), b.Optional && other.Optional}
}

// form returns the form of a media type, or nil.
func (b Body) form(media string) *Form {
	for i := range b.Forms {
		if slices.Contains(b.Forms[i].Media, media) {
			return &b.Forms[i]
		}
	}
	return nil
}

// Takes reports whether a form has a field of that name.
func (f *Form) Takes(name string) bool {
	return slices.Contains(f.Fields, name) || f.Prefix != "" && strings.HasPrefix(name, f.Prefix)
}

// jsonNames returns the members of a JSON object that is decoded into a struct.
func jsonNames(t reflect.Type) (out Names) {
	out = Names{}
	for _, field := range reflect.VisibleFields(t) { // those of embedded structs, too
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}
