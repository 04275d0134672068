package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// secretFault is a text that only operators may read.
const secretFault = "dial tcp 10.0.0.7: password is hunter2"

// faulty adds a task of three rows: the first row waits for a retry, and the others ended with two
// kinds of system errors.
func (l *lab) faulty() (id string) {
	l.t.Helper()
	id = l.accepted("a.csv", rows(3), "")
	l.split()
	by, err := l.opt.Events.Register(l.t.Context(), events.Runner{Worker: "node:1", Build: "b1"})
	fine(l.t, err)
	num := l.task(id).Num
	moves := make([]events.Move, 3)
	for i := range moves {
		m := &moves[i]
		*m = events.Move{
			ID: events.NewID(num, int64(i+1)), Row: i + 2, From: events.Enqueue, To: events.Error, Attempt: 1, By: by,
			QueuedAt: l.now.Load(), StartedAt: l.now.Load(), FinishedAt: l.now.Load(),
			Failure: rowschema.System(jobs.CodeSystem, "system", "hint.again"),
			Notes: []events.Note{{
				At: l.now.Load(), Attempt: 1, Status: events.Error, Text: secretFault, Worker: "node:1", Build: "b1",
				Stack: "goroutine 1", Ended: &events.Ending{
					Outcome: events.LastFault, Type: "*net.OpError", StartedAt: l.now.Load(), QueuedAt: l.now.Load(),
				},
			}},
		}
	}
	moves[0].To, moves[0].Failure, moves[0].FinishedAt, moves[0].NextRunAt = events.Enqueue, nil, 0, l.now.Load()+60_000
	moves[0].Notes[0].Ended.Outcome = events.RetriedFault
	moves[2].Notes[0].Ended.Type = "*fs.PathError"
	_, err = l.opt.Events.Record(l.t.Context(), moves)
	fine(l.t, err)
	return id
}

// TestStory_TextsOfFaults_AreForOperatorsOnly reads responses and pages about rows.
func TestStory_TextsOfFaults_AreForOperatorsOnly(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.faulty()
	_, viewer := l.member("default", access.Viewer)
	_, operator := l.member("default", access.Operator)
	task, row := "/api/v1/tasks/"+id, "/api/v1/events/"+id+".2"
	for path, shown := range map[string]bool{
		row: true, row + "/explain": true, task + "/events": true, task + "/errors": false, task + "/error-groups": true,
		task: false, task + "/audit": false, "/tasks/" + id: false, "/tasks/" + id + "/rows/2": true,
		"/tasks/" + id + "/repair": true,
	} {
		for secret, may := range map[string]bool{viewer: false, operator: shown} {
			accept := jsonType
			if !strings.HasPrefix(path, "/api") {
				accept = htmlType
			}
			r := l.as(secret).look(path, "Accept", accept)
			r.is(http.StatusOK)
			if got := strings.Contains(r.body, "hunter2"); got != may {
				t.Errorf("%s as operator %v shows the fault: %v", path, secret == operator, got)
			}
			if !may && strings.Contains(r.body, "goroutine") {
				t.Errorf("%s shows the stack", path)
			}
		}
	}
	for secret, want := range map[string]int{viewer: 1, operator: 2} {
		if list, _ := l.as(secret).look(task + "/error-groups").items(); len(list) != want || list[0]["count"] != float64(3-want) {
			t.Errorf("groups: %v, want %d", list, want)
		}
	}
}

// TestStory_Attempt_NamesItsProcessAndFault reads a row that waits for its retry.
func TestStory_Attempt_NamesItsProcessAndFault(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.faulty()
	r := l.look("/api/v1/events/" + id + ".1")
	one := r.object()["attempts"].([]any)[0].(map[string]any)
	if one["outcome"] != "retry" || one["error"] != secretFault || one["build"] != "b1" || one["error_type"] != "*net.OpError" {
		t.Errorf("attempt = %v", one)
	}
}

// TestStory_RepairedRow_KeepsItsFailures repairs an invalid row, which then fails and is
// repaired again.
func TestStory_RepairedRow_KeepsItsFailures(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,x,Acme\n", "")
	l.split()
	repair := func(cells string) {
		t.Helper()
		l.review(id, "resubmit", `{"ids":["`+id+`.1"],"patch":{"set":`+cells+`}}`).is(http.StatusAccepted)
		l.pass(time.Second)
	}
	l.pass(time.Second)
	repair(`{"Price":"1"}`)
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no such brand"}, 1)
	l.pass(time.Second)
	repair(`{"Brand":"Globex"}`)
	var got []string
	for _, a := range l.look("/api/v1/events/" + id + ".1").object()["attempts"].([]any) {
		a := a.(map[string]any)
		got = append(got, a["outcome"].(string)+" "+a["code"].(string))
	}
	if want := "failed INVALID_NUMBER,failed BRAND_UNKNOWN"; strings.Join(got, ",") != want {
		t.Errorf("attempts %v, want %s", got, want)
	}
	page := words(l.look("/tasks/"+id+"/rows/1", "Accept", htmlType).body)
	for _, text := range []string{"Refused before its first run", "no such brand", "Edited and run again", "Globex", "Attempt 1 failed"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page of the row does not say %q:\n%s", text, page)
		}
	}
}

