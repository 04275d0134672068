package tasks_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TestBacklog_PausedTaskOrTenant_CountsRowsInRedis: of seven waiting rows Redis has two.
func TestBacklog_PausedTaskOrTenant_CountsRowsInRedis(t *testing.T) {
	on(t, func(d *desk) {
		add := func(tenant string, status tasks.Status) {
			t := d.file(tenant, "k", "file", 0)
			d.fine(d.db.Write.Exec("UPDATE rollcall.tasks SET status = ?, total = 7, enqueue = 7 WHERE num = ?", status, t.Num).Error)
			d.fine(d.db.Write.Exec("UPDATE rollcall.feeds SET fed = 2, unfed = 4, held = 1 WHERE task_num = ?", t.Num).Error)
		}
		add("acme", tasks.Running)
		add("acme", tasks.Paused)
		add("globex", tasks.Running)
		d.fine(d.tasks.PauseTenant(d.Context(), "globex", true))

		list, err := d.tasks.Backlog(d.Context())
		d.fine(err)
		got, stalled := map[tasks.Status][2]int64{}, tasks.Stalled{}
		for _, b := range list {
			got[b.Status] = [2]int64{b.Tasks, b.Rows}
			stalled.Add(b.Stalled)
			if b.Kind != "k" || b.Oldest.IsZero() {
				d.Errorf("backlog %+v", b)
			}
		}
		d.same(map[tasks.Status][2]int64{tasks.Running: {2, 7 + 2}, tasks.Paused: {1, 2}}, got)
		d.same(tasks.Stalled{Behind: 1, Paused: 5 + 5}, stalled)
		of, err := d.tasks.TenantBacklog(d.Context(), "acme")
		d.fine(err)
		k := tasks.KindBacklog{Tasks: 2, Unfed: 10, Queued: 4, Rows: 7 + 2, Stalled: tasks.Stalled{Behind: 1, Paused: 5}}
		d.same(tasks.TenantBacklog{Tasks: 2, Unfed: 10, Queued: 4, Kinds: map[string]tasks.KindBacklog{"k": k}}, of)
		of, err = d.tasks.TenantBacklog(d.Context(), "unknown")
		d.fine(err)
		d.same(tasks.TenantBacklog{}, of)
	})
}
