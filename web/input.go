package web

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// checkInput returns an error for input that the route does not declare. It also decodes JSON
// bodies and forms, unless the handler reads the body itself.
func (s *Server) checkInput(c *gin.Context, r *route.Route) error {
	f, err := r.Body.Choose(c.Request)
	if err != nil {
		return err
	}
	c.Set(request.FormKey, f)
	if err := input.CheckQuery(c.Request, r.Query, f); err != nil {
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

// takeJSON decodes the JSON body of a request into the value that the route declares. It does not decode
// an empty optional body.
func (s *Server) takeJSON(c *gin.Context, r *route.Route, f *input.Form) error {
	v := f.Decode()
	c.Set(request.TakenKey, v)
	text, err := input.ReadText(c.Writer, c.Request, s.opt.StallTimeout)
	if err != nil || text == "" && r.Body.Optional {
		return err
	}
	return input.Decode(text, f, v)
}
