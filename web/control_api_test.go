package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
)

func (l *lab) control(id, verb string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, "/api/v1/tasks/"+id+"/"+verb, "")
}

// stands checks the status in a response.
func (r reply) stands(want string) {
	r.t.Helper()
	r.is(http.StatusOK)
	if got := r.object()["status"]; got != want {
		r.t.Fatalf("status %v, want %s", got, want)
	}
	if r.header.Get("ETag") == "" {
		r.t.Errorf("no ETag: %v", r.header)
	}
}

// canceled does everything that the canceler of a worker does.
func (l *lab) canceled() {
	l.t.Helper()
	c := reconcile.NewCanceler(l.opt.Tasks, l.opt.Events, l.opt.Queue, reconcile.CancelerOptions{Now: l.clock})
	fine(l.t, c.Cancel(l.t.Context()))
	l.pass(time.Minute)
	fine(l.t, c.Cancel(l.t.Context()))
}

func TestControlOfATask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(4), "")
	l.control(id, "resume").refuses(http.StatusConflict, "WRONG_STATUS", "open")
	l.control(id, "pause").stands("paused")
	l.control(id, "pause").refuses(http.StatusConflict, "WRONG_STATUS", "paused")
	if r := l.look("/api/v1/tasks/" + id); r.object()["status"] != "paused" || r.header.Get("Retry-After") != "5" {
		t.Errorf("poll: %s, %v", r.body, r.header)
	}
	l.control(id, "resume").stands("splitting")
	l.control(id, "pause").stands("paused")
	l.split() // the file of a paused task is read
	if task := l.task(id); task.Total != 4 || !task.TotalIsFinal || task.Status != "paused" {
		t.Errorf("%s with %d rows", task.Status, task.Total)
	}
	l.control(id, "resume").stands("running")
	l.move(id, events.Finish, nil, 1)
	l.control(id, "cancel").stands("canceling")
	for verb := range map[string]bool{"pause": true, "resume": true, "cancel": true} {
		l.control(id, verb).refuses(http.StatusConflict, "WRONG_STATUS", "canceling")
	}
	l.canceled()
	r := l.look("/api/v1/tasks/" + id).object()
	counts := r["counts"].(map[string]any)
	if r["status"] != "canceled" || r["outcome"] != "canceled" || counts["canceled"] != 3.0 || counts["finish"] != 1.0 {
		t.Errorf("in the end: %v %v %v", r["status"], r["outcome"], counts)
	}
	l.control(id, "cancel").refuses(http.StatusConflict, "WRONG_STATUS", "canceled")
}

func TestATaskThatWasNotReadIsCanceled(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(4), "")
	l.control(id, "cancel").stands("canceling")
	l.split() // nothing is read any more
	l.canceled()
	if task := l.task(id); task.Status != "canceled" || task.Total != 0 {
		t.Errorf("%s with %d rows", task.Status, task.Total)
	}
}

func TestControlOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET tenant = 'other'").Error)
	for _, verb := range []string{"pause", "resume", "cancel"} {
		l.control(id, verb).refuses(http.StatusNotFound, "NOT_FOUND")
		l.control("nobody", verb).refuses(http.StatusNotFound, "NOT_FOUND")
		l.look("/api/v1/tasks/"+id+"/"+verb).refuses(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	}
}

func TestTooManyFailuresInTheFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	bad := heads + "A,a,-1,Acme\nB,b,-1,Acme\nC,c,1,Acme\n"
	id := l.accepted("a.csv", bad, `{"max_failures":2}`)
	l.split()
	if task := l.task(id); task.Status != "running" {
		t.Errorf("two of two failures: %s", task.Status)
	}
	id = l.accepted("a.csv", bad, `{"max_failures":1}`)
	l.split()
	l.canceled()
	task := l.task(id)
	if task.Status != "canceled" || task.Failed != 2 || task.Canceled != 1 || task.Problem == nil ||
		task.Problem.Code != "TOO_MANY_FAILURES" {
		t.Errorf("two of one failure: %s, %d failed, %d canceled, %+v", task.Status, task.Failed, task.Canceled, task.Problem)
	}
	for _, n := range []string{"-1", "1.5", `"x"`, "99999999999"} {
		l.upload("a.csv", bad, `{"max_failures":`+n+`}`).refuses(
			http.StatusUnprocessableEntity, "INVALID_OPTIONS", "/options/max_failures")
	}
}
