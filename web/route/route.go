// Package route declares the operations of the service: method, path, name, scope, timeout, and the
// input of the request.
//
// The server does not start with an incomplete route. The packages of the handlers declare the routes,
// and package web mounts them.
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

// Route is the declaration of one operation of the service. The server is built from the list of
// routes. The checks of scopes and of input, and the tests of the contract, read the same list.
type Route struct {
	Method  string // one method, or Get
	Path    string // in the syntax of Gin
	Name    string // the operationId in openapi.yaml or pages.yaml; pages of operators, which are in neither, have one, too
	Scope   access.Scope
	Timeout time.Duration // time limit of the handler
	Query   input.Names   // the parameters that the address may have
	Body    input.Body
	Serve   Handler
}

// Handler is a function that answers a request, or returns an error.
type Handler = func(*gin.Context) error

// Get is the method of a route that answers both GET and HEAD.
const Get = "GET, HEAD"

// Everybody is the scope of a route that needs no credential.
const Everybody access.Scope = "everybody"

// Unbounded is the timeout of a handler without a time limit, such as a handler that sends a file.
const Unbounded time.Duration = -1

// New returns a route. Its parameters are the fields of Route, in their order.
func New(
	method, path, name string, scope access.Scope, timeout time.Duration, query input.Names, body input.Body, serve Handler,
) Route {
	return Route{method, path, name, scope, timeout, query, body, serve}
}

// Methods returns the HTTP methods that the route answers.
func (r *Route) Methods() []string { return strings.Split(r.Method, ", ") }

// Key returns the name of the route for maps and errors: "METHOD path".
func (r *Route) Key() string { return r.Methods()[0] + " " + r.Path }

// undeclared returns the names of the parts that a route does not declare.
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

// Check returns an error if a route is incomplete, or if two routes have the same name or the same
// method and path.
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

// Post, Put, Patch and Delete are the methods of routes that may change data.
const (
	Post   = http.MethodPost
	Put    = http.MethodPut
	Patch  = http.MethodPatch
	Delete = http.MethodDelete
)
