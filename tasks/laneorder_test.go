package tasks_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
)

// TestLanes_SeveralAreChanged_AreLockedInTheirOrder checks that a transaction that changes all lanes of
// a tenant locks them in the order of their ids. Otherwise it could deadlock with the test's transaction.
func TestLanes_SeveralAreChanged_AreLockedInTheirOrder(t *testing.T) {
	for name, change := range map[string]func(d *desk) error{
		"pause": func(d *desk) error { return d.tasks.PauseTenant(d.Context(), "acme", true) },
		"rebuild": func(d *desk) error {
			_, err := lanes.New(d.tasks).Rebuild(d.Context(), "", "next", 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			on(t, func(d *desk) {
				if d.db.Pool == nil {
					return // SQLite has one writer
				}
				d.fine(d.db.Write.Exec("INSERT INTO rollcall.lanes (id, tenant, kind, stir_at) " + // the lane with the greater id is stored first
					"VALUES (92, 'acme', 'b', 5), (91, 'acme', 'a', 5)").Error)
				other := d.db.Write.Begin()
				defer other.Rollback()
				pid := 0
				d.fine(other.Raw("SELECT pg_backend_pid() FROM rollcall.lanes WHERE id = 91 FOR UPDATE").Scan(&pid).Error)
				done := make(chan error, 1)
				go func() { done <- change(d) }()
				fixture.Eventually(d.T, "the change waits for the first lane", func() bool {
					n := 0
					d.fine(d.db.Read.Raw("SELECT count(*) FROM pg_stat_activity WHERE ? = ANY (pg_blocking_pids(pid))", pid).Scan(&n).Error)
					return n > 0
				})
				d.fine(other.Exec("SELECT id FROM rollcall.lanes WHERE id = 92 FOR UPDATE NOWAIT").Error)
				d.fine(other.Commit().Error)
				d.fine(<-done)
			})
		})
	}
}

// TestStirred_ResumedDuringThePass_KeysAreDueAtOnce checks that the end of a pass does not delay the
// next pass if a resume came in between.
func TestStirred_ResumedDuringThePass_KeysAreDueAtOnce(t *testing.T) {
	on(t, func(d *desk) {
		task := d.open(nil)
		d.add(task, 1, true)
		lane := func() lanes.Lane {
			list, err := lanes.New(d.tasks).Lanes(d.Context())
			d.fine(err)
			if len(list) != 1 {
				d.Fatalf("lanes %+v", list)
			}
			return list[0]
		}
		resume := map[string]func(){
			"a task": func() {
				d.fine(d.tasks.Pause(d.Context(), "acme", task.ID))
				d.fine(d.tasks.Resume(d.Context(), "acme", task.ID))
			},
			"a tenant": func() {
				d.fine(d.tasks.PauseTenant(d.Context(), "acme", true))
				d.fine(d.tasks.PauseTenant(d.Context(), "acme", false))
			},
		}
		for name, resume := range resume {
			for range 2 { // the second resume comes during the pass that the first has caused
				began := lane()
				resume()
				d.fine(lanes.New(d.tasks).SetHeldReported(d.Context(), began.ID, began.ReportAt, time.Hour.Milliseconds()))
				if now := lane(); !now.ReportDue || !now.ReportAll {
					d.Errorf("%s is resumed: %+v", name, now)
				}
			}
			began := lane()
			d.fine(lanes.New(d.tasks).SetHeldReported(d.Context(), began.ID, began.ReportAt, time.Hour.Milliseconds()))
			if now := lane(); now.ReportDue {
				d.Errorf("the pass has ended: %+v", now)
			}
		}
	})
}