// TestRan_RowsOfABadBuild_AreFoundAndResubmitted has two builds finish rows of one task.
func TestRan_RowsOfABadBuild_AreFoundAndResubmitted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(4), "")
	l.split()
	num := l.task(id).Num
	ran := func(build string, seqs ...int64) {
		t.Helper()
		by, err := l.opt.Events.Register(t.Context(), events.Runner{Worker: "node:1", Build: build})
		fine(t, err)
		for _, seq := range seqs {
			made, err := l.opt.Events.Record(t.Context(), []events.Move{{
				ID: events.NewID(num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1, By: by,
				Result: []byte(`{"sent":1}`), QueuedAt: l.now.Load(), StartedAt: l.now.Load(), FinishedAt: l.now.Load(),
			}})
			if err != nil || !made[0] {
				t.Fatal(made, err)
			}
		}
	}
	ran("good", 1)
	l.pass(time.Minute)
	ran("bad", 2)
	l.pass(time.Minute)
	ran("bad", 3, 4)
	l.pass(time.Minute)
	for filter, want := range map[string]int{
		"build=bad": 3, "build=good": 1, "build=other": 0, "finished_gte=2026-03-04T05:07:00Z": 3,
		"build=bad&finished_gte=2026-03-04T05:07:30Z": 2, "build=bad&finished_lt=2026-03-04T05:07:30Z": 1,
	} {
		if list, _ := l.look("/api/v1/tasks/" + id + "/events?" + filter).items(); len(list) != want {
			t.Errorf("%s finds %d rows, want %d", filter, len(list), want)
		}
	}
	l.look("/api/v1/tasks/"+id+"/events?finished_lt=noon").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	for _, wrong := range []string{`{"status":"finish"}`, `{"status":"finish","finished_lt":"2026-03-04T05:07:30Z"}`, `{"finished_gte":"noon"}`} {
		l.review(id, "resubmit", `{"filter":`+wrong+`}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	}
	l.review(id, "skip", `{"filter":{"status":"finish","build":"bad"}}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	page := words(l.look("/tasks/"+id+"/repair?build=bad", "Accept", htmlType).body)
	if strings.Count(page, " Done S") != 3 {
		t.Errorf("the page of the build's rows:\n%s", page)
	}

	l.review(id, "resubmit", `{"filter":{"status":"finish","build":"bad","finished_gte":"2026-03-04T05:07:30Z"}}`).is(http.StatusAccepted)
	l.look("/api/v1/tasks/"+id).says("status", "running", "counts.finish", 2, "counts.enqueue", 2)
	if a, err := recount.New(l.opt.Events).Audit(t.Context(), num); err != nil || len(a.Differences()) > 0 {
		t.Errorf("audit: %v, %v", a.Differences(), err)
	}
	row := l.look("/api/v1/events/" + id + ".4")
	past := row.object()["attempts"].([]any)[0].(map[string]any)
	if past["outcome"] != "finish" || past["build"] != "bad" || past["attempt"] != 1.0 || past["ended_at"] == nil {
		t.Errorf("the attempt of the bad build: %v", past)
	}
	form := "act=resubmit&rows=all&go=1&build=bad"
	l.call(http.MethodPost, "/tasks/"+id+"/repair", form, "Content-Type", "application/x-www-form-urlencoded", "Accept", htmlType).is(http.StatusSeeOther)
	l.look("/api/v1/tasks/"+id).says("counts.finish", 1, "counts.enqueue", 3)
}

// TestRan_FilterByBuildOrFault_TakesOpsRead: the number of matching rows would reveal texts that
// the caller may not read.
func TestRan_FilterByBuildOrFault_TakesOpsRead(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.faulty()
	_, reviewer := l.member("default", access.Reviewer)
	_, operator := l.member("default", access.Operator)
	for _, filter := range []string{"build", "fingerprint"} {
		for _, list := range []string{"events", "errors"} {
			path := "/api/v1/tasks/" + id + "/" + list + "?" + filter + "=b1"
			l.as(reviewer).look(path).refuses(http.StatusForbidden, "SCOPE_MISSING", "ops:read")
			l.as(operator).look(path).is(http.StatusOK)
		}
		for _, act := range []string{"skip", "resubmit"} {
			body := `{"filter":{"` + filter + `":"b1"},"dry_run":true}`
			l.as(reviewer).review(id, act, body).refuses(http.StatusForbidden, "SCOPE_MISSING", "ops:read")
			l.as(operator).review(id, act, body).is(http.StatusOK)
		}
		page := "/tasks/" + id + "/repair?" + filter + "=b1"
		l.as(reviewer).look(page, "Accept", htmlType).is(http.StatusForbidden)
		l.as(operator).look(page, "Accept", htmlType).is(http.StatusOK)
	}
	page := "/tasks/" + id + "?fingerprint=b1"
	l.as(reviewer).look(page, "Accept", htmlType).is(http.StatusForbidden)
	l.as(operator).look(page, "Accept", htmlType).is(http.StatusOK)
	l.as(reviewer).look("/api/v1/tasks/" + id + "/events?finished_lt=2026-03-04T05:07:30Z").is(http.StatusOK)
}
