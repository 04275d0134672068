package events_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestAppend_FewerRowsThanTheHolderKnows_LosesTheClaim: a splitter that continues while the ledger
// is set back omits no rows.
func TestAppend_FewerRowsThanTheHolderKnows_LosesTheClaim(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		ts, es := tasks.New(db, tasks.Options{}), events.New(db, events.Options{})
		task := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
			Source: tasks.Source{FileID: "f"},
		}
		if err := ts.Create(t.Context(), task, time.Hour); err != nil {
			t.Fatal(err)
		}
		_, claim, err := ts.Picker(tasks.Reading, []string{"k"}, 1).Next(t.Context(), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		chunk := events.Chunk{Num: task.Num, Claim: int64(claim), TTL: time.Minute, Rows: []events.Draft{good(2)}}
		for chunk.After = range int64(3) {
			if n, err := es.Append(t.Context(), chunk); err != nil || n != chunk.After+1 {
				t.Errorf("Append behind %d rows: %d, %v", chunk.After, n, err)
			}
		}
		chunk.After = 5
		if n, err := es.Append(t.Context(), chunk); !errors.Is(err, events.ErrClaimLost) {
			t.Errorf("Append behind 3 rows of 5: %d, %v", n, err)
		}
		if got, err := ts.Get(t.Context(), "acme", task.ID); err != nil || got.Total != 3 {
			t.Errorf("%d rows, %v", got.Total, err)
		}
	})
}

// TestGroupTx_LedgerSetBack_CommitsNothing sets the ledger back, and then has the store notice it.
func TestGroupTx_LedgerSetBack_CommitsNothing(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), good(3))
		es := events.New(db, events.Options{})
		es.Witness().Renew("one mark", false)
		if _, err := es.Record(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		do(t, db, "CREATE TABLE effects (seq bigint)")
		finish := func(seq, timeline int64) error {
			g, err := es.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.Exec(t.Context(), "INSERT INTO effects VALUES (@seq)", ledger.Args{"seq": seq}); err != nil {
				t.Fatal(err)
			}
			_, err = g.Record(t.Context(), timeline, finished(task.Num, seq))
			return err
		}
		before := es.Point().Timeline
		if err := finish(1, before); err != nil {
			t.Errorf("before: %v", err)
		}
		do(t, db, "DELETE FROM rollcall.ledger WHERE name LIKE 'witness:%'")
		if err := finish(2, before); !errors.Is(err, events.ErrSetBack) {
			t.Errorf("set back: %v", err)
		}
		es.Witness().Renew("another mark", false)
		if err := finish(2, before); !errors.Is(err, events.ErrSetBack) {
			t.Errorf("of the timeline before: %v", err)
		}
		if got := effects(t, db); got != 1 {
			t.Errorf("%d effects, want 1", got)
		}
		if err := finish(2, es.Point().Timeline); err != nil {
			t.Errorf("of this timeline: %v", err)
		}
	})
}

// TestGroupTx_JobThatHasEnded_CommitsNothing: the effects of the other jobs are not committed
// either, because the caller runs the group again without this job.
func TestGroupTx_JobThatHasEnded_CommitsNothing(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), good(3))
		es := events.New(db, events.Options{})
		do(t, db, "CREATE TABLE effects (seq bigint)")
		if _, err := es.Record(t.Context(), finished(task.Num, 2)); err != nil {
			t.Fatal(err)
		}
		g, err := es.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Exec(t.Context(), "INSERT INTO effects VALUES (1)", nil); err != nil {
			t.Fatal(err)
		}
		made, err := g.Record(t.Context(), es.Point().Timeline, append(finished(task.Num, 1), finished(task.Num, 2)...))
		if err != nil || len(made) != 2 || !made[0] || made[1] {
			t.Errorf("made %v, %v; want the second refused", made, err)
		}
		if n := effects(t, db); n != 0 {
			t.Errorf("%d effects, want none", n)
		}
		if now, err := es.Get(t.Context(), events.NewID(task.Num, 1)); err != nil || now.Status != events.Enqueue {
			t.Errorf("the neighbor is %+v, %v", now, err)
		}
	})
}

// TestRecord_NumberOfAnotherTask_MakesNoMove ends the job of a task that the ledger lost, and whose
// number another task has.
func TestRecord_NumberOfAnotherTask_MakesNoMove(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		one, other := split(t, db, true, good(2), good(3)), split(t, db, true, good(2))
		record := func(ids ...string) error {
			moves := append(finished(one.Num, 1), finished(one.Num, 2)...)
			moves = append(moves, finished(other.Num, 1)...)
			for i := range moves {
				moves[i].TaskID = ids[i]
			}
			_, err := es.Record(t.Context(), moves)
			return err
		}
		for _, ids := range [][]string{
			{"lost", "lost", other.ID}, {one.ID, "lost", other.ID}, {one.ID, one.ID, "lost"}, {"", "lost", ""},
		} {
			if err := record(ids...); !errors.Is(err, events.ErrSetBack) {
				t.Errorf("moves of %v: %v", ids, err)
			}
		}
		if now := refresh(t, db, one); now.Enqueue != 2 {
			t.Errorf("%d rows wait, want 2", now.Enqueue)
		}
		if err := record(one.ID, "", other.ID); err != nil {
			t.Error(err)
		}
		if now := refresh(t, db, one); now.Finish != 2 {
			t.Errorf("%d rows finished, want 2", now.Finish)
		}
	})
}

func refresh(t *testing.T, db *ledger.DB, task *tasks.Task) *tasks.Task {
	t.Helper()
	now, err := tasks.New(db, tasks.Options{}).Get(t.Context(), task.Tenant, task.ID)
	if err != nil {
		t.Fatal(err)
	}
	return now
}

func finished(num, seq int64) []events.Move {
	return []events.Move{{
		ID: events.NewID(num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1, StartedAt: 1, FinishedAt: 2,
	}}
}

func do(t *testing.T, db *ledger.DB, text string) {
	t.Helper()
	if err := db.Write.Exec(text).Error; err != nil {
		t.Fatal(err)
	}
}

func effects(t *testing.T, db *ledger.DB) (n int) {
	t.Helper()
	if err := db.Read.Raw("SELECT count(*) FROM effects").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}
