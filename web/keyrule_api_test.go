package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// agrees compares the counts of a task with its rows.
func (l *lab) agrees(id string) {
	l.t.Helper()
	a, err := recount.New(l.opt.Events).Audit(l.t.Context(), l.task(id).Num)
	if err != nil || len(a.Differences()) != 0 {
		l.t.Errorf("%v %v", a.Differences(), err)
	}
}

// row returns the response about a row of a task.
func (l *lab) row(id string, seq int) reply {
	l.t.Helper()
	return l.look(fmt.Sprintf("/api/v1/events/%s.%d", id, seq))
}

var notSold = &events.Failure{Code: "NOT_SOLD", Message: "not sold"}

// thrice creates a task with three rows of one key. The row with the number `counts` has failed.
func thrice(t *testing.T, url, duplicates string, counts int64) (l *lab, id string) {
	l = newLabOn(t, url)
	id = l.accepted("p.csv", heads+"A,a,1,Acme\nA,b,2,Acme\nA,c,3,Acme\n", `{"duplicates":"`+duplicates+`"}`)
	l.split()
	l.move(id, events.Failed, notSold, counts)
	l.pass(1000)
	return l, id
}

// TestDuplicates_SupersededRows_AreCountedAsThat: rows that do not count are not finished.
func TestDuplicates_SupersededRows_AreCountedAsThat(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"A,a,1,Acme\nA,b,2,Acme\n", `{"duplicates":"latest"}`)
		l.split()
		l.row(id, 1).says("status", "failed", "code", "SUPERSEDED", "resolution.state", "superseded",
			"result.superseded_by", id+".2", "message", "Row 3 has the same key and is used instead")
		l.look("/api/v1/tasks/"+id).says("counts.failed", 1, "counts.superseded", 1, "counts.finish", 0)
		l.move(id, events.Finish, nil, 2)
		l.look("/api/v1/tasks/"+id).says("status", "finished", "outcome", "success")
		l.agrees(id)

		id = l.accepted("p.csv", heads+"A,a,1,Acme\nA,b,2,Acme\n", `{"duplicates":"latest","mode":"all_or_nothing"}`)
		l.split()
		if task := l.task(id); task.Problem != nil || task.Hold != "" {
			t.Errorf("a superseded row counts as invalid: %+v", task.Problem)
		}
	})
}

// TestDuplicates_RowThatCountsLeavesItsKey_SupersededRowStandsAgain: the row gets another key, or
// is skipped. The undo of either supersedes the other row again.
func TestDuplicates_RowThatCountsLeavesItsKey_SupersededRowStandsAgain(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		for duplicates, rows := range map[string][3]int{"latest": {3, 2, 1}, "first": {1, 2, 3}} {
			l, id := thrice(t, url, duplicates, int64(rows[0]))
			of := func(i int) string { return fmt.Sprintf("%s.%d", id, rows[i]) }
			l.review(id, "resubmit", `{"ids":["`+of(1)+`"],"dry_run":true}`).says("resubmitted", 0, "superseded", 1)
			l.review(id, "resubmit", `{"ids":["`+of(1)+`"]}`).says("resubmitted", 0, "superseded", 1)
			l.row(id, rows[1]).says("status", "failed", "resolution.state", "superseded")

			skip := l.review(id, "skip", `{"ids":["`+of(0)+`"]}`)
			skip.says("done", 1)
			l.row(id, rows[1]).says("resolution.state", "fixed")
			l.row(id, rows[2]).says("resolution.state", "superseded")
			l.look("/api/v1/tasks/"+id).says("counts.superseded", 1)
			l.agrees(id)
			l.undoes(id, skip, 2)
			l.row(id, rows[1]).says("resolution.state", "superseded")
			l.row(id, rows[0]).says("resolution.state", "open", "code", "NOT_SOLD")
			l.agrees(id)

			version := l.row(id, rows[0]).object()["version"]
			l.patch(of(0), fmt.Sprintf(`"%v"`, version), `{"params":{"SKU":"B"}}`).says("key", "B", "resolution.state", "fixed")
			l.pass(1000)
			l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 2, "superseded", 0)
			l.row(id, rows[1]).says("status", "enqueue", "key", "A")
			l.agrees(id)
		}
	})
}

