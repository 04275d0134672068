package web_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// refusedBrands creates a task. The handler did not know the brands of its rows, and the price of a
// further row is no number.
func refusedBrands(l *lab, rows int) (id string) {
	l.t.Helper()
	id = l.accepted("p.csv", heads+strings.Repeat("S,a,1,Acne\n", rows)+"T,b,12.50 EUR,Acme\n", "")
	l.split()
	var seqs []int64
	for n := range rows {
		seqs = append(seqs, int64(n+1))
	}
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Value: "Acne", Message: "no"}, seqs...)
	return id
}

var actIn = regexp.MustCompile(`name="act_id" value="([^"]+)"`)

// TestFix_OneCause_TwoActionsForAllItsRows: the card suggests the value, and one act corrects all
// rows. The link in the message undoes exactly this act. The rows run ten seconds later, or at
// once.
func TestFix_OneCause_TwoActionsForAllItsRows(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, address string) {
		l := newLabOn(t, address)
		id := refusedBrands(l, 3)
		path := "/tasks/" + id
		page := l.look(path, "Accept", htmlType).body
		tells(t, page, "4 rows need a correction, for 2 causes.", "Brand : Not known 3 rows", "Acne 3 rows",
			"One letter differs from a known value.", "Fix and run 3 rows", "12.50 EUR 1 row", "Without currency and unit.")
		if !strings.Contains(page, `name="to" value="Acme"`) || !strings.Contains(page, `name="to" value="12.50"`) {
			t.Error("the suggestions are not in their fields")
		}
		if !strings.Contains(page, `data-single="Fix and run 1 row"`) {
			t.Error("the words of the button for one row are not there as they are")
		}
		fix := []string{"code", "BRAND_UNKNOWN", "column", "Brand", "from", "Acne", "to", "Acme"}

		// The link in the message undoes this act.
		page = l.submits(path+"/fix", fix...).body
		tells(t, page, "Brand: “Acne” becomes “Acme” in 3 rows.", "The run starts in 10 s.", "Undo", "Run now",
			"1 row needs a correction, for 1 cause.", "1 to correct", "3 ready to run", "What was done", "3 rows:", "Brand Acne → Acme")
		act := actIn.FindStringSubmatch(page)[1]
		l.pass(time.Second)
		undone := l.submits(path+"/repair", "act", "undo", "act_id", act, "go", "1", "back", "task").body
		tells(t, undone, "3 rows have their previous values again.", "4 rows need a correction", "Acne 3 rows",
			"3 rows undone", "3 rows:", "Brand Acne → Acme")
		runner := operate.NewRunner(l.opt.Tasks, l.opt.Events, l.opt.Kinds, operate.RunnerOptions{Now: l.opt.Now})
		l.pass(time.Minute)
		fine(t, runner.RunDue(t.Context()))
		l.look("/api/v1"+path).says("counts.failed", 4)

		// Without an undo the rows run by themselves, but not before their time.
		tells(t, l.submits(path+"/fix", fix...).body, "The run starts in 10 s.")
		fine(t, runner.RunDue(t.Context()))
		l.look("/api/v1"+path).says("counts.failed", 4)
		l.pass(11 * time.Second)
		fine(t, runner.RunDue(t.Context()))
		fine(t, runner.RunDue(t.Context()))
		l.look("/api/v1"+path).says("counts.failed", 1, "counts.enqueue", 3)
		l.look("/api/v1/events/"+id+".2").says("params.Brand", "Acme", "status", "enqueue")

		// A second press, from an old page, says that it changed nothing.
		again := l.submits(path+"/fix", fix...).body
		tells(t, again, "No row has this error any more. Nothing was changed.")
		if !strings.Contains(again, `class="msg warn"`) {
			t.Error("a correction of no row is reported as a success")
		}

		// A new value that breaks a rule of its column changes nothing.
		refused := l.call("POST", path+"/fix", url.Values{"code": {"INVALID_NUMBER"}, "column": {"Price"}, "from": {"12.50 EUR"}, "to": {"abc"}}.Encode(),
			"Content-Type", formType, "Accept", htmlType)
		refused.is(422)
		wrong := string(refused.body)
		tells(t, wrong, "Price: “abc” cannot be used. Nothing was changed.", "12.50 EUR 1 row", `Price: "abc" is not a number`)
		if !strings.Contains(wrong, `class="msg warn"`) || !strings.Contains(wrong, `value="abc"`) || !strings.Contains(wrong, `data-href="`+path+`"`) {
			t.Errorf("a refused correction is reported as a success, or what was typed is lost:\n%s", wrong)
		}

		// A value without a new one stays. A form without any new value is refused.
		r := l.call("POST", path+"/fix", "code=INVALID_NUMBER&column=Price&from=12.50+EUR&to=", "Content-Type", formType, "Accept", htmlType)
		r.is(422)

		// The next task suggests the earlier replacement, and its rows may run at once.
		next := refusedBrands(l, 2)
		tells(t, l.look("/tasks/"+next, "Accept", htmlType).body, "You replaced it like this before:")
		page = l.submits("/tasks/"+next+"/fix", fix...).body
		page = l.submits("/tasks/"+next+"/fix", "act", "run", "act_id", actIn.FindStringSubmatch(page)[1]).body
		tells(t, page, "2 rows run again.")

		// Rows of a canceled task are not corrected, and its corrected rows do not run.
		gone := refusedBrands(l, 2)
		l.submits("/tasks/"+gone+"/fix", fix...)
		tells(t, l.look("/tasks/"+gone, "Accept", htmlType).body, "Run 2 ready rows")
		fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET status = 'canceled' WHERE id = ?", gone).Error)
		if page := words(l.look("/tasks/"+gone, "Accept", htmlType).body); strings.Contains(page, "Run 2 ready rows") {
			t.Errorf("rows of a canceled task can be run:\n%s", page)
		}
		l.call("POST", "/tasks/"+gone+"/fix", url.Values{"code": {"BRAND_UNKNOWN"}, "column": {"Brand"}, "from": {"Acne"}, "to": {"Acme"}}.Encode(),
			"Content-Type", formType, "Accept", htmlType).is(409)
		l.look("/api/v1/tasks/"+next).says("counts.failed", 1, "counts.enqueue", 2)
	})
}

