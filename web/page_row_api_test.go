package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
)

// brandRefused creates a task with one row, whose brand the handler has refused.
func (l *lab) brandRefused() string {
	l.t.Helper()
	id := l.accepted("p.csv", heads+"S1,a,1,Nobody\n", "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand"}, 1)
	return id
}

// TestRowPage_RowThatIsLeftAlone_IsNotSaidToRun: a row that has failed after the start of the
// request, by the clock of the ledger, is saved and does not run.
func TestRowPage_RowThatIsLeftAlone_IsNotSaidToRun(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.brandRefused()
	for _, step := range []struct {
		pass time.Duration
		says string
		not  string
	}{
		{-time.Hour, "No problems found so far.", "runs again."},
		{2 * time.Hour, "Row 2 runs again.", "No problems found so far."},
	} {
		l.pass(step.pass)
		row := "/tasks/" + id + "/rows/1"
		form := "act=resubmit&cell:Brand=Acme&version=" + version(t, l.look(row, "Accept", htmlType).body)
		r := l.call(http.MethodPost, row, form, "Content-Type", "application/x-www-form-urlencoded", "Accept", htmlType)
		r.is(http.StatusSeeOther)
		page := l.look(r.header.Get("Location"), "Accept", htmlType).body
		if !strings.Contains(page, step.says) || strings.Contains(page, step.not) {
			t.Errorf("%v later the page does not say %q, or says %q:\n%s", step.pass, step.says, step.not, words(page))
		}
	}
}

// TestRowPage_PreviousRow_IsTheLastFaultyOneBefore: a button saves the row and goes back. Viewers
// have a link.
func TestRowPage_PreviousRow_IsTheLastFaultyOneBefore(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	at := func(seq string) string { return "/tasks/" + id + "/rows/" + seq }
	for _, step := range [][2]string{{"4", "3"}, {"3", "2"}, {"2", "2"}} {
		seq, want := step[0], step[1]
		page := l.look(at(seq), "Accept", htmlType).body
		if has := strings.Contains(page, `value="previous"`); has != (seq != "2") {
			t.Errorf("row %s has a button to a previous row: %v", seq, has)
		}
		form := "act=previous&cell:Name=new&version=" + version(t, page)
		r := l.call(http.MethodPost, at(seq), form, "Content-Type", formType, "Accept", htmlType)
		r.is(http.StatusSeeOther)
		if to := r.header.Get("Location"); !strings.Contains(to, at(want)) {
			t.Errorf("back from row %s leads to %s, want row %s", seq, to, want)
		}
		if page := l.look(at(seq), "Accept", htmlType).body; !strings.Contains(page, ">\nnew</textarea>") {
			t.Errorf("row %s was not saved", seq)
		}
	}
	_, secret := l.member("default", access.Viewer)
	if page := l.as(secret).look(at("4"), "Accept", htmlType).body; !strings.Contains(page, `rel="prev" class="button" href="`+at("3")+`"`) {
		t.Errorf("a viewer has no link to the previous row:\n%s", page)
	}
}

// TestRowPage_NumberOfTheAddress_IsExplained: the address counts records, and the heading names the row of
// the file. If both are the same, there is nothing to explain.
func TestRowPage_NumberOfTheAddress_IsExplained(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,no,Acme\n\nS2,b,no,Acme\n", "")
	l.split()
	for seq, row := range map[string]string{"1": "2", "2": "4"} {
		tells(t, l.page("/tasks/"+id+"/rows/"+seq), "Row "+row+" of the file", "In the address and in the API, this is record "+seq+":")
	}
	made := l.call(http.MethodPost, "/api/v1/tasks", `{"kind":"products.import","rows":[{"SKU":"A"}]}`, "Content-Type", jsonType).object()["id"].(string)
	l.split()
	page := l.page("/tasks/" + made + "/rows/1")
	if tells(t, page, "Row 1"); strings.Contains(page, "of the file") || strings.Contains(page, "this is record 1") {
		t.Errorf("a row of no file has two numbers:\n%s", words(page))
	}
}

// TestRowPage_RowThatRuns_IsKeptUpToDate: the page of a row that waits or runs is read again by the
// script, until the row is at rest. Users see the reason in plain words, and operators see its details.
func TestRowPage_RowThatRuns_IsKeptUpToDate(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.brandRefused()
	l.pass(time.Hour)
	at := "/tasks/" + id + "/rows/1"
	_, secret := l.member("default", access.Reviewer)
	reviewer := l.as(secret)
	const live = `id="row-form" data-live`
	page := reviewer.page(at)
	if strings.Contains(page, live) {
		t.Error("the form of a row is read again while a user may type")
	}
	form := "act=resubmit&cell:Brand=Acme&version=" + version(t, page)
	reviewer.call(http.MethodPost, at, form, "Content-Type", formType, "Accept", htmlType).is(http.StatusSeeOther)
	page = reviewer.page(at)
	if !strings.Contains(page, live) || !strings.Contains(page, `id="story" data-live`) {
		t.Errorf("the page of a waiting row stays as it is:\n%s", page)
	}
	tells(t, page, "Waiting: the program that processes", "starts automatically when the program runs again")
	_, secret = l.member("default", access.Operator)
	tells(t, l.as(secret).page(at), "No process runs jobs of the queue products.import.", "Start a worker")
	made, err := l.opt.Events.Record(t.Context(), []events.Move{{
		ID: events.NewID(l.task(id).Num, 1), Row: 2, From: events.Enqueue, FromAttempt: 1, To: events.Finish, Attempt: 2,
		StartedAt: l.now.Load(), FinishedAt: l.now.Load(),
	}})
	if err != nil || !made[0] {
		t.Fatal(made, err)
	}
	if page = reviewer.page(at); strings.Contains(page, "data-live") {
		t.Error("the page of a finished row is read again")
	}
	tells(t, page, "Done")
}

// TestRowPage_RowThatHasRun_IsNotSaidToRun: once the row is at rest, the message about its
// resubmission says that it has run.
func TestRowPage_RowThatHasRun_IsNotSaidToRun(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.brandRefused()
	row := "/tasks/" + id + "/rows/1"
	form := "act=resubmit&cell:Brand=Acme&version=" + version(t, l.look(row, "Accept", htmlType).body)
	l.pass(time.Hour)
	r := l.call(http.MethodPost, row, form, "Content-Type", "application/x-www-form-urlencoded", "Accept", htmlType)
	r.is(http.StatusSeeOther)
	to := r.header.Get("Location")
	tells(t, l.look(to, "Accept", htmlType).body, "Row 2 runs again.")
	made, err := l.opt.Events.Record(t.Context(), []events.Move{{
		ID: events.NewID(l.task(id).Num, 1), Row: 2, From: events.Enqueue, FromAttempt: 1, To: events.Finish, Attempt: 2,
		StartedAt: l.now.Load(), FinishedAt: l.now.Load(),
	}})
	if fine(t, err); !made[0] {
		t.Fatal("the row did not run")
	}
	page := l.look(to, "Accept", htmlType).body
	tells(t, page, "Row 2 has run again.")
	lacks(t, page, "runs again")
}
