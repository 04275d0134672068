package explain

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/view"
)

// These are codes of reasons. A row waits for the run hours of its kind or tenant, or for other rows of its
// key.
const (
	OutsideRunHours = "OUTSIDE_RUN_HOURS"
	BehindRow       = "BEHIND_ROW"
)

// addTenantReason adds at most one reason why the tenant delays the row. It checks first whether the tenant
// is paused, then whether the run hours have not begun, and last whether the tenant has no free slot.
func (x *explainer) addTenantReason(ctx context.Context, own *lanes.Feed) error {
	slots, taken, err := x.s.Tasks.SlotsTaken(ctx, x.t.Tenant)
	switch {
	case err != nil:
		return err
	case own.TenantPaused:
		x.add("TENANT_PAUSED")
	case own.Closed:
		x.outsideHours(x.s.Tasks.Opens(own.Kind, own.Hours))
	case slots > 0 && taken >= slots:
		x.add("TENANT_SLOTS", "n", slots)
	}
	return nil
}

// outsideHours adds the reason that rows start only in run hours, with the start of the next run hours.
func (x *explainer) outsideHours(opens time.Time) {
	if opens.IsZero() { // the run hours have begun since the read
		return
	}
	at := fmt.Sprintf("%s (%s)", opens.Format("15:04"), opens.Location())
	x.add("OUTSIDE_RUN_HOURS", "at", at).At = textutil.Instant(opens.UnixMilli())
}

// otherTenants adds the reason that rows of other tenants start between the rows of this tenant. It adds nothing
// if no other tenant has rows to push.
func (x *explainer) otherTenants(ctx context.Context) error {
	t, err := x.s.Tasks.WeightsOf(ctx, x.t.Tenant, x.t.Kind)
	if err == nil && t.Others > 0 {
		x.add("TENANT_TURN", "n", t.Others, "part", t.Part(), "weight", t.Weight, "all", t.All)
	}
	return err
}

// ahead adds the reason that n rows in the ledger come before this row. If another task comes first,
// the reason names that task.
func (x *explainer) ahead(ctx context.Context, own *lanes.Feed, n int64) error {
	first, err := lanes.New(x.s.Tasks).FirstAhead(ctx, *own)
	if err != nil {
		return err
	}
	var r *view.Reason
	switch {
	case first == nil:
		if r = x.add("NOT_FED", "n", n); n == 0 {
			r.Detail = x.in.Text("ops.row.next_fed")
		}
	case first.Unread:
		r = x.add("BEHIND_FILE", "task", cmp.Or(first.Name, first.TaskID))
	default:
		r = x.add("BEHIND_TASK", "n", n, "task", cmp.Or(first.Name, first.TaskID))
	}
	if r.Place = &n; first != nil {
		r.Behind = &first.TaskID
	}
	return nil
}
