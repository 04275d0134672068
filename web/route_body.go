package web

import (
	"reflect"
	"slices"
	"strings"
)

// The media types of bodies.
const (
	mediaJSON      = "application/json"
	mediaForm      = "application/x-www-form-urlencoded"
	mediaMultipart = "multipart/form-data"
	mediaLines     = "application/x-ndjson"
)

// bodySpec is what a route takes behind the head of a request.
type bodySpec struct {
	forms    []bodyForm // one a media type; nil declares nothing, an empty list says that there is no body
	optional bool       // it may be left out
}

// bodyForm is a body of one media type.
type bodyForm struct {
	media  []string // names of the type; the first is the usual one
	fields names    // members of the JSON object, or fields of the form
	many   names    // those of fields that may stand several times in a form
	prefix string   // further fields of a form begin with it and may stand once; "" if there are none
	query  names    // parameters of the address that come with this body alone

	// decode makes the value that a JSON object is decoded into, before the
	// handler is called. Nil: the handler reads the body.
	decode func() any
}

var noBody = bodySpec{forms: []bodyForm{}}

// jsonBody is one JSON object that is decoded into a T, which taken returns.
func jsonBody[T any]() bodySpec {
	return bodySpec{forms: []bodyForm{{
		media: []string{mediaJSON}, fields: jsonNames(reflect.TypeFor[T]()), decode: func() any { return new(T) },
	}}}
}

// jsonStream is a JSON object whose members the handler reads one by one.
func jsonStream(members ...string) bodySpec {
	return bodySpec{forms: []bodyForm{{media: []string{mediaJSON}, fields: members}}}
}

// upload is a form with a file, which the handler reads.
func uploadBody(fields ...string) bodySpec {
	return bodySpec{forms: []bodyForm{{media: []string{mediaMultipart}, fields: append(names{fileField}, fields...)}}}
}

// lineBody is one JSON object a line, which the handler reads. What is said about
// all lines stands in the address.
func lineBody(query ...string) bodySpec {
	return bodySpec{forms: []bodyForm{{
		media: []string{mediaLines, "application/ndjson", "application/jsonl"}, fields: names{}, query: query,
	}}}
}

// formBody is a form of a page. It is read before the handler is called; formOf
// returns it.
func formBody(fields ...string) bodySpec {
	return bodySpec{forms: []bodyForm{{media: []string{mediaForm}, fields: fields}}, optional: true}
}

// repeat lets fields of a form stand several times.
func (b bodySpec) repeat(fields ...string) bodySpec {
	b.forms[0].many = fields
	return b
}

// prefixed lets fields of a form begin with a prefix.
func (b bodySpec) prefixed(prefix string) bodySpec {
	b.forms[0].prefix = prefix
	return b
}

// without leaves out members of a JSON object.
func (b bodySpec) without(members ...string) bodySpec {
	b.forms[0].fields = slices.DeleteFunc(b.forms[0].fields, func(name string) bool {
		return slices.Contains(members, name)
	})
	return b
}

// orNone lets the body be left out.
func (b bodySpec) orNone() bodySpec {
	b.optional = true
	return b
}

// or takes another body as well.
func (b bodySpec) or(other bodySpec) bodySpec {
	return bodySpec{slices.Concat(b.forms, other.forms), b.optional && other.optional}
}

// form is that of a media type; nil if the body is of others.
func (b bodySpec) form(media string) *bodyForm {
	for i := range b.forms {
		if slices.Contains(b.forms[i].media, media) {
			return &b.forms[i]
		}
	}
	return nil
}

// takes reports whether a form has a field of that name.
func (f *bodyForm) takes(name string) bool {
	return slices.Contains(f.fields, name) || f.prefix != "" && strings.HasPrefix(name, f.prefix)
}

// jsonNames are the members of a JSON object that is decoded into a struct.
func jsonNames(t reflect.Type) (out names) {
	out = names{}
	for _, field := range reflect.VisibleFields(t) { // those of embedded structs, too
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}
