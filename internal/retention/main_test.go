package retention_test

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }

const day = 24 * time.Hour

// env is a service with a clock that the test moves.
type env struct {
	t *testing.T
	*fixture.Service
	now time.Time
}

// each runs a test on both databases.
func each(t *testing.T, test func(*env)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		e := &env{t: t, now: time.Now()}
		e.Service = fixture.New(t, fixture.Options{Ledger: url, Now: func() time.Time { return e.now }})
		test(e)
	})
}

func (e *env) fine(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// finish records that the rows `from` to `to` of a task have finished.
func (e *env) finish(num, from, to int64) {
	e.t.Helper()
	var moves []events.Move
	for seq := from; seq <= to; seq++ {
		moves = append(moves, events.Move{
			ID: events.NewID(num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1, FinishedAt: e.now.UnixMilli(),
		})
	}
	_, err := e.Events.Record(e.t.Context(), moves)
	e.fine(err)
}
