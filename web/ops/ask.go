package ops

import (
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/request"
)

// opsAsk holds the data of the page that asks for the confirmation of an act. For an act on many items,
// the page shows how many items the act will change.
type opsAsk struct {
	opsFrame
	Text   string
	Do     string // words of the button
	Back   string // path that the cancel button opens
	Fields []opsField

	Note bool // the form has a field for the reason

	Choice     string // name of a checkbox; "" for none
	ChoiceText string

	marked string // path of the link that is marked in the navigation
}

// opsField is a named value, such as a hidden field of a form.
type opsField struct{ Name, Value string }

// confirm calls the function `do` if the user has confirmed the form. Otherwise, it answers with the
// page that asks for the confirmation.
func (p *Handlers) confirm(c *gin.Context, ask opsAsk, do func() error) error {
	form := request.Form(c)
	if form.Get("meant") == "yes" {
		return do()
	}
	ask.opsFrame = p.opsFrame(c, ask.Title, ask.marked)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			ask.Fields = append(ask.Fields, opsField{name, value})
		}
	}
	return p.Render.Page(c, http.StatusOK, "ops_ask.html", ask)
}

// outcomeText returns the message about the act that has redirected to this page; "" without such an act.
func (p *Handlers) outcomeText(c *gin.Context) string {
	in, d := request.Printer(c), p.Render.Outcome(c)
	if _, ofKeys := opsActOf(d.Act); ofKeys {
		return resultOfKeys(in, d.Act, d.N, d.Of)
	}
	if d.Act == "" {
		return ""
	}
	return in.Text("ops.did."+d.Act, "n", d.N)
}
