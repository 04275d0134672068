package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

const uploadsPath = "/api/v1/uploads"

// uploadRoutes returns the routes of uploads in parts. They implement tus 1.0.0 with the extensions
// creation, expiration and termination.
func (s *Handlers) uploadRoutes() []route.Route {
	const one = uploadsPath + "/:id"
	return []route.Route{
		route.New(route.Post, uploadsPath, "createUpload", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.createUpload),
		route.New(route.Get, one, "getUpload", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.forUpload(s.getUpload)),
		route.New(route.Patch, one, "continueUpload", access.TasksWrite, route.Unbounded, input.NoQuery, intake.Bytes, s.forUpload(s.continueUpload)),
		route.New(route.Delete, one, "deleteUpload", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.forUpload(s.deleteUpload)),
	}
}

// forUpload returns a handler that calls h with the upload that the path names. The upload belongs to
// the caller's tenant.
func (s *Handlers) forUpload(h func(*gin.Context, *uploads.Upload) error) route.Handler {
	return func(c *gin.Context) error {
		u, err := s.Intake.Uploads.Get(c.Request.Context(), request.Tenant(c), c.Param("id"))
		if err != nil {
			return err
		}
		return h(c, u)
	}
}

// createUpload serves POST /uploads.
func (s *Handlers) createUpload(c *gin.Context) error {
	u := &uploads.Upload{Tenant: request.Tenant(c), MadeBy: request.Actor(c)}
	if err := s.Intake.StartUpload(c.Request, u); err != nil {
		return err
	}
	c.Header("Location", uploadsPath+"/"+u.ID)
	tusHeaders(c, u)
	request.JSON(c, http.StatusCreated, view.OfUpload(u))
	return nil
}

// getUpload serves GET and HEAD /uploads/{id}.
func (s *Handlers) getUpload(c *gin.Context, u *uploads.Upload) error {
	tusHeaders(c, u)
	request.JSON(c, http.StatusOK, view.OfUpload(u))
	return nil
}

// continueUpload serves PATCH /uploads/{id}.
func (s *Handlers) continueUpload(c *gin.Context, u *uploads.Upload) error {
	if err := s.Intake.Continue(request.NewBody(c), u); err != nil {
		return err
	}
	tusHeaders(c, u)
	c.Status(http.StatusNoContent)
	return nil
}

// deleteUpload serves DELETE /uploads/{id}.
func (s *Handlers) deleteUpload(c *gin.Context, u *uploads.Upload) error {
	if err := s.Intake.Uploads.Delete(c.Request.Context(), u.Tenant, u.ID); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// tusHeaders sets the headers of the tus protocol on a response about an upload.
func tusHeaders(c *gin.Context, u *uploads.Upload) {
	c.Header("Tus-Resumable", "1.0.0")
	c.Header("Upload-Offset", strconv.FormatInt(u.Received, 10))
	c.Header("Upload-Length", strconv.FormatInt(u.Size, 10))
	c.Header("Upload-Expires", time.UnixMilli(u.ExpiresAt).UTC().Format(http.TimeFormat))
}
