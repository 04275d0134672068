package web

import (
	"bytes"
	"mime"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/templates"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// getTemplate serves GET /kinds/{kind}/template: a file to fill in.
func (s *Server) getTemplate(c *gin.Context) error {
	format := c.DefaultQuery("format", "xlsx")
	write := templates.XLSX
	switch format {
	case "xlsx":
	case "csv":
		write = templates.CSV
	default:
		return problem.BadParameter("format", "format must be xlsx or csv.")
	}
	k, ok := s.opt.Kinds.Kind(c.Param("kind"))
	if !ok || k.Schema == nil {
		return problem.ErrNotFound
	}
	var file bytes.Buffer
	if err := write(&file, k, c.GetString(langKey)); err != nil {
		return err
	}
	media := mediaTypes[format]
	if format == "csv" {
		media += "; charset=utf-8"
	}
	c.Header("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": k.Name + "." + format}))
	c.Data(http.StatusOK, media, file.Bytes())
	return nil
}
