package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// getFile serves GET /files/{id}/content: the unchanged bytes of an upload, or of the file of an
// export.
func (s *Handlers) getFile(c *gin.Context) error {
	file, err := s.fileOf(c.Request.Context(), request.Tenant(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.send(c, file)
}

// fileOf returns the file of a tenant with this id. It returns problem.ErrFileExpired for a deleted
// file. For an upload, it returns the error of checkUpload, if any.
func (s *Handlers) fileOf(ctx context.Context, tenant, id string) (stored, error) {
	ctx, cancel := context.WithTimeout(ctx, route.ReadTimeout)
	defer cancel()
	t, err := s.Tasks.ByFile(ctx, tenant, id)
	if errors.Is(err, tasks.ErrExpired) {
		err = problem.ErrFileExpired
	}
	if err == nil && id == t.Source.FileID {
		err = s.checkUpload(ctx, t)
	}
	if err != nil {
		return stored{}, err
	}
	return storedOf(t, id), nil
}

// checkUpload returns an error if the caller may see the sensitive columns of the task only in masked
// form. The upload contains them unmasked.
func (s *Handlers) checkUpload(ctx context.Context, t *tasks.Task) error {
	if hides(ctx, auth.Kind(ctx, s.Kinds, t.Kind)) {
		return auth.MissingScope(auth.Caller(ctx), access.RowsReview)
	}
	return nil
}

// hides reports whether the sensitive columns of a kind are masked in files for the caller. They
// are masked for viewers. The holder of a link receives what the maker of the link may download.
func hides(ctx context.Context, kind jobs.Kind) bool {
	g := auth.Caller(ctx)
	return kind.Secret() && g.May(access.FilesRead) && !g.May(access.RowsReview)
}

// mediaTypeOf returns the Content-Type for a file by its name. It is never a type that a browser would
// render as a page or run as a script.
func mediaTypeOf(name, charset string) string {
	kind, ok := view.MediaTypes[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
	switch {
	case !ok:
		return cmp.Or(packedType(name), "application/octet-stream")
	case strings.HasPrefix(kind, "text/"):
		return kind + "; charset=" + cmp.Or(charset, "utf-8")
	}
	return kind
}

// usualLink and longestLink are the default and the greatest lifetime of a link to a file, in seconds.
const (
	usualLink   = 60 * 60
	longestLink = 7 * 24 * 60 * 60
)

// FilePath is the path at which links to files are served.
const FilePath = "/api/v1/files/:id/content"

// createLink serves POST /files/{id}/links: a URL that downloads the file without a credential
// until the URL expires. The URL also becomes invalid when the API key or user that made it is
// revoked or expires.
func (s *Handlers) createLink(c *gin.Context) error {
	req, err := s.Intake.ReadRequest(request.NewBody(c), nil)
	if err != nil {
		return err
	}
	seconds := int64(0)
	if err := req.Into("expires_in", "a number of seconds", &seconds); err != nil {
		return err
	}
	if seconds = cmp.Or(seconds, usualLink); seconds < 1 || seconds > longestLink {
		return problem.BadMember("expires_in", http.StatusUnprocessableEntity,
			fmt.Sprintf("expires_in is a number of seconds from 1 to %d.", longestLink))
	}
	id := c.Param("id")
	if _, err := s.fileOf(c.Request.Context(), request.Tenant(c), id); err != nil {
		return err
	}
	until := s.Now().Add(time.Duration(seconds) * time.Second).Unix()
	query, err := s.Links.Query(c.Request.Context(), auth.Link{
		File: id, Tenant: request.Tenant(c), Maker: request.Caller(c).Key, Until: until,
	})
	if err != nil {
		return err
	}
	at := "/api/v1/files/" + id + "/content?" + query.Encode()
	expires := *textutil.Instant(until * 1000)
	if _, err := s.Manage.Note(c.Request.Context(), "create-link", id, map[string]string{"expires_at": expires}, 1); err != nil {
		return err
	}
	c.Header("Location", at)
	request.JSON(c, http.StatusCreated, view.Link{URL: base.Of(c.Request.Context()) + at, ExpiresAt: expires})
	return nil
}
