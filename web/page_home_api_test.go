package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestHome_QueueIsPaused_ImportWaits: an import without a running row waits while its queue is paused.
// While a row runs, the import runs too.
func TestHome_QueueIsPaused_ImportWaits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(9), "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.pass(10 * time.Second)
	l.move(id, events.Finish, nil, 2)
	running := func(when string, want bool, says string) {
		t.Helper()
		l.pass(time.Second) // for which pages share the pauses
		page := words(l.look("/", "Accept", htmlType).body)
		if strings.Contains(page, " left ") != want || !strings.Contains(page, says) {
			t.Errorf("%s, the page does not say %q:\n%s", when, says, page)
		}
	}
	running("before the pause", true, "Running about")
	admin := l.opt.Queue.Admin()
	fine(t, admin.Pause(t.Context(), "products.import"))
	running("while the queue is paused", false, "Waiting this type of import is paused")
	tells(t, l.page("/?tab=waiting"), "Running 0", "Waiting 1", "p.csv")
	fine(t, admin.Resume(t.Context(), "products.import"))
	running("after the pause", true, "Running about")
	l.call("POST", "/api/v1/tenants/default/pause", "").is(http.StatusOK)
	running("while the tenant is paused", false, "Waiting your account is paused")
	tells(t, l.page("/?tab=waiting"), "Running 0", "Waiting 1", "p.csv")
	if strings.Contains(l.page("/?tab=running"), "p.csv") {
		t.Error("the tab of running imports lists one that waits")
	}
	l.move(id, events.Working, nil, 3)
	running("while a row runs", true, "Running about")
}

// TestHome_NoImportWaits_RedisIsNotAsked: the pauses of queues matter only to running imports whose rows all wait.
func TestHome_NoImportWaits_RedisIsNotAsked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	asks := func(when string, want bool) {
		t.Helper()
		before := l.redis.CommandCount()
		l.page("/")
		if n := l.redis.CommandCount() - before; (n > 0) != want {
			t.Errorf("%s, the page sends %d commands to Redis", when, n)
		}
	}
	id := l.accepted("p.csv", rows(2), "")
	asks("before the file is read", false)
	l.split()
	asks("while all rows wait", true)
	l.call("POST", "/api/v1/tenants/default/pause", "").is(http.StatusOK)
	asks("while the tenant is paused", false)
	l.call("POST", "/api/v1/tenants/default/resume", "").is(http.StatusOK)
	l.move(id, events.Finish, nil, 1)
	asks("less than a second after the last page that did", false)
	l.pass(time.Second)
	asks("while the last row waits", true)
	l.move(id, events.Finish, nil, 2)
	asks("after the end", false)
	id = l.accepted("q.csv", rows(2), "")
	l.split()
	l.move(id, events.Working, nil, 1)
	asks("while a row runs", false)
}

// TestHome_Search_HidesTheNumbersOfTabs: the numbers count all imports, and not only those that match.
func TestHome_Search_HidesTheNumbersOfTabs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.accepted("p.csv", rows(1), "")
	const number = `<span class="n">`
	for path, shown := range map[string]bool{"/": true, "/?tab=done": true, "/?q=nothing": false, "/?tab=done&days=1": false} {
		if page := l.page(path); strings.Contains(page, number) != shown {
			t.Errorf("%s: the tabs have numbers: %t, want %t", path, !shown, shown)
		}
	}
}

// TestHome_RowInErrorIsLeftOut_OtherRowsAreToCorrect: the count of skipped rows includes rows in error, which
// are no rows to correct. The tab, the row in its table and the page of the task agree.
func TestHome_RowInErrorIsLeftOut_OtherRowsAreToCorrect(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(3), "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no such brand"}, 1)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 2)
	l.move(id, events.Finish, nil, 3)
	l.review(id, "skip", `{"ids":["`+id+`.2"]}`).says("done", 1)
	tells(t, l.page("/?tab=correct"), "To do 1", "p.csv", "Correct 1 , p.csv")
	tells(t, l.page("/tasks/"+id), "1 row needs a correction", "1 to correct")

	l.review(id, "skip", `{"ids":["`+id+`.1"]}`).says("done", 1)
	tells(t, l.page("/"), "To do 0", "System errors 1 row")
	tells(t, l.page("/tasks/"+id), "0 to correct")
}

