package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// endsInError ends rows with a system error.
func (l *lab) endsInError(task, text string, seqs ...int64) {
	l.t.Helper()
	num := l.task(task).Num
	var moves []events.Move
	for _, seq := range seqs {
		now := l.now.Load()
		moves = append(moves, events.Move{
			ID: events.NewID(num, seq), Row: int(seq) + 1, From: events.Enqueue, To: events.Error, Attempt: 1,
			StartedAt: now, FinishedAt: now, Failure: &events.Failure{Code: "SYSTEM_ERROR", Message: "A system error"},
			Notes: []events.Note{{At: now, Attempt: 1, Status: events.Error, Text: text, Ended: &events.Ending{Outcome: events.LastFault, Type: "error"}}},
		})
	}
	_, err := l.opt.Events.Record(l.t.Context(), moves)
	fine(l.t, err)
}

// TestOpsErrors_Group_IsSeenCountedAndRunsAgain: errors of one cause in several tasks are one
// group, with its rows, times and acts. The confirmation of an act shows the count of a dry run.
func TestOpsErrors_Group_IsSeenCountedAndRunsAgain(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	again := acme.imported("No,tel\nX,+14155550133\nY,+14155550134\n")
	d.split()
	acme.endsInError(d.task, `stock service answered 503 for "A"`, 1)
	d.pass(time.Hour)
	for i, seq := range []int64{1, 2} {
		acme.endsInError(again, fmt.Sprintf(`stock service answered 503 for "%d"`, i), seq)
	}
	tells(t, acme.page("/tasks/"+d.task+"/repair"), "System error, stock service answered 503") // the text does not repeat the type "error"
	page := acme.page("/ops/errors")
	tells(t, page, "System errors", "stock service answered 503", patients, "at most 2 rows an hour", "3", "4 Mar 2026, 05:06:07 UTC", "4 Mar 2026, 06:06:07 UTC",
		"Run 3 again", "Leave out 3")
	at := regexp.MustCompile(`/ops/errors/[^/"]+/[0-9a-f]{16}`).FindString(page)
	tells(t, acme.page(at), "3 rows in 2 tasks", "Row 2 of a.csv", "System error", "Row 3 of a.csv")
	question, ran := acme.asked(at + "/run")
	tells(t, question.body, "3 rows of 2 tasks will run again", "stock service answered 503", "Run 3 rows again")
	tells(t, ran.body, "3 rows run again.", "No system errors in your tenant")
	third := acme.imported("No,tel\nZ,+14155550135\n")
	d.split()
	acme.endsInError(third, `stock service answered 503 for "Z"`, 1)
	_, left := acme.asked(at + "/skip")
	tells(t, left.body, "1 row is left out.", "No system errors")
	if other := d.globex.in(t).page("/ops/errors"); strings.Contains(other, "503") {
		t.Error("another tenant sees the group")
	}
	if r := acme.submits(at+"/burn", "meant", "yes"); r.status != http.StatusNotFound {
		t.Errorf("an act that there is not: %d", r.status)
	}
}

// TestOpsErrors_MoreTasksThanAStep_ReachesAll: between the two tasks of the group there are more
// tasks of the kind than one step reads.
func TestOpsErrors_MoreTasksThanAStep_ReachesAll(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	d.split()
	acme.endsInError(d.task, `stock service answered 503 for "A"`, 1)
	fine(t, acme.db.Write.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 205)
		INSERT INTO rollcall.tasks (id, tenant, kind, type, status, finished_at, created_at)
		SELECT 'between' || i, 'acme', ?, 'import', 'finished', 1, 1 FROM n`, patients).Error)
	newest := acme.imported("No,tel\nZ,+14155550135\n")
	d.split()
	acme.endsInError(newest, `stock service answered 503 for "Z"`, 1)
	at := regexp.MustCompile(`/ops/errors/[^/"]+/[0-9a-f]{16}`).FindString(acme.page("/ops/errors"))
	question, ran := acme.asked(at + "/run")
	tells(t, question.body, "2 rows of 2 tasks will run again")
	tells(t, ran.body, "2 rows run again.")
}

// TestOpsErrors_DeadJobsOfAGroup_AreDeletedTheirRowsStay: the jobs of another error stay in the
// morgue, also those of the same key.
func TestOpsErrors_DeadJobsOfAGroup_AreDeletedTheirRowsStay(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	acme := d.acme.in(t)
	sick := acme.imported("No,tel\nX,+14155550133\nY,+14155550134\nX,+14155550135\n")
	d.split()
	d.feed()
	_, err := d.opt.Queue.Admin().Kill(t.Context(), patients, "acme/X", "acme/Y")
	fine(t, err)
	acme.endsInError(sick, "stock service answered 503", 1, 2)
	acme.endsInError(sick, "the disk is full", 3)
	at := regexp.MustCompile(`(/ops/errors/[^/"]+/[0-9a-f]{16})"><bdi>[^<]*stock`).FindStringSubmatch(acme.page("/ops/errors"))[1]
	question, deleted := acme.asked(at + "/delete")
	tells(t, question.body, "2 dead jobs will be deleted from the queue. Their rows stay in error", "stock service", "Delete 2 dead jobs")
	tells(t, deleted.body, "2 dead jobs are deleted.", "stock service answered 503", "2 rows in 1 task", "Row 2 of a.csv")
	tells(t, acme.submits(at+"/delete").body, "No dead jobs of this error are left in the queue.")
	dead, _ := acme.look(queuesPath + "/" + patients + "/morgue").items()
	if len(dead) != 1 || dead[0]["id"] != "X" || dead[0]["count"] != 1.0 {
		t.Errorf("the morgue holds %v, want the job of the other error", dead)
	}
	if list, _ := acme.look("/api/v1/audit").items(); list[0]["act"] != "delete-dead" || list[0]["touched"] != 2.0 ||
		fmt.Sprint(list[0]["detail"]) == "<nil>" {
		t.Errorf("the audit log begins with %v", list[0])
	}
}
