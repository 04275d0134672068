package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// patchIn edits a row under an Act-Group, with the version that the row has now.
func (l *lab) patchIn(group, id, body string) reply {
	l.t.Helper()
	version := fmt.Sprintf("%q", fmt.Sprint(l.look("/api/v1/events/" + id).object()["version"]))
	return l.call(http.MethodPatch, "/api/v1/events/"+id, body, "Content-Type", jsonType, "If-Match", version, "Act-Group", group)
}

// pastes edits the rows from `first` to `last` of a task under an Act-Group, and returns the id of the act.
func (l *lab) pastes(group, id string, first, last int, price string) (act string) {
	l.t.Helper()
	for n := first; n <= last; n++ {
		r := l.patchIn(group, fmt.Sprintf("%s.%d", id, n), `{"params":{"Price":"`+price+`"}}`)
		r.is(http.StatusOK)
		if now := r.header.Get("Act-Id"); act != "" && now != act || now == "" {
			l.t.Fatalf("row %d is of the act %q, the rows before of %q", n, now, act)
		} else {
			act = now
		}
	}
	return act
}

func undoOf(act string) string { return fmt.Sprintf(`{"act_id":%q}`, act) }

// TestActGroup_ManyRows_AreOneActInTheHistoryAndOneUndo: the rows that others changed since are left, and counted.
func TestActGroup_ManyRows_AreOneActInTheHistoryAndOneUndo(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		_, secret := l.member("default", access.Admin)
		ann := l.as(secret)
		_, secret = l.member("default", access.Admin)
		bob := l.as(secret)
		id := ann.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 12), "")
		l.split()
		l.pass(time.Minute)
		act := ann.pastes("paste-1", id, 1, 12, "1")

		trail := ann.storyOf("/tasks/"+id, "What was done")
		tells(t, trail, "12 rows edited : 2 , 3 , 4 , 5 , 6 … 13")
		if n := strings.Count(trail, "Undo"); n != 1 || strings.Contains(trail, "Price") {
			t.Errorf("the history has %d undos:\n%s", n, trail)
		}
		if page := ann.look("/tasks/"+id+"/repair", "Accept", htmlType); page.act() != act {
			t.Errorf("the grid offers to undo %q, want %q", page.act(), act)
		}

		l.pass(time.Minute)
		bob.patch(id+".3", `"2"`, `{"params":{"Price":"7"}}`).is(http.StatusOK)
		bob.patch(id+".4", `"2"`, `{"resolution":"skipped"}`).is(http.StatusOK)
		bob.patch(id+".5", `"2"`, `{"params":{"Name":"bob"}}`).is(http.StatusOK)
		bob.review(id, "undo", undoOf(act)).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
		l.pass(time.Minute)
		ann.review(id, "undo", undoOf(act)).says("done", 10, "conflicts", 2)
		for n, want := range map[int][]any{
			1: {"params.Price", "no", "resolution.state", "open"}, 3: {"params.Price", "7", "resolution.state", "fixed"},
			4: {"params.Price", "1", "resolution.state", "skipped"}, 5: {"params.Price", "no", "params.Name", "bob"},
			12: {"params.Price", "no", "resolution.state", "open"},
		} {
			ann.look(fmt.Sprintf("/api/v1/events/%s.%d", id, n)).says(want...)
		}
		tells(t, ann.storyOf("/tasks/"+id, "What was done"), "12 rows edited : 2 , 3 , 4 , 5 , 6 … 13")

		// A change that arrives after the undo would have no undo.
		ann.patchIn("paste-1", id+".1", `{"params":{"Price":"2"}}`).refuses(http.StatusConflict, "WRONG_STATUS")
		ann.look("/api/v1/events/"+id+".1").says("params.Price", "no")
	})
}

