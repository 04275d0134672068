package request

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
)

// TLSKey is where a request keeps whether its browser speaks TLS.
const TLSKey = "tls"

// Where a request keeps what was checked of it.
const (
	FormKey  = "form"  // the *input.Form of its body
	TakenKey = "taken" // what its JSON body was decoded into
)

// Body returns the body of a request whose route declares input.JSON[T]; a zero T if there is none.
func Body[T any](c *gin.Context) *T {
	v, _ := c.Get(TakenKey)
	if body, ok := v.(*T); ok {
		return body
	}
	return new(T)
}

// Declared returns the declaration of the body of a request.
func Declared(c *gin.Context) *input.Form {
	v, _ := c.Get(FormKey)
	f, _ := v.(*input.Form) // the handler of a route without a body does not ask
	return f
}

// Form returns the form of a request whose route declares input.PageForm.
func Form(c *gin.Context) url.Values {
	if c.Request.PostForm == nil {
		return url.Values{} // it was left out
	}
	return c.Request.PostForm
}

// NewTask returns an empty request of the caller for a task.
func NewTask(c *gin.Context) *ingest.Request {
	return &ingest.Request{Tenant: Tenant(c), Actor: Actor(c), Attempt: IdempotentOf(c)}
}

// NewBody returns the body of a request.
func NewBody(c *gin.Context) intake.Body {
	return intake.Body{W: c.Writer, R: c.Request, Form: Declared(c)}
}
