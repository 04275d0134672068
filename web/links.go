package web

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// How long a link to a file is good, in seconds.
const (
	usualLink   = 60 * 60
	longestLink = 7 * 24 * 60 * 60
)

// filePath is the path that a link leads to.
const filePath = "/api/v1/files/:id/content"

// createLink serves POST /files/{id}/links: an address at which people without a credential
// can get the file for a while, unless its maker is revoked.
func (s *Server) createLink(c *gin.Context) error {
	req, err := s.readRequest(c, nil)
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
	if _, err := s.fileOf(c.Request.Context(), s.tenant(c), id); err != nil {
		return err
	}
	until := s.opt.Now().Add(time.Duration(seconds) * time.Second).Unix()
	query, err := s.links.Query(c.Request.Context(), auth.Link{
		File: id, Tenant: s.tenant(c), Maker: caller(c).Key, Until: until,
	})
	if err != nil {
		return err
	}
	at := "/api/v1/files/" + id + "/content?" + query.Encode()
	expires := *textutil.Instant(until * 1000)
	if _, err := s.noteDeed(c, "create-link", id, map[string]string{"expires_at": expires}, 1); err != nil {
		return err
	}
	c.Header("Location", at)
	c.JSON(http.StatusCreated, view.Link{URL: at, ExpiresAt: expires})
	return nil
}
