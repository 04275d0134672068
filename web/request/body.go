package request

import (
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
)

// TLSKey is the key of a gin.Context for the boolean that reports whether the client uses TLS.
const TLSKey = "tls"

// These are keys of a gin.Context. Package web sets the values before the handler runs.
const (
	FormKey  = "form"  // the *input.Form that declares the body of the request; nil without a body
	TakenKey = "taken" // the value into which the JSON body was decoded
)

// Body returns the decoded body of a request whose route declares input.JSON[T]. It returns a zero T if
// the request has no body.
func Body[T any](c *gin.Context) *T {
	v, _ := c.Get(TakenKey)
	if body, ok := v.(*T); ok {
		return body
	}
	return new(T)
}

// Declared returns the declared form that the body of a request matches; nil if there is none.
func Declared(c *gin.Context) *input.Form {
	v, _ := c.Get(FormKey)
	f, _ := v.(*input.Form) // nil for a route without a body
	return f
}

// Form returns the form fields of a request whose route declares input.PageForm. It returns no fields
// if the request has no body.
func Form(c *gin.Context) url.Values {
	if c.Request.PostForm == nil {
		return url.Values{} // the body was missing
	}
	return c.Request.PostForm
}

// NewTask returns a request to create a task of the caller. It has no contents yet.
func NewTask(c *gin.Context) *ingest.Request {
	return &ingest.Request{Tenant: Tenant(c), Actor: Actor(c), Attempt: IdempotentOf(c)}
}

// NewBody returns the body of a request for package intake.
func NewBody(c *gin.Context) intake.Body {
	return intake.Body{W: c.Writer, R: c.Request, Form: Declared(c)}
}
