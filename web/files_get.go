package web

import (
	"cmp"
	"context"
	"errors"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// getFile serves GET /files/{id}/content: an upload or the file of an export, byte
// for byte.
func (s *Server) getFile(c *gin.Context) error {
	file, err := s.fileOf(c.Request.Context(), s.tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.send(c, file)
}

// fileOf finds a file of a tenant.
func (s *Server) fileOf(ctx context.Context, tenant, id string) (stored, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	t, err := s.opt.Tasks.ByFile(ctx, tenant, id)
	if errors.Is(err, tasks.ErrExpired) {
		err = problem.ErrFileExpired
	}
	if err != nil {
		return stored{}, err
	}
	return storedOf(t, id), nil
}

// mediaTypeOf never says that a file is something a browser would run.
func mediaTypeOf(name, charset string) string {
	kind, ok := mediaTypes[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
	switch {
	case !ok:
		return cmp.Or(packedType(name), "application/octet-stream")
	case strings.HasPrefix(kind, "text/"):
		return kind + "; charset=" + cmp.Or(charset, "utf-8")
	}
	return kind
}
