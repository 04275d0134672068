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
	in, d := tongueOf(c), p.told(c)
	if _, ofKeys := opsActOf(d.Act); ofKeys {
		return in.saidOfKeys(d.Act, d.N, d.Of)
	}
	if d.Act == "" {
		return ""
	}
	return in.say("ops.did." + d.Act)
}
