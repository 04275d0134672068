package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"
)

// opsAsk asks whether an act is meant, and says what it will touch.
type opsAsk struct {
	opsFrame
	Text   string
	Do     string // words of the button
	Back   string // where to who does not mean it
	Fields []opsField
}

// opsField is what a form had, to be sent once more.
type opsField struct{ Name, Value string }

// meant tells whether a form was sent by who had been asked; if not, it asks.
func (p *pages) meant(c *gin.Context, form url.Values, ask opsAsk) (bool, error) {
	if form.Get("meant") == "yes" {
		return true, nil
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			ask.Fields = append(ask.Fields, opsField{name, value})
		}
	}
	return false, p.render(c, http.StatusOK, "ops_ask.html", ask)
}

// done leads to a page, which says what an act has done.
func (p *pages) done(c *gin.Context, at, act string, n, of int) error {
	q := url.Values{"said": {act}, "n": {strconv.Itoa(n)}, "of": {strconv.Itoa(of)}}
	c.Redirect(http.StatusSeeOther, at+"?"+q.Encode())
	return nil
}

// said is what the page that done leads to says.
func said(c *gin.Context) string {
	n, _ := strconv.Atoi(c.Query("n")) // without a number, none
	of, _ := strconv.Atoi(c.Query("of"))
	switch act := c.Query("said"); act {
	case "none":
		return "No key was chosen."
	case "revoke":
		return "The key is revoked. Whatever uses it is refused from now on."
	case "delete-webhook":
		return "The webhook is deleted, with its deliveries."
	case "replay":
		return "The delivery is tried again."
	case "limits":
		return "The limits hold from now on."
	default:
		return saidOfKeys(act, n, of)
	}
}
