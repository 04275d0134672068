package render

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// flashTime is the time for which a page shows the flash message again when it is reloaded.
const flashTime = time.Minute

// Outcome is the result of an act. The field Of is the number of rows or keys that the act was meant for,
// and N is the number that it has changed.
type Outcome struct {
	Act string `json:"act"`
	N   int    `json:"n"`
	Of  int    `json:"of"`
	ID  string `json:"id,omitempty"` // id of the act, for its undo

	Args map[string]string `json:"args,omitempty"` // further values for the sentence

	Until int64 `json:"until"` // unix ms
}

// Done redirects to a page that shows the result of an act. The argument `at` is the path of the page,
// with or without parameters.
func (p *Renderer) Done(c *gin.Context, at, act string, n, of int) error {
	said, err := p.Seal(c, act, n, of)
	if err != nil {
		return err
	}
	sign := "?"
	if strings.Contains(at, "?") {
		sign = "&"
	}
	c.Redirect(http.StatusSeeOther, at+sign+"said="+said)
	return nil
}

// Seal returns the value of the query parameter "said" for an Outcome with these fields.
func (p *Renderer) Seal(c *gin.Context, act string, n, of int) (string, error) {
	return p.SealOutcome(c, Outcome{Act: act, N: n, Of: of})
}

// SealOutcome returns the value of the query parameter "said". The value is signed for the user and the
// tenant, so a forged link cannot show a result.
func (p *Renderer) SealOutcome(c *gin.Context, o Outcome) (string, error) {
	o.Until = p.Now().Add(flashTime).UnixMilli()
	return p.Secret.Seal(c.Request.Context(), o, "said", request.Tenant(c), request.Actor(c))
}

// Outcome returns the Outcome in the query parameter "said". It returns the zero value if the parameter
// is missing, forged, expired, or signed for another user or tenant.
func (p *Renderer) Outcome(c *gin.Context) (d Outcome) {
	ok, err := p.Secret.Open(c.Request.Context(), c.Query("said"), &d, "said", request.Tenant(c), request.Actor(c))
	if err != nil || !ok || p.Now().UnixMilli() > d.Until {
		return Outcome{}
	}
	return d
}
