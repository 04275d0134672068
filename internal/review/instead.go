package review

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// setInstead sets ValidatedRow.instead for each superseded row of a list if another row counts for its key. The
// rule of the task for rows of one key decides which row counts. The superseded row then does not run,
// unless the act runs superseded rows anyway.
func (j *Validator) setInstead(ctx context.Context, list []ValidatedRow) error {
	if j.anyway || !j.keyRule.Supersedes() {
		return nil
	}
	var keys []string
	left := map[events.ID]bool{}
	for i := range list {
		r := &list[i]
		left[r.Event.ID] = r.Key != r.Event.Key
		if r.mayYield() {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	slices.Sort(keys)
	held, err := j.from.Holders(ctx, j.num, j.lane, j.keyRule, slices.Compact(keys))
	for i := range list {
		r := &list[i]
		at := slices.IndexFunc(held, func(h decisions.Holder) bool {
			return h.Key == r.Key && !left[h.ID] && j.keyRule.Precedes(h, r.Event.ID, cmp.Or(r.score, r.Event.Score))
		})
		if r.mayYield() && at >= 0 {
			r.instead = &held[at]
		}
	}
	return err
}

// yielded returns the failure of a row that does not run because the row `winner` counts for its
// key.
func yielded(winner *decisions.Holder) *events.Failure {
	return rowschema.Invalid([]events.Field{
		rowschema.Say(events.Field{Code: events.CodeSuperseded}, "row.superseded", "n", strconv.Itoa(winner.Row)),
	})
}

// mayYield reports whether a row is superseded in the ledger, and the act does not change its key.
func (r *ValidatedRow) mayYield() bool {
	return r.Refused == nil && r.prior == nil && r.Key != "" && r.Key == r.Event.Key &&
		r.Event.Status == events.Failed && textutil.Deref(r.Event.Code) == events.CodeSuperseded
}
