package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestSuperseded_PagesAndAPI_ShowRowsBeforeTheyAreRun: the page of a paused task and the pages of
// repair say how many rows would not run, and let the user decide that they run.
func TestSuperseded_PagesAndAPI_ShowRowsBeforeTheyAreRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		older := l.accepted("a.csv", heads+"K,n,1,Acme\nL,n,1,Acme\n", "")
		l.split()
		l.call(http.MethodPost, "/api/v1/tasks/"+older+"/pause", "").is(http.StatusOK)
		newer := l.accepted("b.csv", heads+"K,n,-2,Acme\nK,n,2,Acme\n", "")
		l.split()
		l.move(newer, events.Finish, nil, 2)

		tells(t, l.look("/tasks/"+older, "Accept", htmlType).body, "1 row will not run", "anyway")
		dry := l.postJSON("/tasks/"+older+"/resume", `{"dry_run":true}`)
		dry.is(http.StatusOK)
		if v := dry.object(); v["waiting"] != 2.0 || v["superseded"] != 1.0 {
			t.Errorf("dry run of resume: %v", v)
		}
		l.submits("/tasks/"+older+"/resume", "superseded", "run").is(http.StatusOK)
		if task := l.task(older); task.Status != "running" {
			t.Errorf("resumed: %s", task.Status)
		}

		repair := "/tasks/" + newer + "/repair"
		edit := []string{"rows", "all", "act", "set", "of", "Price", "value", "3", "go", "1"}
		l.submits(repair, edit...)
		ask := []string{"rows", "all", "act", "resubmit"}
		tells(t, l.submits(repair, ask...).body, "Decide on 1 row", "1 row will not run", "Run 1 row and overwrite newer values")
		out := l.review(newer, "resubmit", `{"filter":{},"dry_run":true,"superseded":"run"}`).object()
		if out["superseded"] != 0.0 || out["valid"] != 1.0 {
			t.Errorf("dry run of what runs anyway: %v", out)
		}
		l.review(newer, "skip", `{"filter":{},"superseded":"run"}`).is(http.StatusUnprocessableEntity)
	})
}

// TestReady_RowsBehindANewerRow_AreNoRowsThatRun: corrected rows whose key a newer row has finished do not run. The
// pages count them apart, and ask before they run the others.
func TestReady_RowsBehindANewerRow_AreNoRowsThatRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("a.csv", heads+"K,n,no,Acme\nL,n,no,Acme\nK,n,2,Acme\n", "")
		l.split()
		l.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).says("done", 2)
		tells(t, l.page("/tasks/"+id), "2 ready to run", "2 corrected rows are ready to run", "Run 2 ready rows")
		l.move(id, events.Finish, nil, 3)
		task := l.look("/tasks/"+id, "Accept", htmlType).body
		tells(t, task, "1 corrected row is ready to run. 1 corrected row will not run: newer rows of the same keys have finished.",
			"1 ready to run", "1 will not run", "1 corrected row is ready to run", "Run 1 ready row…")
		home := l.look("/", "Accept", htmlType).body
		tells(t, home, "Ready to run 1 row", "Run 1… , a.csv")
		grid := l.look("/tasks/"+id+"/repair", "Accept", htmlType).body
		tells(t, grid, "Run 1 ready row…")
		const straight = `value="fixed"><input type="hidden" name="go"`
		if strings.Contains(task+home+grid, straight) {
			t.Error("the rows run without a question")
		}
		run := []string{"rows", "all", "resolution", "fixed", "back", "task", "act", "resubmit"}
		asks := l.submits("/tasks/"+id+"/repair", run...).body
		tells(t, asks, "Run 1 row?", "1 row will not run: newer rows of the same keys have finished", "Run 1 row Run 2 rows and overwrite newer values")
		lacks(t, asks, "again", "Run selected")
		l.review(id, "skip", `{"ids":["`+id+`.2"]}`).says("done", 1)
		tells(t, l.page("/tasks/"+id), "1 corrected row will not run:", "0 ready to run", "1 corrected row will not run", "Decide on 1 row…")
		tells(t, l.page("/tasks/"+id+"/repair"), "Decide on 1 row…")
		asks = l.submits("/tasks/"+id+"/repair", run...).body
		tells(t, asks, "Decide on 1 row", "1 row will not run", "Run 1 row and overwrite newer values")
		lacks(t, asks, "Run 0 rows", "Run 1 row?")
		tells(t, l.page("/"), "Replaced by newer rows 1 row", "Decide on 1… , a.csv")

		again := l.accepted("b.csv", heads+"K,n,no,Acme\nL,n,no,Acme\nK,n,2,Acme\n", "")
		l.split()
		l.review(again, "repair", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).says("done", 2)
		l.move(again, events.Finish, nil, 3)
		tells(t, l.submits("/tasks/"+again+"/repair", append(run, "go", "1")...).body, "1 row runs again. 1 row will not run: newer rows")
	})
}