// TestDuplicates_RowThatCountsIsOpenedAgain_HeirIsSuperseded: the heir, which is the next row of the key, has not
// run yet.
func TestDuplicates_RowThatCountsIsOpenedAgain_HeirIsSuperseded(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := thrice(t, url, "first", 1)
		l.review(id, "skip", `{"ids":["`+id+`.1"]}`).says("done", 1)
		l.review(id, "skip", `{"ids":["`+id+`.1"],"state":"open"}`).says("done", 1)
		l.pass(1000)
		l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 1, "superseded", 1)
		l.row(id, 1).says("status", "enqueue")
		l.row(id, 2).says("status", "failed", "resolution.state", "superseded")
		l.agrees(id)
	})
}

// TestDuplicates_SupersededRow_RunsAnyway: a user resubmits it anyway, or gives it another key.
func TestDuplicates_SupersededRow_RunsAnyway(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := thrice(t, url, "first", 1)
		l.patch(id+".3", `"1"`, `{"params":{"Price":"9"}}`).says("resolution.state", "superseded", "params.Price", "9")
		l.patch(id+".3", `"2"`, `{"params":{"SKU":"C"}}`).says("resolution.state", "fixed", "key", "C")
		l.pass(1000)
		l.review(id, "resubmit", `{"ids":["`+id+`.2"],"superseded":"run"}`).says("resubmitted", 1)
		l.review(id, "resubmit", `{"ids":["`+id+`.3"]}`).says("resubmitted", 1)
		l.agrees(id)
	})
}

// TestDuplicates_SupersededByAGreaterVersionBefore_DoesNotRun: with a column of versions, the row that counts may
// be before the other rows of its key in the file. A user may still give the other row a greater version.
func TestDuplicates_SupersededByAGreaterVersionBefore_DoesNotRun(t *testing.T) {
	type edition struct {
		SKU string `row:"SKU" key:"true"`
		No  int64  `row:"No" version:"true" validate:"required"`
	}
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url, func(o *web.Options) {
			o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("editions.import",
				func(context.Context, *worker.Job[edition]) error { return nil })))
		})
		r := l.postForm(field("kind", "editions.import"), field("options", `{"duplicates":"latest"}`), file("e.csv", "SKU,No\nA,9\nA,3\n"))
		r.is(http.StatusAccepted)
		id := r.object()["id"].(string)
		l.split()
		l.row(id, 2).says("code", "SUPERSEDED", "result.superseded_by", id+".1")
		l.move(id, events.Failed, notSold, 1)
		l.pass(1000)
		l.review(id, "resubmit", `{"ids":["`+id+`.2"]}`).says("resubmitted", 0)
		l.patch(id+".2", `"1"`, `{"params":{"No":"10"}}`).says("resolution.state", "fixed")
		l.review(id, "resubmit", `{"ids":["`+id+`.2"]}`).says("resubmitted", 1)
		l.agrees(id)
	})
}

// TestDuplicates_ListsForRepair_LeaveSupersededRowsOut tests the grid, its list, and the file of
// failed rows.
func TestDuplicates_ListsForRepair_LeaveSupersededRowsOut(t *testing.T) {
	t.Parallel()
	l, id := thrice(t, ledgers.SQLite(t), "latest", 3)
	list, _ := l.look("/api/v1/tasks/" + id + "/errors?superseded=false").items()
	all, _ := l.look("/api/v1/tasks/" + id + "/errors").items()
	if len(list) != 1 || len(all) != 3 {
		t.Errorf("%d of %d bad rows are left, want 1 of 3", len(list), len(all))
	}
	l.look("/api/v1/tasks/"+id+"/errors?superseded=x").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	page, file := l.look("/tasks/"+id+"/repair", "Accept", htmlType), l.look("/api/v1/tasks/"+id+"/result?only=failed")
	if strings.Contains(page.body, `value="b"`) || strings.Contains(file.body, "A,b,2") || !strings.Contains(file.body, "A,c,3") {
		t.Errorf("superseded rows are to be corrected: %s", file.body)
	}
	l.review(id, "skip", `{"filter":{}}`).says("done", 1)
}

