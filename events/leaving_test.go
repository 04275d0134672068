package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// waiting returns how many statements wait for locks.
func waiting(t *testing.T, db *ledger.DB) (n int) {
	t.Helper()
	fine(t, db.Read.Raw("SELECT count(*) FROM pg_stat_activity "+
		"WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n).Error)
	return n
}

// TestRecord_RowFailsWhileItsNextMoveIsRecorded_GroupsStayRight: one recorder moves row 20 from
// failed to enqueue, and waits for row 1 before it does so. Meanwhile another ends row 20 as
// failed. Whichever is first, the error groups match the rows.
func TestRecord_RowFailsWhileItsNextMoveIsRecorded_GroupsStayRight(t *testing.T) {
	t.Parallel()
	const last = 20
	db := open(t, ledgers.Postgres(t))
	es := events.New(db, events.Options{})
	var rows []events.Draft
	for row := range last {
		rows = append(rows, good(1+row))
	}
	task := split(t, db, true, rows...)
	again := []events.Move{{ID: events.NewID(task.Num, last), From: events.Failed, To: events.Enqueue}}
	for seq := range int64(last - 1) { // enough rows for a statement of their own, which comes first
		again = append(again, events.Move{
			ID: events.NewID(task.Num, 1+seq), From: events.Enqueue, To: events.Working, Attempt: 1,
		})
	}
	holder := db.Write.WithContext(t.Context()).Begin()
	fine(t, holder.Exec("SELECT FROM rollcall.events WHERE id = ? FOR UPDATE", events.NewID(task.Num, 1)).Error)
	ended := make(chan error, 2)
	record := func(moves ...events.Move) {
		_, err := es.Record(t.Context(), moves)
		ended <- err
	}
	go record(again...)
	fixture.Eventually(t, "the first recorder waits for row 1", func() bool { return waiting(t, db) == 1 })
	go record(events.Move{
		ID: events.NewID(task.Num, last), Row: last, From: events.Enqueue, To: events.Failed,
		Failure: &events.Failure{Code: "A"},
	})
	missed := make(chan struct{})
	go func() { fine(t, <-ended); close(missed) }()
	fixture.Eventually(t, "the other recorder waits for the row, or has ended it", func() bool {
		select {
		case <-missed:
			return true
		default:
			return waiting(t, db) == 2
		}
	})
	fine(t, holder.Rollback().Error)
	<-missed
	fine(t, <-ended)
	audit(t, db, task.Num)
}
