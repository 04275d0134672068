package api

import (
	"bytes"
	"mime"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/templates"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// listKinds serves GET /kinds.
func (s *Handlers) listKinds(c *gin.Context) error {
	items := []view.Kind{}
	for _, k := range s.Kinds.Kinds() {
		if k.Private {
			continue
		}
		items = append(items, view.OfKind(k, c.GetString(request.LangKey)))
	}
	return request.AnswerPage(c, items, nil)
}

// getKind serves GET /kinds/{kind}.
func (s *Handlers) getKind(c *gin.Context) error {
	k, ok := s.Kinds.Kind(c.Param("kind"))
	if !ok || k.Private {
		return problem.ErrNotFound
	}
	request.JSON(c, http.StatusOK, view.OfKind(k, c.GetString(request.LangKey)))
	return nil
}

// getTemplate serves GET /kinds/{kind}/template: a file that a user can fill in, with the columns of the
// kind.
func (s *Handlers) getTemplate(c *gin.Context) error {
	format := c.DefaultQuery("format", "xlsx")
	write := templates.XLSX
	switch format {
	case "xlsx":
	case "csv":
		write = templates.CSV
	default:
		return problem.BadParameter("format", "format must be xlsx or csv.")
	}
	k, ok := s.Kinds.Kind(c.Param("kind"))
	if !ok || k.Schema == nil {
		return problem.ErrNotFound
	}
	var file bytes.Buffer
	if err := write(&file, k, c.GetString(request.LangKey)); err != nil {
		return err
	}
	media := view.MediaTypes[format]
	if format == "csv" {
		media += "; charset=utf-8"
	}
	c.Header("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": k.Name + "." + format}))
	c.Data(http.StatusOK, media, file.Bytes())
	return nil
}
