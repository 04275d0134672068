package input

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// CheckQuery returns an error for an undeclared or repeated parameter of the URL. The argument `declared`
// lists the parameters of the route; AnyQuery allows all. The form `f` of the request's body may declare
// further parameters; a nil form declares none.
func CheckQuery(req *http.Request, declared Names, f *Form) error {
	if req.URL.RawQuery == "" || slices.Equal(declared, AnyQuery) {
		return nil
	}
	known := declared
	if f != nil {
		known = slices.Concat(declared, f.Query)
	}
	for name, values := range req.URL.Query() {
		if !slices.Contains(known, name) {
			return problem.BadParameter(name, fmt.Sprintf("Unknown parameter %.100q. %s", name, known.listed()))
		}
		if len(values) > 1 {
			return problem.BadParameter(name, fmt.Sprintf("The parameter %s occurs %d times. Send it once.", name, len(values)))
		}
	}
	return nil
}

// listed returns a sentence that lists the names.
func (n Names) listed() string {
	if len(n) == 0 {
		return "There are none."
	}
	return fmt.Sprintf("There are: %s.", strings.Join(n, ", "))
}

// Choose returns the form that matches the body of a request; nil if the body is missing and the
// route allows that. It returns an error if no form matches.
func (b Body) Choose(r *http.Request) (*Form, error) {
	if len(b.Forms) == 0 {
		return nil, refuseBody(r)
	}
	header := r.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(header)
	if f := b.form(media); err == nil && f != nil {
		return f, plainBody(r)
	}
	if header == "" && r.ContentLength == 0 && b.Optional {
		return nil, nil
	}
	return nil, b.wrongMedia()
}

// wrongMedia returns the problem that the body has an undeclared media type. Its text lists the
// first media type of each form.
func (b Body) wrongMedia() *problem.Problem {
	var known []string
	for i := range b.Forms {
		known = append(known, b.Forms[i].Media[0])
	}
	return problem.New(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
		fmt.Sprintf("Send the request as %s.", strings.Join(known, " or ")))
}

// emptyBody is the greatest size of a body that counts as empty, in bytes. It has room for an empty
// JSON object with spaces.
const emptyBody = 16

var errBody = problem.New(http.StatusBadRequest, "UNEXPECTED_BODY",
	"This request must not have a body. Nothing was done; send it without one.")

// refuseBody returns an error if the body is not empty. It accepts an empty JSON object, because some
// clients send one with every POST. It reads a short body to its end, because the fingerprint for the
// Idempotency-Key covers the whole body.
func refuseBody(req *http.Request) error {
	if req.ContentLength > emptyBody {
		return errBody
	}
	text, err := io.ReadAll(io.LimitReader(req.Body, emptyBody+1))
	packed := strings.Join(strings.Fields(string(text)), "")
	if err != nil || len(text) > emptyBody || packed != "" && packed != "{}" {
		return errBody
	}
	return nil
}

// ReadForm reads a form without files into r.PostForm. It rejects more than MaxFields bytes, undeclared
// fields, repeated fields except those of Repeat, and strings that the database cannot store.
func ReadForm(w http.ResponseWriter, r *http.Request, f *Form) error {
	r.Body = http.MaxBytesReader(w, r.Body, MaxFields)
	err := r.ParseForm()
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		return errLongForm
	case err != nil:
		return errBadForm
	}
	return f.check(r.PostForm)
}

// check returns an error for an unknown field, for a string that the database cannot store, and for a
// repeated field that is not in f.many.
func (f *Form) check(form url.Values) error {
	for name, values := range form {
		switch {
		case !textutil.Storable(name) || slices.ContainsFunc(values, func(v string) bool { return !textutil.Storable(v) }):
			return errBadForm
		case !f.Takes(name):
			return f.Unknown(name)
		case len(values) > 1 && !slices.Contains(f.many, name):
			return problem.BadMember(name, http.StatusUnprocessableEntity,
				fmt.Sprintf("The field %.100q occurs %d times. Send it once.", name, len(values)))
		}
	}
	return nil
}

// Unknown returns the problem for a field that the form does not declare. Its text lists the declared
// fields.
func (f *Form) Unknown(name string) *problem.Problem {
	detail := fmt.Sprintf("Unknown field %.100q. %s", name, f.Fields.listed())
	if f.Prefix != "" {
		detail += fmt.Sprintf(" Others begin with %s", f.Prefix)
	}
	return problem.BadMember(name, http.StatusUnprocessableEntity, detail)
}

var (
	errBadForm = problem.New(http.StatusBadRequest, "MALFORMED_BODY",
		"The form is incomplete, or is not UTF-8 text without NUL.")
	errLongForm = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", "The form is too large.")
)

// CheckFields returns an error for a field that the form does not declare.
func (f *Form) CheckFields(fields map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !f.Takes(name) {
			return f.Unknown(name)
		}
	}
	return nil
}

// plainBody returns an error if the body is compressed.
func plainBody(r *http.Request) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return problem.New(http.StatusUnsupportedMediaType, "UNSUPPORTED_ENCODING",
			"Send the request without Content-Encoding.")
	}
	return nil
}