// TestFix_LeaveOutOneValue_OtherRowsStay: the card of a cause skips the rows with one of its
// values, which may be empty. The undo in the message restores exactly these rows.
func TestFix_LeaveOutOneValue_OtherRowsStay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S,a,1,Acne\nT,a,1, Acne \nU,a,1,Starck\nV,a,1,\n", "")
	l.split()
	for seq, brand := range []string{"Acne", "Acne", "Starck", ""} {
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Value: brand, Message: "no"}, int64(seq+1))
	}
	path := "/tasks/" + id
	tells(t, l.look(path, "Accept", htmlType).body, "Leave out 4 rows", "Leave out 2 rows with “Acne”", "Leave out 1 row with “Starck”", "Leave out 1 row without a value")
	skip := []string{"rows", "all", "act", "skip", "go", "1", "back", "task", "code", "BRAND_UNKNOWN", "column", "Brand", "resolution", "open", "only"}
	page := l.submits(path+"/repair", append(skip, "Acne")...).body
	tells(t, page, "2 rows were left out.", "2 rows need a correction")
	l.look("/api/v1/events/"+id+".2").says("resolution.state", "skipped")
	l.look("/api/v1/events/"+id+".3").says("resolution.state", "open")
	tells(t, l.submits(path+"/repair", append(skip, "")...).body, "1 row was left out.", "1 row needs a correction")
	tells(t, l.look(path, "Accept", htmlType).body, "Leave out 1 row")
	act := actIn.FindStringSubmatch(page)[1]
	tells(t, l.submits(path+"/repair", "act", "undo", "act_id", act, "go", "1", "back", "task").body, "3 rows need a correction")
	l.call("POST", path+"/repair", url.Values{"rows": {"all"}, "act": {"skip"}, "go": {"1"}, "only": {"x"}}.Encode(),
		"Content-Type", formType, "Accept", htmlType).is(422)
}

