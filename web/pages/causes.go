package pages

import (
	"context"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Each list of taskCauses has at most mostCards error groups. Each error group has at most mostPairs
// wrong texts.
const (
	mostCards = 30
	mostPairs = 6
)

// taskCauses holds the error groups of a task, called causes on pages. Cards holds the groups that
// users can correct, and System the groups of rows in error.
type taskCauses struct {
	Cards   []causeCard
	System  []causeCard
	Open    int64 // rows that need a correction
	All     int64 // open rows of all causes, shown or not
	Ready   int64 // corrected rows that have not run
	Settled int64 // rows in error that are part of Ready or skipped
	Rest    int   // number of causes that are not shown
}

// causesOf returns the causes that have open rows, with their wrong texts.
func (p *Handlers) causesOf(c *gin.Context, t *tasks.Task, groups []view.Group) (out taskCauses, err error) {
	for _, g := range groups {
		fixed := g.Fixed
		if review.Closed(t) {
			fixed = 0
		}
		out.Ready += fixed
		if g.Status == events.Error {
			out.Settled += fixed + g.Skipped
		}
		if g.Open == 0 {
			continue
		}
		out.All += g.Open
		if g.Status == events.Failed {
			out.Open += g.Open
		}
		card := causeCard{Group: g, Label: view.Heading(t, textutil.Deref(g.Column)), Grid: "/tasks/" + t.ID + "/repair?" + causeQuery(g).Encode()}
		if !request.Caller(c).May(access.RowsReview) || review.Closed(t) {
			card.Grid = rowsLink(t.ID, events.Filter{Code: g.Code, Column: textutil.Deref(g.Column), Print: textutil.Deref(g.Print)}, "")
		}
		list := &out.Cards
		if g.Status == events.Error {
			list = &out.System
		}
		if len(*list) == mostCards {
			out.Rest++
			continue
		}
		card.ID = "cause-" + string(g.Status) + strconv.Itoa(len(*list))
		*list = append(*list, card)
	}
	if len(out.System) > 0 {
		var overtaken map[string]int64
		if p.ordered(t.Kind) {
			if overtaken, err = p.Lists.OvertakenErrors(c.Request.Context(), t.Num); err != nil {
				return out, err
			}
		}
		for i := range out.System {
			g := &out.System[i]
			g.Overtaken = overtaken[tasklist.CauseKey(g.Code, textutil.Deref(g.Column), textutil.Deref(g.Print))]
			g.Again = max(g.Open-g.Overtaken, 0)
		}
	}
	if len(out.Cards) == 0 {
		return out, nil
	}
	return out, p.fillPairs(c.Request.Context(), t, out.Cards, p.Locale.Localizer(c, t))
}

// fillPairs adds the wrong texts and their suggested replacements to the causes.
func (p *Handlers) fillPairs(ctx context.Context, t *tasks.Task, cards []causeCard, v view.Localizer) error {
	values, err := p.Events.Values(ctx, t.Num, mostPairs, p.ordered(t.Kind))
	if err != nil {
		return err
	}
	made, err := decisions.New(p.Events).Fixes(ctx, events.Lane{Tenant: t.Tenant, Kind: t.Kind})
	if err != nil {
		return err
	}
	for i := range cards {
		cards[i].fill(v, t, values, made)
	}
	return nil
}

// fieldOf returns the field of a kind by the name of its column; nil if there is none.
func fieldOf(kind jobs.Kind, column string) *rowschema.Field {
	if kind.Schema == nil {
		return nil
	}
	for i := range kind.Schema.Fields {
		if f := &kind.Schema.Fields[i]; f.Name == column {
			return f
		}
	}
	return nil
}