// TestKept_RowsBehindANewerRow_HomeAsksLikeTheTask: "Import N" of the table leads to the question of the import's own
// page. The answer is for waiting rows and for corrected rows.
func TestKept_RowsBehindANewerRow_HomeAsksLikeTheTask(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("a.csv", heads+"K,n,1,Acme\nL,n,no,Acme\nM,n,no,Acme\n", `{"on_invalid":"block"}`)
		l.split()
		newer := l.accepted("b.csv", heads+"K,n,2,Acme\nL,n,2,Acme\n", "")
		l.split()
		l.move(newer, events.Finish, nil, 1, 2)
		l.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).says("done", 2)

		home := l.look("/", "Accept", htmlType).body
		form := regexp.MustCompile(`action="(/tasks/` + id + `/resume)">((?:<input[^>]*>)*)`).FindStringSubmatch(home)
		if form == nil {
			t.Fatalf("the table has no form: %s", home)
		}
		var fields []string
		for _, field := range regexp.MustCompile(`name="(\w+)" value="(\w+)"`).FindAllStringSubmatch(form[2], -1) {
			fields = append(fields, field[1:]...)
		}
		asks := l.submits(form[1], fields...).body
		tells(t, asks, "2 rows will not run: newer rows of the same keys have finished", "anyway", "Import 1 row", "Nothing is imported yet")
		if strings.Contains(asks, `name="ask"`) {
			t.Error("the page asks twice")
		}
		l.submits(form[1], "ready", "run", "superseded", "run")
		l.look("/api/v1/tasks/"+id).says("status", "running", "counts.enqueue", 3)
		l.call(http.MethodPost, "/api/v1/tasks/"+id+"/pause", "").is(http.StatusOK)
		l.postJSON("/tasks/"+id+"/resume", `{"dry_run":true}`).says("superseded", 1) // the corrected row runs anyway
	})
}

// TestFix_RowsBehindANewerRow_AreNoRowsThatRun: the card of a cause counts apart the rows that do not run after the
// fix, because newer rows of their keys have finished.
func TestFix_RowsBehindANewerRow_AreNoRowsThatRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("a.csv", heads+"K,n,1 EUR,Acme\nL,n,1 EUR,Acme\nM,n,2 EUR,Acme\nK,n,2,Acme\nM,n,2,Acme\n", "")
		l.split()
		tells(t, l.page("/tasks/"+id), "Price : Invalid number 3 rows", "Fix and run 3 rows")
		l.move(id, events.Finish, nil, 4, 5)
		page := l.look("/tasks/"+id, "Accept", htmlType).body
		tells(t, page, "1 EUR 2 rows", "2 EUR 1 row", "Fix 3 rows, run 1",
			"2 rows will not run: newer rows of the same keys have finished")
		for _, field := range []string{`data-rows="2" data-stay="1"`, `data-rows="1" data-stay="1"`} {
			if !strings.Contains(page, field) {
				t.Errorf("the field of a text has no %s:\n%s", field, page)
			}
		}
	})
}

// TestFault_RowsBehindANewerRow_AreNoRowsThatRun: the card of a system error counts apart the rows that do not run
// again, and asks before the others run. Another cause has its own number.
func TestFault_RowsBehindANewerRow_AreNoRowsThatRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("a.csv", heads+"K,n,1,Acme\nL,n,1,Acme\nM,n,1,Acme\nK,n,2,Acme\nM,n,2,Acme\n", "")
		l.split()
		l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 1, 2)
		l.move(id, events.Error, &events.Failure{Code: "PAYLOAD_TOO_LARGE", Message: "ours"}, 3)
		only := l.page("/tasks/" + id)
		tells(t, only, "Run 2 rows again", "Run 1 row again")
		lacks(t, only, "Prefer to correct it in Excel?")
		l.move(id, events.Finish, nil, 4, 5)
		page := l.look("/tasks/"+id, "Accept", htmlType).body
		tells(t, page, "Run 1 row again…", "1 row will not run: newer rows of the same keys have finished",
			"Decide on 1 row…", "1 row will not run: newer rows of the same keys have finished")
		again := []string{"act", "resubmit", "rows", "all", "code", "SYSTEM_ERROR", "resolution", "open", "back", "task"}
		asks := l.submits("/tasks/"+id+"/repair", again...).body
		tells(t, asks, "a.csv", "Run 1 row?", "1 row will not run", "Run 1 row Run 2 rows and overwrite newer values Cancel")
		if !strings.Contains(asks, `<a class="button" href="/tasks/`+id+`">`) {
			t.Errorf("the question does not lead back to the page of the task: %s", asks)
		}
	})
}

// TestRowForm_SameTextInReplacedRows_AreCountedApart: the other rows with the text of a row that do not run, because
// newer rows of their keys have finished. The row of the form is not one of them.
func TestRowForm_SameTextInReplacedRows_AreCountedApart(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("a.csv", heads+"K,n,1 EUR,Acme\nL,n,1 EUR,Acme\nM,n,1 EUR,Acme\nK,n,2,Acme\n", "")
		l.split()
		l.move(id, events.Finish, nil, 4)
		tells(t, l.page("/tasks/"+id+"/rows/2"), "Do the same in 2 more rows with “1 EUR”", "1 row will not run: newer rows of the same keys have finished")
		own := l.page("/tasks/" + id + "/rows/1")
		tells(t, own, "Do the same in 2 more rows with “1 EUR”")
		lacks(t, own, "will not run")
	})
}

// TestCorrections_RowsBehindANewerRow_AreCounted: the response to a corrected file counts
// the rows that end as superseded.
func TestCorrections_RowsBehindANewerRow_AreCounted(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		older := l.accepted("a.csv", heads+"K,n,-1,Acme\n", "")
		l.split()
		newer := l.accepted("b.csv", heads+"K,n,2,Acme\n", "")
		l.split()
		l.move(newer, events.Finish, nil, 1)
		out := l.correct(older, "fixed.csv", l.edited(older, ",-1,", ",1,"))
		out.is(http.StatusAccepted)
		if v := out.object(); v["resubmitted"] != 1.0 || v["superseded"] != 1.0 {
			t.Errorf("a corrected row behind a newer one: %v", v)
		}
	})
}