// TestActGroup_SameIDElsewhere_IsAnotherAct: the same id by another user, on another task or in another tenant names
// another act.
func TestActGroup_SameIDElsewhere_IsAnotherAct(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		var tasks, acts []string
		var users []*lab
		for _, tenant := range []string{"acme", "acme", "globex"} {
			_, secret := l.member(tenant, access.Admin)
			users = append(users, l.as(secret))
		}
		for _, by := range []*lab{users[0], users[0], users[2]} {
			tasks = append(tasks, by.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 4), ""))
		}
		l.split()
		for i, by := range []*lab{users[0], users[1], users[0], users[2]} {
			task := tasks[max(i-1, 0)]
			acts = append(acts, by.pastes("same", task, 1+2*(i%2), 2+2*(i%2), "1"))
		}
		for i, act := range acts {
			if n := strings.Count(strings.Join(acts, " "), act); n != 1 {
				t.Errorf("%d acts have the id %s of act %d", n, act, i)
			}
		}
		for _, strange := range []struct {
			by   *lab
			task string
		}{{users[1], tasks[0]}, {users[0], tasks[1]}, {users[2], tasks[2]}} {
			strange.by.review(strange.task, "undo", undoOf(acts[0])).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
		}
		users[0].review(tasks[0], "undo", undoOf(acts[0])).says("done", 2, "conflicts", 0)
		for task, seqs := range map[string][]int{tasks[0]: {3, 4}, tasks[1]: {1, 2}, tasks[2]: {3, 4}} {
			by := users[0]
			if task == tasks[2] {
				by = users[2]
			}
			for _, n := range seqs {
				by.look(fmt.Sprintf("/api/v1/events/%s.%d", task, n)).says("params.Price", "1")
			}
		}
	})
}

// TestActGroup_TwoPagesAtOnce_AreTwoActs sends the rows of two pastes in parallel, each row on its own.
func TestActGroup_TwoPagesAtOnce_AreTwoActs(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		const each = 20
		id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 2*each), "")
		l.split()
		var wg sync.WaitGroup
		answers := make([]reply, 2*each)
		for i := range answers {
			wg.Go(func() {
				answers[i] = l.call(http.MethodPatch, fmt.Sprintf("/api/v1/events/%s.%d", id, i+1), `{"params":{"Price":"1"}}`,
					"Content-Type", jsonType, "If-Match", `"1"`, "Act-Group", fmt.Sprint("page-", i%2))
			})
		}
		wg.Wait()
		for i, r := range answers {
			if r.is(http.StatusOK); r.header.Get("Act-Id") != answers[i%2].header.Get("Act-Id") {
				t.Errorf("row %d is of the act %s", i+1, r.header.Get("Act-Id"))
			}
		}
		var acts []decisions.Act
		fine(t, l.db.Read.Table("rollcall.review_acts").Find(&acts).Error)
		if len(acts) != 2 || acts[0].Rows != each || acts[1].Rows != each {
			t.Fatalf("the acts are %+v", acts)
		}
		l.review(id, "undo", undoOf(answers[0].header.Get("Act-Id"))).says("done", each, "conflicts", 0)
		l.look("/api/v1/events/"+id+".1").says("params.Price", "no")
		l.look("/api/v1/events/"+id+".2").says("params.Price", "1")
	})
}

// TestActGroup_RowChangedTwice_IsOneRowOfTheAct: an undo restores the state before the first change. If another user
// changed the row in between, it restores the state that this user left.
func TestActGroup_RowChangedTwice_IsOneRowOfTheAct(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acma\n", 2), "")
		l.split()
		act := l.pastes("g", id, 1, 2, "1")
		l.patch(id+".2", `"2"`, `{"params":{"Name":"bob","Price":"5"}}`).is(http.StatusOK)
		for _, n := range []string{".1", ".2"} {
			l.patchIn("g", id+n, `{"params":{"Price":"2","Brand":"Acme"}}`).is(http.StatusOK)
		}
		tells(t, l.storyOf("/tasks/"+id, "What was done"), "2 rows edited : 2 , 3")
		l.pass(time.Minute)
		l.review(id, "undo", undoOf(act)).says("done", 2, "conflicts", 0)
		l.look("/api/v1/events/"+id+".1").says("params.Price", "no", "params.Brand", "Acma", "resolution.state", "open", "code", "INVALID_NUMBER")
		l.look("/api/v1/events/"+id+".2").says("params.Price", "5", "params.Brand", "Acma", "params.Name", "bob")
	})
}