// TestFix_RowCorrectedByHand_KeepsItsValue: an act on a cause omits corrected rows.
func TestFix_RowCorrectedByHand_KeepsItsValue(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := refusedBrands(l, 3)
	version := l.look("/api/v1/events/" + id + ".1").object()["version"]
	l.patch(id+".1", fmt.Sprintf(`"%v"`, version), `{"params":{"Brand":"Stark"}}`).is(200)
	path := "/tasks/" + id
	tells(t, l.look(path, "Accept", htmlType).body, "Acne 2 rows", "Fix and run 2 rows")
	l.submits(path+"/fix", "code", "BRAND_UNKNOWN", "column", "Brand", "from", "Acne", "to", "Acme")
	l.look("/api/v1/events/"+id+".1").says("params.Brand", "Stark")
	l.look("/api/v1/events/"+id+".2").says("params.Brand", "Acme")

	// A bulk act from the grid also leaves corrected rows out, unless the box is ticked.
	set := []string{"rows", "all", "act", "set", "of", "Brand", "value", "Globex"}
	tells(t, l.submits(path+"/repair", set...).body, "in 1 row?")
	tells(t, l.submits(path+"/repair", append(set, "fixed", "1")...).body, "in 4 rows?")

	// The question says why it is about fewer rows than are selected.
	two := []string{"id", id + ".1", "id", id + ".4", "act", "set", "of", "Name", "value", "c"}
	tells(t, l.submits(path+"/repair", two...).body, "in 1 row?",
		"1 of the selected rows needs no correction and stays unchanged.", "tick “Also change corrected rows”")
}

// TestTaskPage_CorrectedRowsWait_ButtonRunsThem corrects a row without running it.
func TestTaskPage_CorrectedRowsWait_ButtonRunsThem(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, ledgers.SQLite(t))
	id := refusedBrands(l, 2)
	path := "/tasks/" + id
	if page := l.look(path, "Accept", htmlType).body; strings.Contains(page, `value="resubmit"`) {
		t.Error("there is a button for corrected rows, and no such row")
	}
	l.patch(id+".1", `"2"`, `{"params":{"Brand":"Acme"}}`).is(200)
	tells(t, l.look(path, "Accept", htmlType).body, "Run 1 ready row", "Open 2 rows in the grid")
	run := []string{"rows", "all", "resolution", "fixed", "go", "1", "back", "task", "act", "resubmit"}
	tells(t, l.submits(path+"/repair", run...).body, "1 row runs again.")
	l.look("/api/v1"+path).says("counts.enqueue", 1, "counts.failed", 2)

	again := l.call("GET", path+"/corrections", "", "Accept", htmlType)
	if again.is(303); again.header.Get("Location") != path {
		t.Errorf("the address of the form leads to %q", again.header.Get("Location"))
	}
}

// TestFix_RowHasAnotherFault_MessageSaysSo: such a row does not run.
func TestFix_RowHasAnotherFault_MessageSaysSo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S,,1,Acme\nT,,12.50 EUR,Acme\nU,,12.50 EUR,Acme\n", "")
	l.split()
	page := l.submits("/tasks/"+id+"/fix", "code", "REQUIRED", "column", "Name", "from", "", "to", "x").body
	tells(t, page, "Name: “” becomes “x” in 3 rows. 2 of these rows have another error.", "1 ready to run")
	page = l.submits("/tasks/"+id+"/fix", "act", "run", "act_id", actIn.FindStringSubmatch(page)[1]).body
	tells(t, page, "1 row runs again.")
	page = l.submits("/tasks/"+id+"/fix", "code", "INVALID_NUMBER", "column", "Price", "from", "12.50 EUR", "to", "12.50").body
	tells(t, page, "Price: “12.50 EUR” becomes “12.50” in 2 rows.")
	if strings.Contains(words(page), "another error") {
		t.Errorf("rows without another error have one:\n%s", words(page))
	}
}

// TestFix_AllRowsHaveAnotherFault_NoRunIsAnnounced checks the message after the fix, and after the time at which
// its rows would have run.
func TestFix_AllRowsHaveAnotherFault_NoRunIsAnnounced(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"T,,12.50 EUR,Acme\nU,,12.50 EUR,Acme\n", "")
	l.split()
	form := url.Values{"code": {"REQUIRED"}, "column": {"Name"}, "from": {""}, "to": {"x"}}
	page := l.call("POST", "/tasks/"+id+"/fix", form.Encode(), "Content-Type", formType, "Accept", htmlType).header.Get("Location")
	runner := operate.NewRunner(l.opt.Tasks, l.opt.Events, l.opt.Kinds, operate.RunnerOptions{Now: l.opt.Now})
	for _, when := range []string{"after the fix", "after the time of its run"} {
		shown := l.page(page)
		tells(t, shown, "Name: “” becomes “x” in 2 rows. 2 of these rows have another error.", "Undo")
		for _, not := range []string{"The run starts", "Run now", "run again", "runs again"} {
			if strings.Contains(words(shown), not) {
				t.Errorf("%s, the page says %q:\n%s", when, not, words(shown))
			}
		}
		l.pass(time.Minute)
		fine(t, runner.RunDue(t.Context()))
	}
}
