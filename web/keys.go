package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// rotationGrace is how long the old secret works if nothing else is asked for.
const rotationGrace = 24 * time.Hour

// keyRequest is the body of POST /keys.
type keyRequest struct {
	Name      string  `json:"name"`
	Role      string  `json:"role"`
	ExpiresAt *string `json:"expires_at"`
}

// listKeys serves GET /keys: those of the tenant, newest first, also those that
// count no more. For the owner they are those of all tenants, or of the one asked for.
func (s *Server) listKeys(c *gin.Context) error {
	read, err := s.keysFor(c)
	if err != nil {
		return err
	}
	return listing[access.Key, view.Key]{
		read: read, num: func(k *access.Key) int64 { return k.Num }, view: view.OfKey,
	}.serve(s, c)
}

// keysFor returns what reads the keys that the caller asks for.
func (s *Server) keysFor(c *gin.Context) (func(ctx context.Context, before int64, limit int) ([]access.Key, error), error) {
	if c.Query("tenant") == "" && caller(c).May(access.ServiceRead) {
		return s.opt.Access.All, nil
	}
	tenant, err := s.askedTenant(c)
	return func(ctx context.Context, before int64, limit int) ([]access.Key, error) {
		return s.opt.Access.List(ctx, tenant, before, limit)
	}, err
}

// createKey serves POST /keys. Its answer is the only one that shows the secret.
func (s *Server) createKey(c *gin.Context) error {
	req := taken[keyRequest](c)
	d := access.Draft{Tenant: s.tenant(c), Name: req.Name, Role: access.Role(req.Role), Maker: caller(c).Key}
	if req.ExpiresAt != nil {
		at, err := time.Parse(time.RFC3339, *req.ExpiresAt)
		if err != nil {
			return problem.BadField("expires_at", "expires_at is a time such as 2027-01-31T12:00:00Z.")
		}
		d.ExpiresAt = at
	}
	k, secret, err := s.opt.Access.Create(c.Request.Context(), s.actor(c), d)
	if err != nil {
		return draftProblem(err)
	}
	v := view.OfKey(k)
	v.Secret = secret
	idempotentRequestOf(c).hide()
	c.JSON(http.StatusCreated, v)
	return nil
}

// draftProblem tells what is wrong with a key that was asked for.
func draftProblem(err error) error {
	if !errors.Is(err, access.ErrDraft) {
		return err
	}
	_, why, _ := strings.Cut(err.Error(), ": ")
	return problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", "The key was not created: "+why+".")
}

// rotateRequest is the body of POST /keys/{id}/rotate.
type rotateRequest struct {
	GraceS *int64 `json:"grace_s"`
}

// rotateKey serves POST /keys/{id}/rotate: a new secret, beside which the old
// one works for grace_s seconds.
func (s *Server) rotateKey(c *gin.Context) error {
	req := taken[rotateRequest](c)
	most := int64(access.MaxGrace / time.Second)
	seconds := *cmp.Or(req.GraceS, new(int64(rotationGrace/time.Second)))
	if seconds < 0 || seconds > most {
		return problem.BadField("grace_s", fmt.Sprintf("grace_s is a number of seconds from 0 to %d.", most))
	}
	ctx, id := c.Request.Context(), c.Param("id")
	secret, err := s.opt.Access.Rotate(ctx, s.actor(c), s.tenant(c), id, time.Duration(seconds)*time.Second)
	if err != nil {
		return err
	}
	k, err := s.opt.Access.Get(ctx, s.tenant(c), id)
	if err != nil {
		return err
	}
	v := view.OfKey(k)
	v.Secret = secret
	idempotentRequestOf(c).hide()
	c.JSON(http.StatusOK, v)
	return nil
}

// makers returns what revokes keys and people with what they made.
func (s *Server) makers() operate.Makers {
	return operate.Makers{Access: s.opt.Access, Schedules: s.opt.Schedules, Notify: s.opt.Notify, Log: s.opt.Audit}
}

// revokeKey serves DELETE /keys/{id}, of a key or a person. It stays in the list, as revoked.
// With with_made=true, what it made ends too.
func (s *Server) revokeKey(c *gin.Context, k *access.Key) error {
	made, err := oneOf(c, "with_made", "true", "false")
	if err != nil {
		return err
	}
	e, err := s.endKey(c, k, made == "true")
	switch {
	case err != nil:
		return err
	case made == "true":
		c.JSON(http.StatusOK, view.Ended(e))
	default:
		c.Status(http.StatusNoContent)
	}
	return nil
}

// endKey revokes a key or person, with what it made if that is asked for. What the owner revokes
// of another tenant is in the audit of the owner, too.
func (s *Server) endKey(c *gin.Context, k *access.Key, withMade bool) (e operate.Ended, err error) {
	ctx, actor := c.Request.Context(), s.actor(c)
	if k.Tenant != "" && k.Tenant != s.tenant(c) && k.RevokedAt == 0 {
		act := "revoke-key"
		if (access.Grant{Key: k.ID}).Personal() {
			act = "revoke-person"
		}
		_, err = s.opt.Audit.Begin(ctx, audit.Entry{Subject: audit.Owner(), Actor: actor, Act: act, Target: k.ID, Touched: 1})
	}
	switch {
	case err != nil:
	case withMade:
		e, err = s.makers().Revoke(ctx, actor, k.Tenant, k.ID)
	default:
		err = s.opt.Access.Revoke(ctx, actor, k.Tenant, k.ID)
	}
	return e, err
}
