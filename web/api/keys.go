package api

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// keyRequest is the body of POST /keys.
type keyRequest struct {
	Name      string  `json:"name"`
	Role      string  `json:"role"`
	ExpiresAt *string `json:"expires_at"`
}

// listKeys serves GET /keys: the API keys of the tenant, newest first, including revoked and expired
// ones. The owner receives the keys of all tenants, or of the tenant that the request names.
func (s *Handlers) listKeys(c *gin.Context) error {
	read, err := s.Manage.KeysFor(c.Request.Context(), c.Query("tenant"))
	if err != nil {
		return err
	}
	return request.Listing[access.Key, view.Key]{
		Read: read, Num: manage.KeyNum, View: view.OfKey,
	}.Serve(c, s.Cursors.ListPage)
}

// createKey serves POST /keys. Only this response contains the secret.
func (s *Handlers) createKey(c *gin.Context) error {
	req := request.Body[keyRequest](c)
	d := access.Draft{Tenant: request.Tenant(c), Name: req.Name, Role: access.Role(req.Role), Maker: request.Caller(c).Key}
	if req.ExpiresAt != nil {
		at, err := time.Parse(time.RFC3339, *req.ExpiresAt)
		if err != nil {
			return problem.BadField("expires_at", "expires_at is a time such as 2027-01-31T12:00:00Z.")
		}
		d.ExpiresAt = at
	}
	k, secret, err := s.Access.Create(c.Request.Context(), request.Actor(c), d)
	if err != nil {
		return manage.DraftProblem(err)
	}
	v := view.OfKey(k)
	v.Secret = secret
	request.IdempotentOf(c).Hide()
	request.JSON(c, http.StatusCreated, v)
	return nil
}

// rotateRequest is the body of POST /keys/{id}/rotate.
type rotateRequest struct {
	GraceS *int64 `json:"grace_s"`
}

// rotateKey serves POST /keys/{id}/rotate. It gives the API key a new secret; the old secret works
// for grace_s more seconds.
func (s *Handlers) rotateKey(c *gin.Context) error {
	req := request.Body[rotateRequest](c)
	most := int64(access.MaxGrace / time.Second)
	seconds := *cmp.Or(req.GraceS, new(int64(manage.RotationGrace/time.Second)))
	if seconds < 0 || seconds > most {
		return problem.BadField("grace_s", fmt.Sprintf("grace_s is a number of seconds from 0 to %d.", most))
	}
	ctx, id := c.Request.Context(), c.Param("id")
	secret, err := s.Access.Rotate(ctx, request.Actor(c), request.Tenant(c), id, time.Duration(seconds)*time.Second)
	if err != nil {
		return err
	}
	k, err := s.Access.Get(ctx, request.Tenant(c), id)
	if err != nil {
		return err
	}
	v := view.OfKey(k)
	v.Secret = secret
	request.IdempotentOf(c).Hide()
	request.JSON(c, http.StatusOK, v)
	return nil
}

// revokeKey serves DELETE /keys/{id}. It revokes an API key or a user, which stays in the list as
// revoked. With with_made=true, it also revokes the API keys, pauses the schedules and disables the
// webhooks that the key or user has made.
func (s *Handlers) revokeKey(c *gin.Context, k *access.Key) error {
	made, err := request.OneOf(c, "with_made", "true", "false")
	if err != nil {
		return err
	}
	e, err := s.Manage.RevokeKey(c.Request.Context(), k, made == "true")
	switch {
	case err != nil:
		return err
	case made == "true":
		request.JSON(c, http.StatusOK, view.Ended(e))
	default:
		c.Status(http.StatusNoContent)
	}
	return nil
}
