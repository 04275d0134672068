package web

import (
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

// saying returns the query parameter "said", sealed for the user and the tenant, so a
// forged link cannot report an act.
func (p *pages) saying(c *gin.Context, act string, n, of int) (string, error) {
	return p.secret.Seal(c.Request.Context(), deedDone{act, n, of, p.opt.Now().Add(saidTime).UnixMilli()}, "said", p.tenant(c), p.actor(c))
}

// told returns the act in the query parameter "said". It returns the zero value if the
// parameter is forged, belongs to another user or is too old.
func (p *pages) told(c *gin.Context) (d deedDone) {
	ok, err := p.secret.Open(c.Request.Context(), c.Query("said"), &d, "said", p.tenant(c), p.actor(c))
	if err != nil || !ok || p.opt.Now().UnixMilli() > d.Until {
		return deedDone{}
	}
	return d
}
