// Package route declares the operations of the service: method, path, name, scope, timeout, and the
// input of the request.
//
// It promises that an incomplete route prevents the start of the server. The routes are declared
// beside their handlers, and package web mounts them.
package route

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// Route is one operation of the service. The list of routes is the only place that declares them: the
// server is built from the list. The checks of scopes and of input and the tests of the contract read
// it.
type Route struct {
	Method  string // get also answers HEAD
	Path    string // in the syntax of Gin
	Name    string // the operationId in openapi.yaml; pages of operators, which are not in openapi.yaml, have one, too
	Scope   access.Scope
	Timeout time.Duration // of the handler
	Query   input.Names   // the parameters that the address may have
	Body    input.Body
	Serve   Handler
}

// Handler answers a request, or returns an error.
type Handler = func(*gin.Context) error

// Get is the method of a route that answers GET and HEAD.
const Get = "GET, HEAD"

// Everybody is the scope of a route that needs no credential.
const Everybody access.Scope = "everybody"

// Unbounded is the timeout of a handler that streams, or that waits for the time that its request
// names.
const Unbounded time.Duration = -1

// New returns a route. Its parameters are the fields of a route, in their order.
func New(
	method, path, name string, scope access.Scope, timeout time.Duration, query input.Names, body input.Body, serve Handler,
) Route {
	return Route{method, path, name, scope, timeout, query, body, serve}
}

// Methods returns the HTTP methods that the route answers; the first names it.
func (r *Route) Methods() []string { return strings.Split(r.Method, ", ") }

// Key names the route as "METHOD path".
func (r *Route) Key() string { return r.Methods()[0] + " " + r.Path }

// undeclared lists the missing declarations of a route.
func (r *Route) undeclared() (missing []string) {
	for _, part := range []struct {
		name string
		open bool
	}{
		{"method", r.Method == ""},
		{"path", r.Path == ""},
		{"name", r.Name == ""},
		{"scope", r.Scope == ""},
		{"timeout", r.Timeout == 0},
		{"query", r.Query == nil},
		{"body", r.Body.Forms == nil},
		{"handler", r.Serve == nil},
	} {
		if part.open {
			missing = append(missing, part.name)
		}
	}
	return missing
}

// Check rejects a list with an incomplete route, or with two routes of one name or address.
func Check(list []Route) (err error) {
	seen := map[string]bool{}
	for i := range list {
		r := &list[i]
		if missing := r.undeclared(); len(missing) > 0 {
			err = errors.Join(err, fmt.Errorf("web: route %q (%s) declares no %s",
				r.Key(), r.Name, strings.Join(missing, ", no ")))
		}
		for _, name := range []string{r.Name, r.Key()} {
			if seen[name] {
				err = errors.Join(err, fmt.Errorf("web: two routes are called %q", name))
			}
			seen[name] = true
		}
	}
	return err
}

// The methods of routes that change something.
const (
	Post   = http.MethodPost
	Put    = http.MethodPut
	Patch  = http.MethodPatch
	Delete = http.MethodDelete
)
