package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

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

// said is what the page that done leads to says.
func (p *pages) said(c *gin.Context) string {
	d := p.told(c)
	switch d.Act {
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
	case "pause-tenant":
		return "The tenant is paused. Nothing more of it is started until it is resumed."
	case "resume-tenant":
		return "The tenant goes on."
	case "schedule":
		return "The schedule is made."
	case "pause-schedule":
		return "The schedule is paused: nothing is started by it until it is resumed."
	case "resume-schedule":
		return "The schedule goes on with its next time. What it missed meanwhile is not made up for."
	case "run-schedule":
		return "A task was made. The plan goes on as it was."
	case "delete-schedule":
		return "The schedule is deleted. Its tasks stay."
	default:
		return saidOfKeys(d.Act, d.N, d.Of)
	}
}
