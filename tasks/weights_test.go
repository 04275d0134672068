package tasks_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWeightsOf_OtherTenant_CountsIfItHasRowsToPush: new and resubmitted rows count. A file
// without read rows does not count. Rows of a held task, or outside the run hours of their tenant, are
// not pushed.
func TestWeightsOf_OtherTenant_CountsIfItHasRowsToPush(t *testing.T) {
	on(t, func(d *desk) {
		d.file("acme", "k", "own", 0)
		other := d.file("globex", "k", "other", 0)
		d.fine(d.tasks.SetWeight(d.Context(), "globex", 3))
		_, err := lanes.New(d.tasks).Lanes(d.Context())
		d.fine(err)
		alone, both := tasks.Weights{Weight: 1, All: 1}, tasks.Weights{Others: 1, Weight: 1, All: 4}
		for name, tt := range map[string]struct {
			set  string
			want tasks.Weights
		}{
			"file being read":  {"unfed = 0, back = 0, reading = TRUE, due_at = 0", alone},
			"new rows":         {"unfed = 1, back = 0, reading = FALSE, due_at = 0", both},
			"resubmitted rows": {"unfed = 0, back = 1, reading = FALSE, due_at = 0", both},
			"both":             {"unfed = 1, back = 1, reading = TRUE, due_at = 0", both},
			"held":             {"unfed = 1, back = 1, reading = FALSE, due_at = 9", alone},
			"rows in Redis":    {"unfed = 0, back = 0, reading = FALSE, due_at = 0", alone},
		} {
			d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET "+tt.set+" WHERE task_num = ?", other.Num).Error)
			got, err := d.tasks.WeightsOf(d.Context(), "acme", "k")
			if d.fine(err); got != tt.want {
				d.Errorf("%s: %+v, want %+v", name, got, tt.want)
			}
		}
		d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET unfed = 1, due_at = 0 WHERE task_num = ?", other.Num).Error)
		now := time.UnixMilli(d.now.Load()).UTC()
		for hours, want := range map[string]tasks.Weights{
			now.Add(-time.Hour).Format("15:04-") + now.Add(time.Hour).Format("15:04") + " UTC":  both,
			now.Add(time.Hour).Format("15:04-") + now.Add(2*time.Hour).Format("15:04") + " UTC": alone,
		} {
			d.fine(d.tasks.SetHours(d.Context(), "globex", hours))
			got, err := d.tasks.WeightsOf(d.Context(), "acme", "k")
			if d.fine(err); got != want {
				d.Errorf("with the run hours %s: %+v, want %+v", hours, got, want)
			}
		}
	})
}
