package web

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// getFile serves GET /files/{id}/content: an upload, byte for byte, in ranges
// if the client asks so. Its ETag is its SHA-256.
func (s *Server) getFile(c *gin.Context) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), readTimeout)
	defer cancel()
	t, err := s.opt.Tasks.ByFile(ctx, s.tenant(c), c.Param("id"))
	if errors.Is(err, tasks.ErrExpired) {
		return errFileExpired
	}
	if err != nil {
		return err
	}
	f, err := s.opt.Files.Get(c.Request.Context(), t.FileID)
	if errors.Is(err, blobs.ErrNotFound) {
		return errFileExpired // deleted a moment ago
	}
	if err != nil {
		return err
	}
	defer f.Close()
	name := strings.Map(harmless, t.FileName)
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	c.Header("Content-Type", mediaTypeOf(name, t.FileEncoding))
	c.Header("ETag", `"`+t.FileSHA256+`"`)
	http.ServeContent(c.Writer, c.Request, "", time.UnixMilli(t.CreatedAt), f)
	return nil
}

// mediaTypeOf never says that a file is something a browser would run.
func mediaTypeOf(name, charset string) string {
	kind, ok := mediaTypes[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
	switch {
	case !ok:
		return "application/octet-stream"
	case strings.HasPrefix(kind, "text/"):
		return kind + "; charset=" + cmp.Or(charset, "utf-8")
	}
	return kind
}
