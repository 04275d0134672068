package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
)

// How long a link to a file is good, in seconds.
const (
	usualLink   = 60 * 60
	longestLink = 7 * 24 * 60 * 60
)

// filePath is the path that a link leads to.
const filePath = "/api/v1/files/:id/content"

var (
	errLinkExpired = refuse(http.StatusGone, "LINK_EXPIRED",
		"The time of this link is over. Ask whoever sent it for another one.")
	errLinkInvalid = refuse(http.StatusForbidden, "LINK_INVALID",
		"This link is not whole: it was cut off, or changed.")
)

type linkView struct {
	URL       string `json:"url"`
	ExpiresAt string `json:"expires_at"`
}

// createLink serves POST /files/{id}/links: an address at which the file can be had
// for a while by people without a credential.
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
		return badMember("expires_in", http.StatusUnprocessableEntity,
			fmt.Sprintf("expires_in is a number of seconds from 1 to %d.", longestLink))
	}
	id := c.Param("id")
	if _, err := s.fileOf(c.Request.Context(), s.tenant(c), id); err != nil {
		return err
	}
	until := s.opt.Now().Add(time.Duration(seconds) * time.Second).Unix()
	seal, err := s.linkSeal(c.Request.Context(), id, s.tenant(c), until)
	if err != nil {
		return err
	}
	query := url.Values{
		"expires": {strconv.FormatInt(until, 10)}, "account": {s.tenant(c)}, "signature": {seal},
	}
	at := "/api/v1/files/" + id + "/content?" + query.Encode()
	c.Header("Location", at)
	c.JSON(http.StatusCreated, linkView{at, *instant(until * 1000)})
	return nil
}

// linkSeal is the signature of a link. Whoever has the secret of the service can make
// one; nobody can guess it.
func (s *Server) linkSeal(ctx context.Context, id, tenant string, until int64) (string, error) {
	key, err := s.secret.get(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "file link\x00%s\x00%s\x00%d", id, tenant, until)
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
	tenant := c.Query("account")
	seal, err := s.linkSeal(c.Request.Context(), c.Param("id"), tenant, until)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(seal), []byte(c.Query("signature"))) {
		return errLinkInvalid
	}
	if s.opt.Now().Unix() >= until {
		return errLinkExpired
	}
	c.Set(callerKey, access.Grant{Tenant: tenant})
	return nil
}
