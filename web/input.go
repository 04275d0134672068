package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Where a request keeps what was checked of it.
const (
	formKey  = "form"  // the *bodyForm that its body has
	takenKey = "taken" // what its JSON body was decoded into
)

// checkInput refuses what a route does not declare, and reads the bodies that
// its handler does not read itself.
func (s *Server) checkInput(c *gin.Context, r *route) error {
	f, err := s.checkBody(c, r)
	if err != nil {
		return err
	}
	c.Set(formKey, f)
	if err := checkQuery(c.Request, r, f); err != nil {
		return err
	}
	switch {
	case f == nil:
		return nil
	case f.decode != nil:
		return s.takeJSON(c, r, f)
	case f.media[0] == mediaForm:
		return takeForm(c, f)
	}
	return nil // the handler reads it
}

// checkQuery refuses parameters that the address may not have, and such that
// stand twice.
func checkQuery(req *http.Request, r *route, f *bodyForm) error {
	if req.URL.RawQuery == "" || slices.Equal(r.query, anyQuery) {
		return nil
	}
	known := r.query
	if f != nil {
		known = slices.Concat(r.query, f.query)
	}
	for name, values := range req.URL.Query() {
		if !slices.Contains(known, name) {
			return problem.BadParameter(name, fmt.Sprintf("There is no parameter %.100q here. %s", name, known.listed()))
		}
		if len(values) > 1 {
			return problem.BadParameter(name, fmt.Sprintf("The parameter %s stands %d times. Send it once.", name, len(values)))
		}
	}
	return nil
}

// listed tells which names there are.
func (n names) listed() string {
	if len(n) == 0 {
		return "There are none."
	}
	return fmt.Sprintf("There are: %s.", strings.Join(n, ", "))
}

// checkBody finds the form of the body that a request has; nil for none. It
// refuses a body of a form that the route does not take.
func (s *Server) checkBody(c *gin.Context, r *route) (*bodyForm, error) {
	if len(r.body.forms) == 0 {
		return nil, refuseBody(c.Request)
	}
	header := c.GetHeader("Content-Type")
	media, _, err := mime.ParseMediaType(header)
	if f := r.body.form(media); err == nil && f != nil {
		return f, plainBody(c.Request)
	}
	if header == "" && c.Request.ContentLength == 0 && r.body.optional {
		return nil, nil
	}
	return nil, r.body.wrongMedia()
}

// wrongMedia refuses a body of a media type that a route does not take.
func (b bodySpec) wrongMedia() *problem.Problem {
	var known []string
	for i := range b.forms {
		known = append(known, b.forms[i].media[0])
	}
	return problem.New(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
		fmt.Sprintf("Send the request as %s.", strings.Join(known, " or ")))
}

// emptyBody is how many bytes a body that holds nothing may have: an empty JSON
// object with some space.
const emptyBody = 16

var errBody = problem.New(http.StatusBadRequest, "UNEXPECTED_BODY",
	"This request takes no body. Nothing was done; send it without one.")

// refuseBody refuses any body but one that holds nothing: no byte, or an empty
// JSON object, which some clients send with every POST. It reads the body to its
// end, which an Idempotency-Key covers, too.
func refuseBody(req *http.Request) error {
	if req.ContentLength > emptyBody {
		return errBody
	}
	text, err := io.ReadAll(io.LimitReader(req.Body, emptyBody+1))
	said := strings.Join(strings.Fields(string(text)), "")
	if err != nil || len(text) > emptyBody || said != "" && said != "{}" {
		return errBody
	}
	return nil
}

// takeJSON decodes a body for the handler.
func (s *Server) takeJSON(c *gin.Context, r *route, f *bodyForm) error {
	v := f.decode()
	c.Set(takenKey, v)
	text, err := s.readText(c)
	if err != nil || text == "" && r.body.optional {
		return err
	}
	return decodeJSON(text, f, v)
}

// taken is the body of a request whose route declares jsonBody[T]; a zero T if
// it was left out.
func taken[T any](c *gin.Context) *T {
	v, _ := c.Get(takenKey)
	if body, ok := v.(*T); ok {
		return body
	}
	return new(T)
}

// formTaken is what the route of a request declares of the body that it has.
func formTaken(c *gin.Context) *bodyForm {
	v, _ := c.Get(formKey)
	f, _ := v.(*bodyForm) // the handler of a route without a body does not ask
	return f
}

// takeForm reads a form without files, whose texts a database takes.
func takeForm(c *gin.Context, f *bodyForm) error {
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, maxFields)
	err := c.Request.ParseForm()
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		return errLongForm
	case err != nil:
		return errBadForm
	}
	return f.check(c.Request.PostForm)
}

// check refuses fields of a form that it does not have, and such that stand
// twice.
func (f *bodyForm) check(form url.Values) error {
	for name, values := range form {
		switch {
		case !textutil.Storable(name) || slices.ContainsFunc(values, func(v string) bool { return !textutil.Storable(v) }):
			return errBadForm
		case !f.takes(name):
			return f.unknown(name)
		case len(values) > 1 && !slices.Contains(f.many, name):
			return problem.BadMember(name, http.StatusUnprocessableEntity,
				fmt.Sprintf("The field %.100q stands %d times. Send it once.", name, len(values)))
		}
	}
	return nil
}

// unknown refuses a field that a body does not have.
func (f *bodyForm) unknown(name string) *problem.Problem {
	detail := fmt.Sprintf("There is no field %.100q here. %s", name, f.fields.listed())
	if f.prefix != "" {
		detail += fmt.Sprintf(" Others begin with %s", f.prefix)
	}
	return problem.BadMember(name, http.StatusUnprocessableEntity, detail)
}

// formOf is the form of a request whose route declares formBody.
func formOf(c *gin.Context) url.Values {
	if c.Request.PostForm == nil {
		return url.Values{} // it was left out
	}
	return c.Request.PostForm
}
