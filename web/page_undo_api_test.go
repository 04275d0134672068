package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

var actOffered = regexp.MustCompile(`name="act_id" value="(\w+)"`)

// act returns the bulk edit that the page offers to undo; "" for none.
func (r reply) act() string {
	r.t.Helper()
	r.is(http.StatusOK)
	if m := actOffered.FindStringSubmatch(r.body); m != nil {
		return m[1]
	}
	return ""
}

// TestTheLastEditOfManyRowsIsTakenBack: only the user who made it can undo it. Rows that were
// changed or ran since then stay.
func TestTheLastEditOfManyRowsIsTakenBack(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		rows, all, left := 44, "44", "40"
		if strings.HasSuffix(url, ".db") { // more rows than one step of an undo
			rows, all, left = 1004, "1,004", "1,000"
		}
		_, secret := l.member("default", access.Admin)
		ann := l.as(secret)
		_, secret = l.member("default", access.Admin)
		bob := l.as(secret)
		id := ann.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", rows)+"G,a,1,Acma\n", "")
		l.split()
		l.pass(1000)
		path := "/tasks/" + id + "/repair"
		if p := ann.look(path, "Accept", htmlType).act(); p != "" {
			t.Errorf("before there is an edit, %q can be taken back", p)
		}
		set := []string{"rows", "all", "act", "set", "of", "Price", "value", "1", "resolution", "open", "go", "1"}
		changed := ann.submits(path, set...).body
		tells(t, changed, all+" rows were changed.", "Undo", "No row matches")
		if n := strings.Count(changed, `name="act_id"`); n != 1 {
			t.Errorf("the page offers %d undos of one act", n)
		}
		tells(t, ann.look(path, "Accept", htmlType).body, "Undo last bulk edit ("+all+" rows)")
		l.pass(1000)

		bob.patch(id+".2", `"2"`, `{"params":{"Price":"7"}}`).is(http.StatusOK)
		bob.patch(id+".3", `"2"`, `{"resolution":"skipped"}`).is(http.StatusOK)
		bob.patch(id+".4", `"2"`, `{"params":{"Name":"bob"}}`).is(http.StatusOK)
		for _, n := range []int{5, rows} {
			bob.review(id, "resubmit", fmt.Sprintf(`{"ids":["%s.%d"]}`, id, n)).is(http.StatusAccepted)
		}
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "no"}, 5)
		l.pass(1000)

		act := ann.look(path, "Accept", htmlType).act()
		if other := bob.look(path, "Accept", htmlType).act(); other != "" {
			t.Errorf("bob can take back %q", other)
		}
		tells(t, bob.submits(path, "act", "undo", "act_id", act, "go", "1").body, "Nothing to undo")
		undo := []string{"act", "undo", "act_id", act}
		tells(t, ann.submits(path, undo...).body, "in "+left+" rows?", left+" rows will still have errors.", "4 rows were changed or run in the meantime")
		undo = append(undo, "go", "1")
		tells(t, ann.submits(path, undo...).body, left+" rows have their previous values again.", "4 rows were changed or run in the meantime")
		for n, want := range map[int][]any{
			1: {"params.Price", "no", "resolution.state", "open", "code", "INVALID_NUMBER"},
			2: {"params.Price", "7", "resolution.state", "fixed"},
			3: {"params.Price", "1", "resolution.state", "skipped"},
			4: {"params.Price", "no", "params.Name", "bob"},
			5: {"params.Price", "1", "code", "BRAND_UNKNOWN"},
		} {
			ann.look(fmt.Sprintf("/api/v1/events/%s.%d", id, n)).says(want...)
		}
		ann.look(fmt.Sprintf("/api/v1/events/%s.%d", id, rows-1)).says("params.Price", "no", "resolution.state", "open")
		none := ann.submits(path, undo...).body
		tells(t, none, "Nothing was undone.", "4 rows were changed or run in the meantime")
		if !strings.Contains(none, `class="msg warn"`) {
			t.Error("an undo that changes nothing is reported as a success")
		}
		if again := ann.look(path, "Accept", htmlType).act(); again != "" {
			t.Errorf("after an undo, the page offers the undo of %q, which would change the rows again", again)
		}

		// The row has the result of its run again.
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Value: "Acma"}, int64(rows+1))
		l.pass(1000)
		tells(t, ann.submits(path, "rows", "all", "column", "Brand", "act", "set", "of", "Brand", "value", "Acme", "go", "1").body,
			"1 row was changed.")
		ann.look(fmt.Sprintf("/api/v1/events/%s.%d", id, rows+1)).says("resolution.state", "fixed")
		undo[3] = ann.look(path, "Accept", htmlType).act()
		tells(t, ann.submits(path, undo...).body, "1 row has its previous values again.")
		ann.look(fmt.Sprintf("/api/v1/events/%s.%d", id, rows+1)).says("params.Brand", "Acma", "resolution.state", "open", "code", "BRAND_UNKNOWN")
	})
}

// TestUndo_AllRowsRan_GridOffersNone: an undo would restore no row.
func TestUndo_AllRowsRan_GridOffersNone(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, ledgers.SQLite(t))
	id := refusedBrands(l, 3)
	path := "/tasks/" + id + "/repair"
	l.submits(path, "rows", "all", "act", "set", "of", "Brand", "value", "Acme", "code", "BRAND_UNKNOWN", "go", "1")
	if act := l.look(path, "Accept", htmlType).act(); act == "" {
		t.Fatal("the page does not offer the undo")
	}
	l.submits(path, "rows", "all", "act", "resubmit", "resolution", "fixed", "go", "1")
	if act := l.look(path, "Accept", htmlType).act(); act != "" {
		t.Errorf("after all its rows ran, the page offers the undo of %q", act)
	}
}

// TestTaskPage_CorrectedRowsInTheirUndoTime_AreNotCountedAsToCorrect: the file has all failed rows, and the
// button says how many of them still need a correction.
func TestTaskPage_CorrectedRowsInTheirUndoTime_AreNotCountedAsToCorrect(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"A,a,no,Acme\nB,b,no,Acme\nC,c,12.50 EUR,Acme\n", "")
	l.split()
	tells(t, l.page("/tasks/"+id), "3 rows to correct, Excel")
	l.review(id, "repair", `{"ids":["`+id+`.3"],"patch":{"set":{"Price":"12.50"}}}`).says("done", 1)
	tells(t, l.page("/tasks/"+id), "Excel with 3 rows, 2 of them still to correct")
	if got := strings.Count(l.look("/api/v1/tasks/"+id+"/result?only=failed&format=csv").body, "Acme"); got != 3 {
		t.Errorf("the file has %d rows", got)
	}
}

// TestTrail_OneRowOfAnActIsUndone_OtherRowsCanBe: the history still offers the undo of the act.
func TestTrail_OneRowOfAnActIsUndone_OtherRowsCanBe(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Admin)
	ann := l.as(secret)
	id := ann.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 3), "")
	l.split()
	ann.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"x"}}}`).says("done", 3)
	act := ann.look("/tasks/"+id, "Accept", htmlType).act()
	row := ann.look("/api/v1/events/" + id + ".3").object()
	ann.submits("/tasks/"+id+"/rows/3", "act", "undo", "version", fmt.Sprint(row["version"])).is(http.StatusOK)
	if now := ann.look("/tasks/"+id, "Accept", htmlType).act(); act == "" || now != act {
		t.Errorf("the history offers the undo of %q, before of %q", now, act)
	}
}
