//go:build all

package e2e

import (
	"fmt"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// TestAfter_ProcessesKilled_TasksRunInTurn imports the same products three times. Each import
// starts after the one before. All processes are killed in the middle of each.
func TestAfter_ProcessesKilled_TasksRunInTurn(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	path, want := sample(t, samples.Options{Rows: long(4000), Format: "csv", Seed: 9})
	api, work := h.api(), h.worker()
	var ids []string
	for _, options := range []string{"", `{"after":[%q]}`, `{"after":[%q],"after_outcome":"success"}`} {
		if options != "" {
			options = fmt.Sprintf(options, ids[len(ids)-1])
		}
		ids = append(ids, start(t, api.URL(), path, options).ID)
	}
	for _, id := range ids {
		follow(t, api.URL(), id, processed(want.Rows/4))
		work.Kill()
		api.Kill()
		api, work = h.api(), h.worker()
	}
	for _, id := range ids {
		if v := follow(t, api.URL(), id, done); v.Counts.Finish != want.Rows || v.Counts.Total != want.Rows {
			t.Errorf("task %s ended with %+v, want %d finished", id, v.Counts, want.Rows)
		}
	}
	h.inTurn(ids, want.Rows)
}

// inTurn checks that no row of a task started before all rows of the previous task had ended.
func (h *deployment) inTurn(ids []string, rows int) {
	h.t.Helper()
	db := (&scene{deployment: h}).ledger()
	ended := int64(0)
	for i, id := range ids {
		var at struct{ Rows, Began, Ended int64 }
		err := db.Read.Raw(`SELECT count(*) AS rows, min(e.started_at) AS began, max(e.finished_at) AS ended
			FROM rollcall.events e JOIN rollcall.tasks t ON t.num = e.id >> 32 WHERE t.id = ?`, id).Scan(&at).Error
		if err != nil {
			h.t.Fatal(err)
		}
		if at.Rows != int64(rows) || at.Began < ended {
			h.t.Errorf("task %d has %d rows and began %d ms before the end of the one before", i, at.Rows, ended-at.Began)
		}
		ended = at.Ended
	}
}
