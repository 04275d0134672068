package web

import "github.com/rollcall-dev/rollcall/access"

// fileRoutes are the routes of files.
func (s *Server) fileRoutes() []route {
	link := names{"expires", "account", "by", "signature"}
	return []route{
		{get, filePath, "getFile", access.FilesRead, unbounded, link, noBody, s.getFile},
		{post, "/api/v1/files/:id/links", "createLink", access.TasksWrite, readTimeout, noQuery, jsonStream("expires_in"), s.createLink},
	}
}

// kindRoutes are the routes of kinds.
func (s *Server) kindRoutes() []route {
	return []route{
		{get, "/api/v1/kinds", "listKinds", access.TasksRead, readTimeout, noQuery, noBody, s.listKinds},
		{get, "/api/v1/kinds/:kind", "getKind", access.TasksRead, readTimeout, noQuery, noBody, s.getKind},
		{get, "/api/v1/kinds/:kind/template", "getTemplate", access.TasksRead, readTimeout, names{"format"}, noBody, s.getTemplate},
	}
}

// serviceRoutes are the routes about the service itself.
func (s *Server) serviceRoutes() []route {
	return []route{
		{get, "/healthz", "getHealth", everybody, readTimeout, noQuery, noBody, s.getHealth},
		{get, "/readyz", "getReady", everybody, readTimeout, noQuery, noBody, s.getReady},
		{get, metricsPath, "getMetrics", access.ServiceRead, unbounded, noQuery, noBody, s.getMetrics},
		{get, contractPath, "getContract", everybody, readTimeout, noQuery, noBody, s.getContract},
	}
}
