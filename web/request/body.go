package request

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
)

// TLSKey is the key under which a request stores whether its browser speaks TLS.
const TLSKey = "tls"

// Keys under which a request stores its checked input.
const (
	FormKey  = "form"  // the *input.Form of its body
	TakenKey = "taken" // the value of its decoded JSON body
)

// Body returns the body of a request whose route declares input.JSON[T]; a zero T without a body.
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
	f, _ := v.(*input.Form) // handlers of routes without a body do not call Declared
	return f
}

// Form returns the form of a request whose route declares input.PageForm.
func Form(c *gin.Context) url.Values {
	if c.Request.PostForm == nil {
		return url.Values{} // the body was missing
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
