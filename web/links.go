package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/internal/textutil"
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

var (
	errLinkExpired = problem.New(http.StatusGone, "LINK_EXPIRED",
		"The time of this link is over. Ask whoever sent it for another one.")
	errLinkEnded = problem.New(http.StatusForbidden, "LINK_ENDED",
		"This link has ended: the key or the person that made it was revoked, or the key has expired.")
	errLinkInvalid = problem.New(http.StatusForbidden, "LINK_INVALID",
		"This link is not whole: it was cut off, or changed.")
)

// link is what a link to a file says.
type link struct {
	file, tenant string
	maker        string // the key or person that made it, with which it ends; "": none was asked for
	until        int64  // unix seconds
}

// createLink serves POST /files/{id}/links: an address at which people without a credential
// can get the file for a while, unless its maker is revoked.
func (s *Server) createLink(c *gin.Context) error {
	req, err := s.readRequest(c, nil)
	if err != nil {
		return err
	}
	seconds := int64(0)
	if err := req.into("expires_in", "a number of seconds", &seconds); err != nil {
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
	at, err := s.linkAddress(c.Request.Context(), link{id, s.tenant(c), caller(c).Key, until})
	if err != nil {
		return err
	}
	expires := *textutil.Instant(until * 1000)
	if _, err := s.noteDeed(c, "create-link", id, map[string]string{"expires_at": expires}, 1); err != nil {
		return err
	}
	c.Header("Location", at)
	c.JSON(http.StatusCreated, view.Link{URL: at, ExpiresAt: expires})
	return nil
}

// linkAddress returns the address of a link.
func (s *Server) linkAddress(ctx context.Context, l link) (string, error) {
	seal, err := s.linkSeal(ctx, l)
	if err != nil {
		return "", err
	}
	query := url.Values{"expires": {strconv.FormatInt(l.until, 10)}, "account": {l.tenant}, "signature": {seal}}
	if l.maker != "" {
		query.Set("by", l.maker)
	}
	return "/api/v1/files/" + l.file + "/content?" + query.Encode(), nil
}

// linkSeal returns the signature of a link, by a secret that only the service has. A link
// without a maker has the signature of earlier versions, so links of these work to their end.
func (s *Server) linkSeal(ctx context.Context, l link) (string, error) {
	key, err := s.secret.get(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	if l.maker == "" {
		fmt.Fprintf(mac, "file link\x00%s\x00%s\x00%d", l.file, l.tenant, l.until)
	} else {
		fmt.Fprintf(mac, "file link of\x00%s\x00%s\x00%s\x00%d", l.maker, l.file, l.tenant, l.until)
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

// linked tells whether a request comes by a link, instead of with a credential.
func linked(c *gin.Context) bool {
	return c.FullPath() == filePath && c.Query("signature") != ""
}

// admitLink lets a request in by its link.
func (s *Server) admitLink(c *gin.Context) error {
	until, err := strconv.ParseInt(c.Query("expires"), 10, 64)
	if err != nil {
		return errLinkInvalid
	}
	l := link{file: c.Param("id"), tenant: c.Query("account"), maker: c.Query("by"), until: until}
	seal, err := s.linkSeal(c.Request.Context(), l)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(seal), []byte(c.Query("signature"))) {
		return errLinkInvalid
	}
	if s.opt.Now().Unix() >= until {
		return errLinkExpired
	}
	if err := s.linkStands(c, l); err != nil {
		return err
	}
	c.Set(callerKey, access.Grant{Tenant: l.tenant})
	return nil
}

// linkStands returns errLinkEnded if the maker of a link counts no more.
func (s *Server) linkStands(c *gin.Context, l link) error {
	if l.maker == "" || s.opt.Access == nil {
		return nil
	}
	err := s.opt.Access.Standing(c.Request.Context(), l.tenant, l.maker)
	if errors.Is(err, access.ErrNotFound) && l.tenant == s.opt.Tenant { // the owner's keys have no tenant
		err = s.opt.Access.Standing(c.Request.Context(), "", l.maker)
	}
	for _, ended := range []error{access.ErrRevoked, access.ErrExpired, access.ErrNotFound} {
		if errors.Is(err, ended) {
			c.Set(suspectKey, suspect{grant: access.Grant{Key: l.maker, Tenant: l.tenant}})
			return errLinkEnded
		}
	}
	return err
}
