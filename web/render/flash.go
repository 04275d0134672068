package render

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// saidTime is the time during which a reload of a page shows its flash message again.
const saidTime = time.Minute

// Outcome is the result of an act, with the number of rows or keys that it was meant for.
type Outcome struct {
	Act string `json:"act"`
	N   int    `json:"n"`
	Of  int    `json:"of"`
	ID  string `json:"id,omitempty"` // of the act, for its undo

	Args map[string]string `json:"args,omitempty"` // further values of its sentence

	Until int64 `json:"until"` // unix ms
}

// Done redirects to a page that reports an act.
func (p *Renderer) Done(c *gin.Context, at, act string, n, of int) error {
	said, err := p.Seal(c, act, n, of)
	if err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, at+"?said="+said)
	return nil
}

// Seal returns the query parameter "said" of an act that has changed n of "of" rows or keys.
func (p *Renderer) Seal(c *gin.Context, act string, n, of int) (string, error) {
	return p.SealOutcome(c, Outcome{Act: act, N: n, Of: of})
}

// SealOutcome returns the query parameter "said", signed for the user and the tenant, so a forged
// link cannot report an act.
func (p *Renderer) SealOutcome(c *gin.Context, o Outcome) (string, error) {
	o.Until = p.Now().Add(saidTime).UnixMilli()
	return p.Secret.Seal(c.Request.Context(), o, "said", request.Tenant(c), request.Actor(c))
}

// Outcome returns the act in the query parameter "said". It returns the zero value if the parameter
// is forged, belongs to another user or is too old.
func (p *Renderer) Outcome(c *gin.Context) (d Outcome) {
	ok, err := p.Secret.Open(c.Request.Context(), c.Query("said"), &d, "said", request.Tenant(c), request.Actor(c))
	if err != nil || !ok || p.Now().UnixMilli() > d.Until {
		return Outcome{}
	}
	return d
}
