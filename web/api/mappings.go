package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// mappingRoutes returns the routes of stored mappings, which map headings of files to columns of kinds.
func (s *Handlers) mappingRoutes() []route.Route {
	return []route.Route{
		route.New(route.Get, "/api/v1/mappings", "listMappings", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.listMappings),
		route.New(route.Delete, "/api/v1/mappings/:id", "deleteMapping", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.deleteMapping),
	}
}

// listMappings serves GET /mappings.
func (s *Handlers) listMappings(c *gin.Context) error {
	list, err := s.Mappings.List(c.Request.Context(), request.Tenant(c))
	if err != nil {
		return err
	}
	return request.AnswerPage(c, view.All(list, func(m *mappings.Mapping) view.Mapping { return view.OfMapping(m) }), nil)
}

// deleteMapping serves DELETE /mappings/{id}.
func (s *Handlers) deleteMapping(c *gin.Context) error {
	if err := s.Mappings.Delete(context.WithoutCancel(c.Request.Context()), request.Tenant(c), c.Param("id")); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}
