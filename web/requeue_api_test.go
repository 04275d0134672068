package web_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// ward creates a task of acme whose keys must be unique. Rows 1 to 3, with the keys A, B and C, are in
// error, and their jobs are in the morgue. Row 4, with the key D, has finished.
func ward(t *testing.T, url string) (d *depot, id string) {
	t.Helper()
	d = newDepotOn(t, url, func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, idle), worker.Define("idle", idle)))
	})
	d.tenant = "acme"
	_, err := d.opt.Queue.Admin().Delete(t.Context(), patients, "acme/A", "acme/B")
	fine(t, err)
	r := d.acme.postForm(field("kind", patients), field("options", `{"duplicates":"error"}`),
		file("w.csv", "No,tel\nA,+14155550177\nB,+14155550178\nC,+14155550179\nD,+14155550170\n"))
	r.is(http.StatusAccepted)
	id = r.object()["id"].(string)
	d.split()
	d.feed()
	_, err = d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/A", "acme/B", "acme/C")
	fine(t, err)
	_, err = d.opt.Queue.Admin().Delete(t.Context(), patients, "acme/D")
	fine(t, err)
	d.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "System error"}, 1, 2, 3)
	d.move(id, events.Finish, nil, 4)
	d.pass(1000)
	return d, id
}

func (d *depot) requeued(body string, want ...any) {
	d.t.Helper()
	r := d.acme.postTo(queuesPath+"/"+patients+"/morgue/requeue", body)
	r.is(http.StatusOK)
	r.says(want...)
}

// TestRequeue_WrongRows_StayInTheMorgue: of three rows, one gets the key of a finished row, and
// another gets a text that is not a phone number. Only the third row runs again.
func TestRequeue_WrongRows_StayInTheMorgue(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		d, id := ward(t, url)
		d.acme.patch(id+".1", `"2"`, `{"params":{"No":"D"}}`).says("code", "DUPLICATE_KEY", "resolution.state", "open")
		d.acme.patch(id+".2", `"2"`, `{"params":{"Phone":"-7"}}`).says("column", "Phone", "resolution.state", "open")
		d.acme.review(id, "resubmit", `{"filter":{},"dry_run":true}`).says("valid", 1, "still_invalid", 2)

		d.requeued(`{"all":true,"dry_run":true}`, "dry_run", true, "touched", 1, "resubmitted", 1, "still_invalid", 2)
		d.acme.look("/api/v1/tasks/"+id).says("counts.error", 3)
		d.requeued(`{"ids":["A","B","C"]}`, "dry_run", false, "touched", 1, "resubmitted", 1, "still_invalid", 2, "conflicts", 0)
		d.acme.look("/api/v1/tasks/"+id).says("counts.error", 2, "counts.enqueue", 1)
		d.acme.look("/api/v1/events/"+id+".3").says("status", "enqueue", "resolution.state", "resubmitted")
		d.requeued(`{"all":true}`, "touched", 0, "resubmitted", 0, "still_invalid", 2)
		if dead, _ := d.acme.look(queuesPath + "/" + patients + "/morgue").items(); len(dead) != 2 {
			t.Errorf("the morgue holds %v, want the keys of the wrong rows", dead)
		}

		d.acme.patch(id+".1", `"3"`, `{"params":{"No":"Z"}}`).says("resolution.state", "fixed")
		d.requeued(`{"all":true}`, "touched", 1, "resubmitted", 1, "still_invalid", 1)
		d.acme.look("/api/v1/events/"+id+".1").says("status", "enqueue", "key", "Z")
	})
}

// TestRequeue_UnknownKind_IsRefused: this process cannot validate the rows.
func TestRequeue_UnknownKind_IsRefused(t *testing.T) {
	t.Parallel()
	d, id := ward(t, ledgers.SQLite(t))
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET kind = 'gone'").Error)
	for _, body := range []string{`{"all":true,"dry_run":true}`, `{"all":true}`} {
		d.acme.postTo(queuesPath+"/"+patients+"/morgue/requeue", body).refuses(409, "UNKNOWN_KIND")
	}
	d.acme.look("/api/v1/tasks/"+id).says("counts.error", 3)
}
