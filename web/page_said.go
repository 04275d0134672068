package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// saidTime is how long a page goes on saying what was done, if it is loaded again.
const saidTime = time.Minute

// deedDone is what an act has done, of how many it was meant for.
type deedDone struct {
	Act   string `json:"act"`
	N     int    `json:"n"`
	Of    int    `json:"of"`
	Until int64  `json:"until"` // unix ms
}

// done leads to a page, which says what an act has done.
func (p *pages) done(c *gin.Context, at, act string, n, of int) error {
	said, err := p.saying(c, act, n, of)
	if err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, at+"?said="+said)
	return nil
}

// saying is what the address of a page carries, as said, for the page to tell what an
// act has done: under a seal for who did it, so that nobody can send somebody to a
// page that tells of what was never done.
func (p *pages) saying(c *gin.Context, act string, n, of int) (string, error) {
	text, err := json.Marshal(deedDone{act, n, of, p.opt.Now().Add(saidTime).UnixMilli()})
	if err != nil {
		return "", err
	}
	mark, err := p.saidSeal(c, text)
	return base64.RawURLEncoding.EncodeToString(append(text, mark...)), err
}

// told reads what done has put into the address of a page; what is not from there,
// is another person's, or is over says nothing.
func (p *pages) told(c *gin.Context) (d deedDone) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(c.Query("said"))
	cut := len(raw) - sha256.Size
	if err != nil || cut < 1 {
		return deedDone{}
	}
	mark, err := p.saidSeal(c, raw[:cut])
	if err != nil || !hmac.Equal(mark, raw[cut:]) || json.Unmarshal(raw[:cut], &d) != nil ||
		p.opt.Now().UnixMilli() > d.Until {
		return deedDone{}
	}
	return d
}

func (p *pages) saidSeal(c *gin.Context, text []byte) ([]byte, error) {
	return p.sealOf(c.Request.Context(), text, "said", p.tenant(c), p.actor(c))
}

// sealOf is what nobody but this service can say about a text that is for a
// purpose, named by parts without NUL.
func (p *pages) sealOf(ctx context.Context, text []byte, purpose ...string) ([]byte, error) {
	key, err := p.secret.get(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range purpose {
		_, _ = mac.Write([]byte(part + "\x00")) // a hash takes all
	}
	_, _ = mac.Write(text)
	return mac.Sum(nil), nil
}
