package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestEraseRow_RowOfAPerson_IsGoneAtOnce deletes one of two rows. Before that, the row was edited, ran, and
// failed. The test uses both databases.
func TestEraseRow_RowOfAPerson_IsGoneAtOnce(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		tables := []string{"tasks", "events", "audit_log", "outbox", "error_groups", "checkpoints", "idempotency", "review_rows"}
		id := l.accepted("p.csv", heads+"S1,"+personal+",x,Acme\nS2,other,x,Acme\n", "")
		l.split()
		row, num := "/api/v1/events/"+id+".1", l.task(id).Num
		l.call(http.MethodPost, "/api/v1/tasks/"+id+"/repair",
			`{"ids":["`+id+`.1"],"patch":{"set":{"Name":"`+personal+` x"}},"note":"`+personal+`"}`,
			"Content-Type", jsonType, "Idempotency-Key", `"k1"`).is(http.StatusOK)
		l.review(id, "resubmit", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`).is(http.StatusAccepted)
		l.call(http.MethodDelete, row, "").refuses(http.StatusConflict, "WRONG_STATUS", "cancel it first")
		l.pass(time.Second)
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Value: personal, Message: personal}, 1)
		l.review(id, "skip", `{"ids":["`+id+`.1"],"note":"`+personal+`"}`).is(http.StatusOK)
		if got := l.holds(tables, personal); len(got) < 3 {
			t.Fatalf("the text is in %v: the test looks for nothing", got)
		}
		before := l.look("/api/v1/tasks/" + id).object()["counts"].(map[string]any)
		_, reviewer := l.member("default", access.Reviewer)
		l.as(reviewer).call(http.MethodDelete, row, "").is(http.StatusForbidden)
		_, admin := l.member("default", access.Admin)
		as := l.as(admin)
		for range 2 { // the second is a no-op
			as.call(http.MethodDelete, row, "").is(http.StatusNoContent)
		}
		if got := l.holds(tables, personal); len(got) > 0 {
			t.Errorf("the text is still in %v", got)
		}
		if n := l.stored(); n != 0 {
			t.Errorf("%d files are stored", n)
		}
		as.look(row).says("status", "failed", "code", "ERASED", "row", 2, "resolution.state", "skipped", "message", "The contents of this row were deleted")
		as.look("/api/v1/events/"+id+".2").says("params.Name", "other", "code", "INVALID_NUMBER")
		for name, n := range before {
			as.look("/api/v1/tasks/"+id).says("counts."+name, n)
		}
		if a, err := recount.New(l.opt.Events).Audit(t.Context(), num); err != nil || len(a.Differences()) > 0 {
			t.Errorf("audit: %v, %v", a.Differences(), err)
		}
		// No decision about the deleted row can be made any more.
		as.review(id, "skip", `{"ids":["`+id+`.1"],"state":"open"}`).says("done", 0)
		as.review(id, "resubmit", `{"ids":["`+id+`.1"]}`).says("resubmitted", 0)
		as.call(http.MethodPatch, row, `{"resolution":"open"}`, "Content-Type", jsonType,
			"If-Match", as.look(row).header.Get("ETag")).refuses(http.StatusConflict, "WRONG_STATUS", "contents of this row were deleted")
		for _, path := range []string{"/api/v1/audit", "/api/v1/tasks/" + id + "/audit"} {
			list, _ := as.look(path).items()
			acts := 0
			for _, entry := range list {
				if entry["act"] == "delete-row" {
					acts++
				}
			}
			if acts != 1 {
				t.Errorf("%s has the act %d times: %v", path, acts, list)
			}
		}
		as.look("/tasks/"+id+"/rows/1", "Accept", htmlType).is(http.StatusOK)
	})
}

// TestEraseRow_RowThatFinished_KeepsItsStatus deletes a row whose handler kept a result.
func TestEraseRow_RowThatFinished_KeepsItsStatus(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,"+personal+",1,Acme\n", "")
	l.split()
	made, err := l.opt.Events.Record(t.Context(), []events.Move{{
		ID: events.NewID(l.task(id).Num, 1), From: events.Enqueue, To: events.Finish, Attempt: 1,
		Result: []byte(`{"sent":"` + personal + `"}`), StartedAt: l.now.Load(), FinishedAt: l.now.Load(),
	}})
	if err != nil || !made[0] {
		t.Fatal(made, err)
	}
	l.call(http.MethodDelete, "/api/v1/events/"+id+".1", "").is(http.StatusNoContent)
	if got := l.holds([]string{"events", "audit_log"}, personal); len(got) > 0 {
		t.Errorf("the text is still in %v", got)
	}
	l.look("/api/v1/events/"+id+".1").says("status", "finish", "code", "ERASED")
	l.look("/api/v1/tasks/"+id).says("counts.finish", 1, "counts.failed", 0, "status", "finished")
	l.review(id, "resubmit", `{"filter":{"status":"finish","finished_gte":"2020-01-01T00:00:00Z"}}`).says("resubmitted", 0)
	l.look("/api/v1/events/" + id + ".1/explain").is(http.StatusOK)
	if a, err := recount.New(l.opt.Events).Audit(t.Context(), l.task(id).Num); err != nil || len(a.Differences()) > 0 {
		t.Errorf("audit: %v, %v", a.Differences(), err)
	}
}

// TestEraseRow_RowThatCountsFinished_OtherRowsOfItsKeyStaySuperseded: the row that counts has taken
// effect, so the others do not run.
func TestEraseRow_RowThatCountsFinished_OtherRowsOfItsKeyStaySuperseded(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		for duplicates, rows := range map[string][2]int64{"latest": {3, 1}, "first": {1, 3}} {
			l := newLabOn(t, url)
			id := l.accepted("p.csv", heads+"A,a,1,Acme\nA,b,2,Acme\nA,c,3,Acme\n", `{"duplicates":"`+duplicates+`"}`)
			l.split()
			l.move(id, events.Finish, nil, rows[0])
			l.pass(time.Second)
			l.call(http.MethodDelete, fmt.Sprintf("/api/v1/events/%s.%d", id, rows[0]), "").is(http.StatusNoContent)
			body := fmt.Sprintf(`{"ids":["%s.%d"]}`, id, rows[1])
			l.review(id, "resubmit", body).says("resubmitted", 0, "superseded", 1)
			l.row(id, int(rows[1])).says("status", "failed", "resolution.state", "superseded")
			l.agrees(id)
		}
	})
}

// TestEraseRow_RowThatCountsFailed_NextRowOfItsKeyIsFixed: the same happens when the row is
// skipped.
func TestEraseRow_RowThatCountsFailed_NextRowOfItsKeyIsFixed(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		for duplicates, rows := range map[string][3]int{"latest": {3, 2, 1}, "first": {1, 2, 3}, "error": {1, 2, 3}} {
			l, id := thrice(t, url, duplicates, int64(rows[0]))
			third := l.row(id, rows[2]).object()["resolution"].(map[string]any)["state"]
			l.call(http.MethodDelete, fmt.Sprintf("/api/v1/events/%s.%d", id, rows[0]), "").is(http.StatusNoContent)
			l.row(id, rows[0]).says("code", "ERASED", "resolution.state", "skipped")
			l.row(id, rows[1]).says("resolution.state", "fixed")
			l.row(id, rows[2]).says("resolution.state", third)
			l.agrees(id)
			acts := ""
			list, _ := l.look("/api/v1/tasks/" + id + "/audit").items()
			for _, entry := range list {
				acts += fmt.Sprint(entry["act"], " ")
			}
			if !strings.Contains(acts, "fix") {
				t.Errorf("%s: the audit has the acts %s", duplicates, acts)
			}
			l.pass(time.Second)
			l.review(id, "resubmit", fmt.Sprintf(`{"ids":["%s.%d"]}`, id, rows[1])).says("resubmitted", 1)
			l.agrees(id)
		}
	})
}

// TestEraseRow_RowThatWasSkipped_UndoOfTheSkipKeepsTheHeir: the row that has counted since the skip keeps
// counting.
func TestEraseRow_RowThatWasSkipped_UndoOfTheSkipKeepsTheHeir(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		for duplicates, rows := range map[string][2]int{"latest": {3, 2}, "first": {1, 2}, "error": {1, 2}} {
			l, id := thrice(t, url, duplicates, int64(rows[0]))
			skip := l.review(id, "skip", fmt.Sprintf(`{"ids":["%s.%d"]}`, id, rows[0]))
			skip.says("done", 1)
			l.row(id, rows[1]).says("resolution.state", "fixed")
			l.call(http.MethodDelete, fmt.Sprintf("/api/v1/events/%s.%d", id, rows[0]), "").is(http.StatusNoContent)
			l.undoes(id, skip, 0)
			l.row(id, rows[1]).says("resolution.state", "fixed")
			l.agrees(id)
			l.pass(time.Second)
			l.review(id, "resubmit", fmt.Sprintf(`{"ids":["%s.%d"]}`, id, rows[1])).says("resubmitted", 1)
			l.agrees(id)
		}
	})
}

// TestUndo_RowThatCountedHasAnotherKeySince_KeepsTheHeir moves the skipped row to another
// key before the skip is undone.
func TestUndo_RowThatCountedHasAnotherKeySince_KeepsTheHeir(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		for duplicates, rows := range map[string][2]int{"latest": {3, 2}, "first": {1, 2}, "error": {1, 2}} {
			l, id := thrice(t, url, duplicates, int64(rows[0]))
			skip := l.review(id, "skip", fmt.Sprintf(`{"ids":["%s.%d"]}`, id, rows[0]))
			skip.says("done", 1)
			body := fmt.Sprintf(`{"ids":["%s.%d"],"patch":{"set":{"SKU":"B"}}}`, id, rows[0])
			l.review(id, "repair", body).says("done", 1)
			l.undoes(id, skip, 0)
			l.row(id, rows[1]).says("resolution.state", "fixed")
			l.agrees(id)
		}
	})
}
