package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// undoes undoes the act of a response, and returns the id of the undo.
func (l *lab) undoes(id string, act reply, done int) string {
	l.t.Helper()
	l.pass(1000)
	body := fmt.Sprintf(`{"act_id":%q}`, act.object()["act_id"])
	r := l.review(id, "undo", body)
	r.is(http.StatusOK)
	answer := r.says("act", "undo", "done", done)
	name, _ := answer["act_id"].(string)
	return name
}

// TestUndo_RowsOfEveryState_StandAsBefore: an undo restores resolution, cause, note, and cells without a heading.
func TestUndo_RowsOfEveryState_StandAsBefore(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"S1,a,no,Acme\nS2,b,1,Acma\nS3,c,1,Acme,more\nS4,d,no,Acme\n", "")
		l.split()
		l.move(id, events.Failed, &events.Failure{Code: "NOT_SOLD", Message: "not sold any more"}, 2)
		l.pass(1000)
		l.patch(id+".1", `"1"`, `{"resolution":"skipped","note":"not ours"}`).is(http.StatusOK)
		was := map[int]reply{}
		for n := 1; n <= 4; n++ {
			was[n] = l.look(fmt.Sprintf("/api/v1/events/%s.%d", id, n))
		}
		groups := l.look("/api/v1/tasks/" + id + "/error-groups").body
		same := func(when string) {
			t.Helper()
			for n := 1; n <= 4; n++ {
				o, now := was[n].object(), l.look(fmt.Sprintf("/api/v1/events/%s.%d", id, n)).object()
				for _, name := range []string{"status", "params", "resolution", "code", "column", "value", "message", "fields"} {
					if fmt.Sprint(now[name]) != fmt.Sprint(o[name]) {
						t.Errorf("%s: %s of row %d is %v, was %v", when, name, n, now[name], o[name])
					}
				}
			}
			if now := l.look("/api/v1/tasks/" + id + "/error-groups").body; now != groups {
				t.Errorf("%s: groups are %s, were %s", when, now, groups)
			}
		}
		l.pass(1000)

		ids := fmt.Sprintf(`"ids":["%s.1","%s.2","%s.3","%s.4"]`, id, id, id, id)
		edit := l.review(id, "repair", `{`+ids+`,"patch":{"set":{"Price":"2","Brand":"Beta"}}}`)
		edit.says("done", 4)
		redo := l.undoes(id, edit, 4)
		same("an edit")

		clear := l.review(id, "repair", fmt.Sprintf(`{"ids":["%s.3"],"patch":{"set":{"column 5":null}}}`, id))
		clear.says("changed", 1, "still_invalid", 0)
		l.undoes(id, clear, 1)
		same("a cell that no heading names")

		l.undoes(id, l.review(id, "skip", `{"filter":{},"note":"later"}`), 3)
		same("a skip")
		l.undoes(id, l.review(id, "skip", `{"filter":{},"state":"open"}`), 1)
		same("a skip that was opened")

		patched := l.patch(id+".2", `"`+fmt.Sprint(l.look("/api/v1/events/" + id + ".2").object()["version"])+`"`, `{"params":{"Brand":"Beta"}}`)
		patched.is(http.StatusOK)
		list, _ := l.look("/api/v1/tasks/" + id + "/audit").items()
		l.pass(1000)
		l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, list[0]["act_id"])).says("done", 1)
		same("an edit of one row")

		// Every act can be undone, also an undo. Rows that have changed since then stay.
		l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, redo)).says("done", 3, "conflicts", 1)
		l.review(id, "undo", `{"act_id":"none"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
		_, secret := l.member("default", access.Admin)
		l.as(secret).review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, redo)).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	})
}

// TestUndo_BreaksOff_IsFinishedFromThePageAndIsOneAct: the page offers the act whose undo failed in
// the middle.
func TestUndo_BreaksOff_IsFinishedFromThePageAndIsOneAct(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 1004), "")
	l.split()
	l.pass(1000)
	edit := l.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"2"}}}`)
	name := edit.says("done", 1004)["act_id"]
	l.pass(1000)
	l.exec(`CREATE TRIGGER faulty BEFORE UPDATE ON rollcall.events WHEN OLD.row = 3 BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, name)).is(http.StatusInternalServerError)
	l.exec("DROP TRIGGER faulty")

	path := "/tasks/" + id + "/repair"
	if act := l.look(path, "Accept", htmlType).act(); act != name {
		t.Fatalf("the page offers %q, want %q", act, name)
	}
	tells(t, l.submits(path, "act", "undo", "act_id", fmt.Sprint(name), "go", "1").body, "4 rows have their previous values again.")
	l.look("/api/v1/events/"+id+".1").says("params.Price", "no", "resolution.state", "open")
	if act := l.look(path, "Accept", htmlType).act(); act != "" {
		t.Errorf("after an undo, the page offers the undo of %q", act)
	}
	var undo decisions.Act
	fine(t, l.db.Read.Table("rollcall.review_acts").Where("undoes = ?", name).Take(&undo).Error)
	l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, undo.ID)).says("done", 1004, "conflicts", 0)
	l.look("/api/v1/events/"+id+".1004").says("params.Price", "2", "resolution.state", "fixed")
}

// TestUndo_TwiceAtOnce_IsOneAct sends two undos of an act on many rows in parallel.
func TestUndo_TwiceAtOnce_IsOneAct(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		const rows = 3000
		id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", rows), "")
		l.split()
		l.pass(1000)
		name := l.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"2"}}}`).says("done", rows)["act_id"]
		l.pass(1000)
		var wg sync.WaitGroup
		var answers [2]reply
		for i := range answers {
			wg.Go(func() { answers[i] = l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, name)) })
		}
		wg.Wait()
		done := 0.0
		if a, b := answers[0].object()["act_id"], answers[1].object()["act_id"]; a == nil || a != b {
			t.Errorf("the undos are %v and %v, want one act", a, b)
		}
		for _, r := range answers {
			r.is(http.StatusOK)
			n, _ := r.object()["done"].(float64)
			done += n
		}
		var undos []decisions.Act
		fine(t, l.db.Read.Table("rollcall.review_acts").Where("undoes = ?", name).Find(&undos).Error)
		if len(undos) != 1 || undos[0].Rows != rows || done != rows {
			t.Errorf("%v rows were restored by %+v", done, undos)
		}
		l.review(id, "undo", fmt.Sprintf(`{"act_id":%q}`, undos[0].ID)).says("done", rows)
	})
}
