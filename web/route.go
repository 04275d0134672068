package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// route is one operation of the service. The list of routes is the only place
// that declares them: the server is built of it, and the check of scopes, the
// check of input and the tests of the contract read it.
type route struct {
	method  string // get also answers HEAD
	path    string // as Gin writes it
	name    string // the operationId in openapi.yaml; also of pages of operators, which are not in it
	scope   access.Scope
	timeout time.Duration // of the handler
	query   input.Names   // the parameters that the address may have
	body    input.Body
	serve   handler
}

// handler answers a request, or returns why it cannot.
type handler = func(*gin.Context) error

// get is the method of a route that answers GET and HEAD.
const get = "GET, HEAD"

// everybody is the scope of a route that needs no credential.
const everybody access.Scope = "everybody"

// unbounded is the timeout of a handler that streams, or waits as it is asked to.
const unbounded time.Duration = -1

// methods are the HTTP methods that the route answers; the first names it.
func (r *route) methods() []string { return strings.Split(r.method, ", ") }

// key names the route as "METHOD path".
func (r *route) key() string { return r.methods()[0] + " " + r.path }

// undeclared lists what a route leaves open.
func (r *route) undeclared() (missing []string) {
	for _, part := range []struct {
		name string
		open bool
	}{
		{"method", r.method == ""},
		{"path", r.path == ""},
		{"name", r.name == ""},
		{"scope", r.scope == ""},
		{"timeout", r.timeout == 0},
		{"query", r.query == nil},
		{"body", r.body.Forms == nil},
		{"handler", r.serve == nil},
	} {
		if part.open {
			missing = append(missing, part.name)
		}
	}
	return missing
}

// checkRoutes refuses a list with an incomplete route, or with two of one name
// or address.
func checkRoutes(list []route) (err error) {
	seen := map[string]bool{}
	for i := range list {
		r := &list[i]
		if missing := r.undeclared(); len(missing) > 0 {
			err = errors.Join(err, fmt.Errorf("web: route %q (%s) declares no %s",
				r.key(), r.name, strings.Join(missing, ", no ")))
		}
		for _, name := range []string{r.name, r.key()} {
			if seen[name] {
				err = errors.Join(err, fmt.Errorf("web: two routes are called %q", name))
			}
			seen[name] = true
		}
	}
	return err
}

// routes lists all routes of the server.
func (p *pages) routes() []route {
	return slices.Concat(
		p.taskRoutes(), p.rowRoutes(), p.fileRoutes(), p.kindRoutes(), p.scheduleRoutes(), p.webhookRoutes(),
		p.keyRoutes(), p.queueRoutes(), p.serviceRoutes(), p.pageRoutes(), p.signInRoutes(), p.operatorRoutes(), p.reserveRoutes(),
	)
}

// mount adds the routes to the server. It panics on a list that is incomplete,
// so that the server does not start with it.
func (p *pages) mount(list []route) {
	if err := checkRoutes(list); err != nil {
		panic(err)
	}
	p.table = make(map[string]*route, len(list))
	for i := range list {
		r := &list[i]
		for _, method := range r.methods() {
			p.table[method+" "+r.path] = r
			p.gin.Handle(method, r.path, p.handlers(r)...)
		}
	}
	p.reserve = map[*route]bool{}
	for _, r := range p.reserveRoutes() {
		p.reserve[p.table[r.key()]] = true
	}
	p.gin.NoRoute(p.forReader(problem.ErrNoPath))
	p.gin.NoMethod(p.forReader(problem.ErrNoMethod))
}

// handlers are what Gin calls for a route, behind what it calls for all.
func (p *pages) handlers(r *route) []gin.HandlerFunc {
	serve := r.serve
	if r.timeout > 0 {
		serve = within(r.timeout, serve)
	}
	strict := func(c *gin.Context) error {
		if err := p.checkInput(c, r); err != nil {
			return err
		}
		return serve(c)
	}
	switch {
	case !forPrograms(r.path):
		return []gin.HandlerFunc{p.page(strict)}
	case strings.HasPrefix(r.path, "/api/"):
		return []gin.HandlerFunc{noStore, p.handle(strict)}
	}
	return []gin.HandlerFunc{p.handle(strict)}
}

// routeOf is the route of a request; nil if there is none.
func (s *Server) routeOf(c *gin.Context) *route {
	return s.table[c.Request.Method+" "+c.FullPath()]
}
