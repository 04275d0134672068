package web

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// fileRoutes are the routes of files.
func (s *Server) fileRoutes() []route {
	link := input.Names{"expires", "account", "by", "signature"}
	return []route{
		{get, filePath, "getFile", access.FilesRead, unbounded, link, input.NoBody, s.getFile},
		{post, "/api/v1/files/:id/links", "createLink", access.TasksWrite, readTimeout, input.NoQuery, input.JSONStream("expires_in"), s.createLink},
	}
}

// kindRoutes are the routes of kinds.
func (s *Server) kindRoutes() []route {
	return []route{
		{get, "/api/v1/kinds", "listKinds", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.listKinds},
		{get, "/api/v1/kinds/:kind", "getKind", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.getKind},
		{get, "/api/v1/kinds/:kind/template", "getTemplate", access.TasksRead, readTimeout, input.Names{"format"}, input.NoBody, s.getTemplate},
	}
}

// serviceRoutes are the routes about the service itself.
func (s *Server) serviceRoutes() []route {
	return []route{
		{get, "/healthz", "getHealth", everybody, readTimeout, input.NoQuery, input.NoBody, s.getHealth},
		{get, "/readyz", "getReady", everybody, readTimeout, input.NoQuery, input.NoBody, s.getReady},
		{get, metricsPath, "getMetrics", access.ServiceRead, unbounded, input.NoQuery, input.NoBody, s.getMetrics},
		{get, contractPath, "getContract", everybody, readTimeout, input.NoQuery, input.NoBody, s.getContract},
	}
}