// TestActGroup_RowUndoneAlone_ChangesAgain_CountsOnce: the page of a row undoes only this row of the act.
func TestActGroup_RowUndoneAlone_ChangesAgain_CountsOnce(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 3), "")
		l.split()
		act := l.pastes("g", id, 1, 3, "1")
		l.pass(time.Minute)
		l.submits("/tasks/"+id+"/rows/2", "act", "undo", "version", "2").is(http.StatusOK)
		l.look("/api/v1/events/"+id+".2").says("params.Price", "no")
		l.look("/api/v1/events/"+id+".1").says("params.Price", "1")
		tells(t, l.page("/tasks/"+id+"/repair"), "Undo last bulk edit (2 rows)")
		l.patchIn("g", id+".2", `{"params":{"Price":"3"}}`).is(http.StatusOK)
		tells(t, l.page("/tasks/"+id+"/repair"), "Undo last bulk edit (3 rows)")
		l.pass(time.Minute)
		l.review(id, "undo", undoOf(act)).says("done", 3, "conflicts", 0)
		l.look("/api/v1/events/"+id+".2").says("params.Price", "no")
	})
}

// TestActGroup_RowsAreLeftOut_HistoryAndMessageSayIt: a group can also hold decisions without an edit.
func TestActGroup_RowsAreLeftOut_HistoryAndMessageSayIt(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 3), "")
	l.split()
	for _, n := range []string{".1", ".3"} {
		l.patchIn("g", id+n, `{"resolution":"skipped","note":"old"}`).is(http.StatusOK)
	}
	tells(t, l.storyOf("/tasks/"+id, "What was done"), "2 rows left out : 2 , 4 : old")
	act := l.look("/tasks/"+id+"/repair", "Accept", htmlType).act()
	tells(t, l.submits("/tasks/"+id+"/repair", "act", "undo", "act_id", act, "go", "1").body, "2 rows are no longer left out")
}

// TestActGroup_ManyDecisions_OlderActsStayInTheHistory: each decision has its own entry in the audit log.
func TestActGroup_ManyDecisions_OlderActsStayInTheHistory(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 15), "")
		l.split()
		for n := 1; n <= 15; n++ {
			l.pass(time.Second)
			l.patchIn("g", fmt.Sprintf("%s.%d", id, n), `{"resolution":"skipped"}`).is(http.StatusOK)
		}
		tells(t, l.storyOf("/tasks/"+id, "What was done"), "15 rows left out : 2 , 3 , 4 , 5 , 6 … 16", "Uploaded")
	})
}

// TestActGroup_NotAnID_IsRefused: a refused request changes nothing. Without the header, each row is an act of its own.
func TestActGroup_NotAnID_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+strings.Repeat("S,a,no,Acme\n", 2), "")
	l.split()
	const body = `{"params":{"Price":"1"}}`
	for _, bad := range []string{"", " ", "a b", "a,b", "a/b", "ä", strings.Repeat("a", 65)} {
		r := l.patchIn(bad, id+".1", body)
		r.refuses(http.StatusBadRequest, "INVALID_PARAMETER")
		tells(t, r.body, "Act-Group")
	}
	l.look("/api/v1/events/"+id+".1").says("version", 1)
	l.patchIn("0_-"+strings.Repeat("Z", 61), id+".1", body).is(http.StatusOK)

	one, two := l.patch(id+".1", `"2"`, `{"params":{"Price":"2"}}`), l.patch(id+".2", `"1"`, body)
	if a, b := one.header.Get("Act-Id"), two.header.Get("Act-Id"); a == "" || a == b {
		t.Errorf("rows without a group are of the acts %q and %q", a, b)
	}
}
