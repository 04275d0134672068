package web

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Where a request keeps what was checked of it.
const (
	formKey  = "form"  // the *input.Form of its body
	takenKey = "taken" // what its JSON body was decoded into
)

// checkInput returns an error for input that a route does not declare, and reads the bodies that
// its handler does not read itself.
func (s *Server) checkInput(c *gin.Context, r *route) error {
	f, err := r.body.Choose(c.Request)
	if err != nil {
		return err
	}
	c.Set(formKey, f)
	if err := input.CheckQuery(c.Request, r.query, f); err != nil {
		return err
	}
	switch {
	case f == nil:
		return nil
	case f.Decode != nil:
		return s.takeJSON(c, r, f)
	case f.Media[0] == input.MediaForm:
		return input.ReadForm(c.Writer, c.Request, f)
	}
	return nil // the handler reads it
}

// takeJSON decodes a body for the handler.
func (s *Server) takeJSON(c *gin.Context, r *route, f *input.Form) error {
	v := f.Decode()
	c.Set(takenKey, v)
	text, err := input.ReadText(c.Writer, c.Request, s.opt.Patience)
	if err != nil || text == "" && r.body.Optional {
		return err
	}
	return input.Decode(text, f, v)
}

// taken returns the body of a request whose route declares input.JSON[T]; a zero T if there is
// none.
func taken[T any](c *gin.Context) *T {
	v, _ := c.Get(takenKey)
	if body, ok := v.(*T); ok {
		return body
	}
	return new(T)
}

// formTaken returns the declaration of the body of a request.
func formTaken(c *gin.Context) *input.Form {
	v, _ := c.Get(formKey)
	f, _ := v.(*input.Form) // the handler of a route without a body does not ask
	return f
}

// formOf returns the form of a request whose route declares input.PageForm.
func formOf(c *gin.Context) url.Values {
	if c.Request.PostForm == nil {
		return url.Values{} // it was left out
	}
	return c.Request.PostForm
}

// readRequest reads a JSON request with the members that its route declares. Rows,
// if declared, are passed to row one by one, each a JSON object of plain values.
func (s *Server) readRequest(c *gin.Context, row func(n int, text []byte) error) (input.Object, error) {
	if err := s.ready(c.Request.Context()); err != nil {
		return nil, fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	if c.Request.ContentLength > conns.RowsBytes {
		return nil, input.ErrTooLarge
	}
	b := input.Open(c.Writer, c.Request, conns.RowsBytes, s.opt.Patience)
	req, err := input.Parse(json.NewDecoder(b), formTaken(c), row)
	b.End(err == nil)
	if b.Late {
		c.Header("Connection", "close")
		return nil, problem.ErrTooSlow
	}
	return req, err
}
