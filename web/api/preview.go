package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// previewImport serves POST /imports/preview. It answers with a preview of the import that POST /tasks
// would start for the same request, and stores nothing.
func (s *Handlers) previewImport(c *gin.Context) error {
	u := &ingest.Request{DryRun: true, Tenant: request.Tenant(c)}
	w, err := s.Intake.ReadSource(request.NewBody(c), u, c.GetString(request.LangKey))
	defer func() { _ = s.Ingest.Drop(c.Request.Context(), u) }() // even after an error, no file remains, because the scratch file is unlinked
	if err != nil {
		return err
	}
	if w.Export != nil {
		return problem.BadMember("type", http.StatusUnprocessableEntity, "An export has no preview.")
	}
	if u.Upload != "" {
		if u.Scratch, err = s.Files.Get(c.Request.Context(), u.File.ID); err != nil {
			return err
		}
	}
	v, err := s.Intake.Preview(c.Request.Context(), c.GetString(request.LangKey), u, u.Scratch)
	if err != nil {
		return err
	}
	if err := u.CheckColumns(v.Columns); err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, v)
	return nil
}