// TestKeys_RowLeavesItsKey_DuplicateIsFixedAtOnce: the duplicate is fixed before it is resubmitted.
func TestKeys_RowLeavesItsKey_DuplicateIsFixedAtOnce(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"S1,a,-1,Acme\nS1,b,2,Acme\nS1,,3,Acme\n", `{"duplicates":"error"}`)
		l.split()
		l.row(id, 2).says("code", "DUPLICATE_KEY", "resolution.state", "open")
		l.patch(id+".1", `"1"`, `{"params":{"SKU":"S9"}}`).says("key", "S9")
		l.row(id, 2).says("resolution.state", "fixed", "resolution.by", "local")
		skip := l.review(id, "skip", `{"ids":["`+id+`.2"]}`)
		l.row(id, 3).says("resolution.state", "open", "code", "REQUIRED")
		l.agrees(id)
		l.undoes(id, skip, 2)
		l.row(id, 3).says("resolution.state", "open", "code", "REQUIRED")
		l.row(id, 2).says("resolution.state", "fixed")
		l.agrees(id)
	})
}

// TestKeys_SwappedByTwoEdits_BothRun: two failed rows get each other's keys one after the other, as
// in the grid.
func TestKeys_SwappedByTwoEdits_BothRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := unique(t, url)
		l.patch(id+".2", `"1"`, `{"params":{"SKU":"S3","Price":"2"}}`).says("code", "DUPLICATE_KEY", "resolution.state", "open")
		l.patch(id+".3", `"1"`, `{"params":{"SKU":"S2","Price":"3"}}`).says("resolution.state", "fixed")
		l.row(id, 2).says("resolution.state", "fixed", "key", "S3")
		l.pass(1000)
		l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 2, "still_invalid", 0)
		l.agrees(id)
	})
}

// TestPatch_NamesItsAct_UndoRestoresRowAndHeir tests the API, as the grid uses it, and the page of
// the row.
func TestPatch_NamesItsAct_UndoRestoresRowAndHeir(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"S1,a,-1,Acme\nS1,b,2,Acme\n", `{"duplicates":"error"}`)
		l.split()
		row := "/tasks/" + id + "/rows/1"
		undo := map[string]func(reply){
			"the API": func(r reply) {
				l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, r.header.Get("Act-Id"))).says("done", 2)
			},
			"the page": func(r reply) {
				l.submits(row, "act", "undo", "version", fmt.Sprint(r.object()["version"])).is(http.StatusOK)
			},
		}
		for name, undo := range undo {
			version := l.row(id, 1).object()["version"]
			r := l.patch(id+".1", fmt.Sprintf(`"%v"`, version), `{"params":{"SKU":"S9"}}`)
			r.says("key", "S9")
			l.row(id, 2).says("resolution.state", "fixed")
			l.pass(1000)
			undo(r)
			l.row(id, 1).says("key", "S1", "code", "PRICE_NOT_POSITIVE", "resolution.state", "open")
			l.row(id, 2).says("code", "DUPLICATE_KEY", "resolution.state", "open")
			if t.Failed() {
				t.Fatalf("undone by %s", name)
			}
		}
		l.agrees(id)
	})
}

// TestActs_AllRowsInSeveralTransactions_ChangeTheHeirToo: the row that takes over a key in one
// transaction is skipped or edited in the next. The undo restores it.
func TestActs_AllRowsInSeveralTransactions_ChangeTheHeirToo(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		text := heads + "K,a,-1,Acme\n"
		for i := range 1000 {
			text += fmt.Sprintf("S%d,a,-1,Acme\n", i)
		}
		id := l.accepted("p.csv", text+"K,b,2,Acme\n", `{"duplicates":"error"}`)
		l.split()
		edit := l.review(id, "repair", `{"filter":{},"patch":{"set":{"SKU":"Z"}}}`)
		edit.says("done", 1002)
		l.row(id, 1002).says("key", "Z", "code", "DUPLICATE_KEY")
		l.undoes(id, edit, 1002)
		l.row(id, 1002).says("key", "K", "code", "DUPLICATE_KEY", "params.SKU", "K", "resolution.state", "open")
		l.pass(1000)
		skip := l.review(id, "skip", `{"filter":{}}`)
		skip.says("done", 1002)
		l.row(id, 1002).says("resolution.state", "skipped")
		l.undoes(id, skip, 1002)
		l.row(id, 1002).says("code", "DUPLICATE_KEY", "resolution.state", "open")
		l.agrees(id)
	})
}
