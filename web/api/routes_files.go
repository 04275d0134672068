package api

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/route"
)

func (s *Handlers) fileRoutes() []route.Route {
	link := input.Names{"expires", "account", "by", "signature"}
	return []route.Route{
		route.New(route.Get, FilePath, "getFile", access.FilesRead, route.Unbounded, link, input.NoBody, s.getFile),
		route.New(route.Post, "/api/v1/files/:id/links", "createLink", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.JSONStream("expires_in"), s.createLink),
	}
}

func (s *Handlers) kindRoutes() []route.Route {
	return []route.Route{
		route.New(route.Get, "/api/v1/kinds", "listKinds", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.listKinds),
		route.New(route.Get, "/api/v1/kinds/:kind", "getKind", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.getKind),
		route.New(route.Get, "/api/v1/kinds/:kind/template", "getTemplate", access.TasksRead, route.ReadTimeout, input.Names{"format"}, input.NoBody, s.getTemplate),
	}
}

// ReserveRoutes returns the routes that find or revoke an API key. They have a second rate limit, for
// each credential, so they work even after the rate limit of the tenant is used up. Without authentication, there are no
// such routes.
func (s *Handlers) ReserveRoutes() []route.Route {
	if s.Access == nil {
		return nil
	}
	return []route.Route{
		route.New(route.Get, "/api/v1/keys", "listKeys", access.KeysAdmin, route.ReadTimeout, input.Names{"limit", "cursor", "tenant"}, input.NoBody, s.listKeys),
		route.New(route.Delete, "/api/v1/keys/:id", "revokeKey", access.KeysAdmin, route.ReadTimeout, input.Names{"with_made"}, input.NoBody, s.Find.ForKey(s.revokeKey)),
	}
}
