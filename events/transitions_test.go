package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var statuses = []events.Status{
	events.Enqueue, events.Working, events.Finish, events.Failed, events.Error, events.Canceled,
}

// TestLegalMoves contains the state machine a second time, written independently: by how much the
// attempt may change with a status.
func TestLegalMoves(t *testing.T) {
	t.Parallel()
	allowed := map[[2]events.Status][]int{
		{events.Enqueue, events.Enqueue}:  {1},
		{events.Enqueue, events.Working}:  {1},
		{events.Enqueue, events.Finish}:   {0, 1},
		{events.Enqueue, events.Failed}:   {0, 1},
		{events.Enqueue, events.Error}:    {0, 1},
		{events.Enqueue, events.Canceled}: {0},
		{events.Working, events.Working}:  {1},
		{events.Working, events.Finish}:   {0},
		{events.Working, events.Failed}:   {0},
		{events.Working, events.Error}:    {0},
		{events.Working, events.Enqueue}:  {-1, 0},
		{events.Failed, events.Enqueue}:   {0},
		{events.Error, events.Enqueue}:    {0},
		{events.Finish, events.Enqueue}:   {0},
	}
	for _, m := range allMoves(1) {
		want := false
		for _, by := range allowed[[2]events.Status{m.From, m.To}] {
			want = want || by == m.Attempt-m.FromAttempt
		}
		if m.Legal() != want {
			t.Errorf("%s %d to %s %d: legal = %v", m.From, m.FromAttempt, m.To, m.Attempt, !want)
		}
	}
}

// allMoves returns the moves of one event between all statuses, from attempt 2.
func allMoves(id events.ID) (out []events.Move) {
	for _, from := range statuses {
		for _, to := range statuses {
			for by := -2; by <= 2; by++ {
				out = append(out, events.Move{ID: id, From: from, FromAttempt: 2, To: to, Attempt: 2 + by})
			}
		}
	}
	return out
}

// TestIllegalMovesSlipThroughNowhere passes moves to the statements themselves. An illegal move
// changes and counts nothing.
func TestIllegalMovesSlipThroughNowhere(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rows := make([]events.Draft, 20) // enough for the statement of plain moves
		for i := range rows {
			rows[i] = good(i + 2)
		}
		task := split(t, db, true, rows...)
		es, at := events.New(db, events.Options{}), events.Status("")
		for _, m := range allMoves(0) {
			if m.Legal() {
				continue
			}
			if m.From != at { // no move before this one has changed a row
				stand(t, db, m.From)
				at = m.From
			}
			for _, n := range []int{3, len(rows)} {
				if made, err := es.Slip(t.Context(), many(task.Num, m, n)...); err != nil || made != 0 {
					t.Fatalf("%s %d to %s %d: %d made, %v", m.From, m.FromAttempt, m.To, m.Attempt, made, err)
				}
			}
			audit(t, db, task.Num)
		}
	})
}

func many(num int64, m events.Move, n int) []events.Move {
	out := make([]events.Move, n)
	for i := range out {
		out[i] = m
		out[i].ID = events.NewID(num, int64(i+1))
	}
	return out
}

// stand sets all events of the ledger to one status, at attempt 2, and the counts with them.
func stand(t *testing.T, db *ledger.DB, s events.Status) {
	t.Helper()
	counts := "UPDATE rollcall.tasks SET retrying = 0"
	for _, other := range statuses {
		counts += ", " + string(other) + " = CASE WHEN '" + string(other) + "' = ? THEN total ELSE 0 END"
	}
	args := []any{s, s, s, s, s, s}
	if s == events.Enqueue {
		counts = "UPDATE rollcall.tasks SET retrying = total" + counts[len("UPDATE rollcall.tasks SET retrying = 0"):]
	}
	for _, err := range []error{
		db.Write.Exec("UPDATE rollcall.events SET status = ?, attempt = 2, code = CASE WHEN ? THEN 'X' END", s, s.Bad()).Error,
		db.Write.Exec(counts, args...).Error,
		db.Write.Exec("DELETE FROM rollcall.error_groups").Error,
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if s.Bad() {
		group := "INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row) SELECT num, ?, 'X', '', total, 2 FROM rollcall.tasks"
		if err := db.Write.Exec(group, s).Error; err != nil {
			t.Fatal(err)
		}
	}
}
