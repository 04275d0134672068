package web_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/queue"
)

// TestOperatorsActOnTheirKeys: the confirmation of an act shows the number of keys, and the message after it the
// number of changed keys. Keys of other tenants stay.
func TestOperatorsActOnTheirKeys(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme, at := d.acme.in(t), "/ops/queues/"+patients
	acts := at + "/acts"

	tells(t, acme.submits(acts, "act", "kill-failed").body, "No key was selected")
	tells(t, acme.page("/ops/rows/"+d.task+".2"), "Row 3 of a.csv", "No process runs jobs of the queue "+patients,
		"Start a worker", "Open that row", "Waiting", "Timeline", "Accepted as row 3", "Rows with the same key, in order", "Before Row 2 of a.csv")
	both := acme.submits(acts, "act", "kill-failed", "key", "A", "all", "yes", "meant", "yes")
	if tells(t, both.body, "The form selects single keys and all keys"); both.status != http.StatusUnprocessableEntity {
		t.Errorf("keys, and all of them: %d", both.status)
	}
	question, killed := acme.asked(acts, "act", "kill-failed", "key", "A", "key", "gone", "of", "2")
	tells(t, question.body, "Kill 2 keys")
	tells(t, question.body, "Queue "+patients+": Kill", "2 keys of your tenant in "+patients+" will be moved to the dead jobs")
	tells(t, killed.body, "1 of 2 keys killed. The other keys had already run", "B")
	if strings.Contains(killed.body, ">A<") {
		t.Error("the key that was killed still waits")
	}
	tells(t, d.globex.in(t).page(at+"/waiting"), "A", "1 payload")
	tells(t, acme.page(at+"/morgue"), "Died at", "A", "2 payloads", d.task+".1")

	tells(t, acme.page("/ops/rows/"+d.task+".1"), "Row 2 of a.csv", "Run again", "System error", "A", patients, "Timeline", "••••0177", "Behind Row 3 of a.csv")
	if r := d.globex.in(t).look("/ops/rows/"+d.task+".1", "Accept", htmlType); r.status != http.StatusNotFound ||
		strings.Contains(r.body, "0177") {
		t.Errorf("another tenant sees the row: %d", r.status)
	}
	tells(t, acme.page("/ops/rows"), "Find out why a job waits")
	question, back := acme.asked(acts, "act", "requeue", "all", "yes", "of", "1")
	tells(t, question.body, "1 key of your tenant in "+patients+" will be moved from the dead jobs back to the queue", "Requeue 1 key")
	tells(t, back.body, "1 key requeued.", "No dead jobs of your tenant")
	question, deleted := acme.asked(acts, "act", "delete-failed", "key", "B", "of", "1")
	tells(t, question.body, "Their rows end as canceled")
	tells(t, deleted.body, "1 key deleted.")
	tells(t, acme.page("/ops/tasks?kind="+patients), "a.csv", "Working", "3 0 0 0", "4 Mar 2026")
	tells(t, acme.page("/ops/tasks?q=A.CSV&from=2026-03-04&until=2026-03-04"), "a.csv", "Working")
	if r := acme.look("/ops/tasks?label=x", "Accept", htmlType); r.status != http.StatusBadRequest || !strings.Contains(r.body, "campaign:spring") {
		t.Errorf("a label that is none: %d\n%s", r.status, r.body)
	}
	tells(t, acme.page("/ops/tasks?status=finished"), "No task of your tenant matches")
	if r := acme.submits(acts, "act", "burn", "key", "A"); r.status != http.StatusNotFound {
		t.Errorf("an act that there is not: %d", r.status)
	}
	_, viewer := d.member("acme", access.Viewer)
	r := d.as(viewer).call(http.MethodPost, acts, "act=requeue&all=yes&meant=yes", "Content-Type", formType)
	r.is(http.StatusForbidden)
}

// TestOwner_QueuesAndNodes_ArePausedAndDrainedByIt: operators of a tenant see no buttons, and are
// refused.
func TestOwner_QueuesAndNodes_ArePausedAndDrainedByIt(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	home, acme, at := d.home.in(t), d.acme.in(t), "/ops/queues/"+patients
	question, paused := home.asked(at + "/control/pause")
	tells(t, question.body, "Pause "+patients, "for any tenant: 3 keys wait")
	tells(t, paused.body, "Resume", "Paused")
	d.works(func(context.Context, *queue.Batch) error { return nil })
	page := home.page(at)
	if body := acme.page(at); strings.Contains(body, "/control/") || strings.Contains(body, `href="/ops/nodes"`) {
		t.Error("a tenant sees buttons and doors for what is not its own")
	}
	if r := acme.submits(at+"/control/resume", "meant", "yes"); r.status != http.StatusForbidden {
		t.Errorf("a tenant resumes: %d", r.status)
	}
	tells(t, page, "Paused", "Waiting 3")
	node := regexp.MustCompile(`/ops/nodes/n1:\w+/`).FindString(home.page("/ops/nodes"))
	question, drained := home.asked(node + "drain")
	tells(t, question.body, "Drain n1:", "shards to other workers")
	tells(t, drained.body, "Draining", "Undrain")
	if r := home.submits(node+"rain", "meant", "yes"); r.status != http.StatusNotFound ||
		!strings.Contains(home.page("/ops/nodes"), "Undrain") {
		t.Errorf("an act that there is not: %d, or it ended the drain", r.status)
	}
	_, cut := home.asked(at+"/control/reshard", "shards", "2")
	tells(t, cut.body, patients)
	if r := home.submits(at+"/control/reshard", "shards", "0"); r.status != http.StatusUnprocessableEntity {
		t.Errorf("no shards: %d", r.status)
	}
	_, resumed := home.asked(at + "/control/resume")
	if strings.Contains(resumed.body, ">Paused<") {
		t.Error("it does not go on")
	}
	tells(t, home.page("/ops/audit"), "resume", patients, "reshard", "drain", "n1:", "pause")
}