// TestHome_RowsAreCorrected_ReadsHowManyAreLeft: a corrected row waits for a user, but needs no correction. If no
// row is left to correct, the import offers to run the corrected rows.
func TestHome_RowsAreCorrected_ReadsHowManyAreLeft(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"A,a,no,Acme\nB,b,no,Acme\nC,c,3,Acme\n", "")
	l.split()
	l.move(id, events.Finish, nil, 3)
	fix := func(seq string) {
		t.Helper()
		l.review(id, "repair", `{"ids":["`+id+"."+seq+`"],"patch":{"set":{"Price":"1"}}}`).says("done", 1)
	}
	tells(t, l.page("/"), "To correct 2 rows", "Correct 2")
	fix("1")
	tells(t, l.page("/"), "To correct 1 row", "Correct 1")
	fix("2")
	tells(t, l.page("/?tab=correct"), "To do 1", "Ready to run 2 rows", "Run 2 , p.csv")
	run, page := []string{"rows", "all", "resolution", "fixed", "go", "1", "back", "task", "act", "resubmit"}, l.look("/", "Accept", htmlType).body
	for i := 0; i < len(run); i += 2 {
		if field := fmt.Sprintf(`name="%s" value="%s"`, run[i], run[i+1]); !strings.Contains(page, field) {
			t.Errorf("the button that runs the rows has no field %s", field)
		}
	}
	l.submits("/tasks/"+id+"/repair", run...)
	l.move(id, events.Finish, nil, 1, 2)
	tells(t, l.page("/"), "To do 0", "Done 1")
}

// TestHome_RowsAreSettled_BarAgreesWithTheState: rows that are corrected or left out are no part of the bar, as on
// the page of the task. Its label has the same number of rows to correct as the state.
func TestHome_RowsAreSettled_BarAgreesWithTheState(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"A,a,no,Acme\nB,b,no,Acme\nC,c,3,Acme\n", "")
	l.split()
	l.move(id, events.Finish, nil, 3)
	shows := func(state, label string, warn bool) {
		t.Helper()
		tells(t, l.page("/"), state)
		page := l.look("/", "Accept", htmlType).body
		if !strings.Contains(page, `aria-label="`+label+`"`) {
			t.Errorf("%s: no bar has the label %q", state, label)
		}
		if strings.Contains(page, `<rect class="fw"`) != warn {
			t.Errorf("%s: the bar has a part of rows to correct: %t, want %t", state, !warn, warn)
		}
	}
	shows("To correct 2 rows", "1 of 3 rows finished, 2 to correct, 0 with system errors", true)
	l.review(id, "repair", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`).says("done", 1)
	shows("To correct 1 row", "1 of 3 rows finished, 1 to correct, 0 with system errors, 1 ready to run", true)
	l.review(id, "skip", `{"ids":["`+id+`.2"]}`).says("done", 1)
	shows("Ready to run 1 row", "1 of 3 rows finished, 0 to correct, 0 with system errors, 1 ready to run, 1 left out", false)
	l.review(id, "skip", `{"ids":["`+id+`.1"]}`).says("done", 1)
	shows("Done", "1 of 3 rows finished, 0 to correct, 0 with system errors, 2 left out", false)
}

// TestHome_RowsAreReadyBesideSystemErrors_ReadsBoth: an import whose corrected rows have not run also shows how many
// other rows have a system error.
func TestHome_RowsAreReadyBesideSystemErrors_ReadsBoth(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"A,a,no,Acme\nB,b,no,Acme\nC,c,3,Acme\n", "")
	l.split()
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 3)
	l.review(id, "repair", `{"ids":["`+id+`.1","`+id+`.2"],"patch":{"set":{"Price":"1"}}}`).says("done", 2)
	tells(t, l.page("/"), "Ready to run 2 rows; 1 more with a system error", "Run 2")
	l.review(id, "repair", `{"ids":["`+id+`.3"],"patch":{"set":{"Price":"1"}}}`).says("done", 1)
	tells(t, l.page("/"), "Ready to run 3 rows 3", "Run 3")
}

// TestTaskPage_Viewer_IsNotAskedToCorrect: only users who may correct rows read that they can.
func TestTaskPage_Viewer_IsNotAskedToCorrect(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"A,a,no,Acme\nB,b,2,Acme\n", "")
	l.split()
	for role, want := range map[access.Role]bool{access.Viewer: false, access.Reviewer: true} {
		_, secret := l.member("default", role)
		page := words(l.as(secret).page("/tasks/" + id))
		if strings.Contains(page, "You can correct rows while the rest runs.") != want || !strings.Contains(page, "1 to correct") {
			t.Errorf("a %s reads: %s", role, page)
		}
	}
}
