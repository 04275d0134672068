package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/route"
)

// routes lists all routes of the server.
func (s *Server) routes() []route.Route {
	return slices.Concat(s.serviceRoutes(), s.api.Routes(), s.pages.Routes(), s.signIn.Routes(), s.ops.Routes(), s.reserveRoutes())
}

// mount adds the routes to the server. It panics if a route is incomplete, or if two routes share a name,
// or a method and path. The server then does not start.
func (s *Server) mount(list []route.Route) {
	if err := route.Check(list); err != nil {
		panic(err)
	}
	s.table = make(map[string]*route.Route, len(list))
	for i := range list {
		r := &list[i]
		for _, method := range r.Methods() {
			s.table[method+" "+r.Path] = r
			s.gin.Handle(method, r.Path, s.handlers(r)...)
		}
	}
	s.reserve = map[*route.Route]bool{}
	for _, r := range s.reserveRoutes() {
		s.reserve[s.table[r.Key()]] = true
	}
	s.gin.NoRoute(s.forReader(problem.ErrNoPath))
	s.gin.NoMethod(s.toPageOfForm, s.forReader(problem.ErrNoMethod))
}

// handlers returns the handlers of a route. Gin calls them after the handlers that all routes have.
func (s *Server) handlers(r *route.Route) []gin.HandlerFunc {
	serve := r.Serve
	if r.Timeout > 0 {
		serve = route.Within(r.Timeout, serve)
	}
	strict := func(c *gin.Context) error {
		if err := s.checkInput(c, r); err != nil {
			return err
		}
		return serve(c)
	}
	switch {
	case !forPrograms(r.Path):
		return []gin.HandlerFunc{s.page(strict)}
	case strings.HasPrefix(r.Path, "/api/"):
		return []gin.HandlerFunc{noStore, s.handle(strict)}
	}
	return []gin.HandlerFunc{s.handle(strict)}
}

// routeOf returns the route of a request, or nil if no route matches.
func (s *Server) routeOf(c *gin.Context) *route.Route {
	return s.table[c.Request.Method+" "+c.FullPath()]
}

// isReachable reports whether the page at this path exists and the caller may see it.
func (s *Server) isReachable(g access.Grant, path string) bool {
	r := s.table[http.MethodGet+" "+path]
	return r != nil && g.May(r.Scope)
}

// reserveRoutes returns the routes by which a caller finds or ends a credential. They still work after
// the credential has reached its rate limit. GET and DELETE of API keys then have the limit reserveRate,
// and the sign-out of a valid session has no limit.
func (s *Server) reserveRoutes() []route.Route {
	return slices.Concat(s.signIn.ReserveRoutes(), s.api.ReserveRoutes())
}

// serviceRoutes returns the routes for health, metrics, contract and static files.
func (s *Server) serviceRoutes() []route.Route {
	return []route.Route{
		route.New(route.Get, "/healthz", "getHealth", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, s.getHealth),
		route.New(route.Get, "/readyz", "getReady", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, s.getReady),
		route.New(route.Get, metricsPath, "getMetrics", access.ServiceRead, route.Unbounded, input.NoQuery, input.NoBody, s.getMetrics),
		route.New(route.Get, contractPath, "getContract", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, s.getContract),
		route.New(route.Get, docsPath, "getDocs", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, s.docs),
		route.New(route.Get, "/problems/:name", "getProblemType", route.Everybody, route.ReadTimeout, input.NoQuery, input.NoBody, s.problemType),
		route.New(route.Get, "/static/*file", "getStatic", route.Everybody, route.Unbounded, input.Names{"v"}, input.NoBody, render.Assets().Serve),
	}
}
