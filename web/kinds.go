package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// listKinds serves GET /kinds.
func (s *Server) listKinds(c *gin.Context) error {
	items := []view.Kind{}
	for _, k := range s.opt.Kinds.Kinds() {
		items = append(items, view.OfKind(k, c.GetString(langKey)))
	}
	return answerPage(c, items, nil)
}

// getKind serves GET /kinds/{kind}.
func (s *Server) getKind(c *gin.Context) error {
	k, ok := s.opt.Kinds.Kind(c.Param("kind"))
	if !ok {
		return problem.ErrNotFound
	}
	c.JSON(http.StatusOK, view.OfKind(k, c.GetString(langKey)))
	return nil
}
