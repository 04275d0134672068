package ops

import (
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// opsAsk is the confirmation of an act, with the number of items that the act will change.
type opsAsk struct {
	opsFrame
	Text   string
	Do     string // words of the button
	Back   string // the page of the button to cancel
	Fields []opsField

	Note bool // the form has a field for the reason

	Choice     string // name of a box to tick; "": none
	ChoiceText string

	door string // link of the navigation
}

// opsField is a hidden field of a form, to be sent again with the confirmation.
type opsField struct{ Name, Value string }

// confirmed executes an act that an operator has confirmed. Without a confirmation, it renders the
// question.
func (p *Handlers) confirmed(c *gin.Context, ask opsAsk, do func() error) error {
	form := request.Form(c)
	if form.Get("meant") == "yes" {
		return do()
	}
	ask.opsFrame = p.opsFrame(c, ask.Title, ask.door)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			ask.Fields = append(ask.Fields, opsField{name, value})
		}
	}
	return p.Render.Page(c, http.StatusOK, "ops_ask.html", ask)
}

// said returns the message of the last act, which the next page shows.
func (p *Handlers) said(c *gin.Context) string {
	in, d := request.Printer(c), p.Render.Outcome(c)
	if _, ofKeys := opsActOf(d.Act); ofKeys {
		return resultOfKeys(in, d.Act, d.N, d.Of)
	}
	if d.Act == "" {
		return ""
	}
	return in.Text("ops.did."+d.Act, "n", d.N)
}
