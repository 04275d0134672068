package operate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// part is the row type. Its price must not be negative.
type part struct {
	No    string `row:"No" key:"true" validate:"required"`
	Price int64  `row:"Price" validate:"gte=0"`
}

const kind = "parts"

// store is a task of acme whose keys must be unique. Rows 1 to 4, with the keys A to D, are in
// error, and their jobs in the morgue. Row 5, with the key E, has finished.
type store struct {
	*testing.T
	*fixture.Service
	task     *tasks.Task
	operator *operate.Operator
}

func newStore(t *testing.T, url string) *store {
	t.Helper()
	s := &store{T: t, Service: fixture.New(t, fixture.Options{Ledger: url, Kinds: fixture.Kinds(
		worker.Define(kind, func(context.Context, *worker.Job[part]) error { return nil }))})}
	s.operator = operate.New(s.Tasks, s.Events, s.Queue, s.Kinds, operate.Options{})
	s.fill("A", "B", "C", "D", "E")
	s.toMorgue()
	return s
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fill adds a row for each key and feeds them.
func (s *store) fill(keys ...string) {
	s.Helper()
	s.task = &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: kind, Type: tasks.Import, Status: tasks.Open,
		Source: tasks.Source{FileID: "f"}, Options: map[string]any{"duplicates": "error"},
	}
	fine(s, s.Tasks.Create(s.Context(), s.task, time.Hour))
	_, claim, err := s.Tasks.Picker(tasks.Reading, []string{kind}, 1).Next(s.Context(), time.Minute)
	fine(s, err)
	chunk := events.Chunk{Num: s.task.Num, Claim: int64(claim), Final: true}
	for i, key := range keys {
		params := json.RawMessage(fmt.Sprintf(`{"No":%q,"Price":"1"}`, key))
		chunk.Rows = append(chunk.Rows, events.Draft{Row: i + 2, Key: key, Params: params})
	}
	_, err = s.Events.Append(s.Context(), chunk)
	fine(s, err)
	fine(s, feed.NewFeeder(s.Tasks, s.Events, s.Queue, s.Kinds, feed.Options{}).Feed(s.Context()))
}

// toMorgue ends all rows but the last in the morgue, and finishes the last.
func (s *store) toMorgue() {
	s.Helper()
	_, err := s.Queue.Admin().Kill(s.Context(), kind, "acme/A", "acme/B", "acme/C", "acme/D")
	fine(s, err)
	_, err = s.Queue.Admin().Delete(s.Context(), kind, "acme/E")
	fine(s, err)
	var moves []events.Move
	for seq := int64(1); seq <= 5; seq++ {
		m := events.Move{
			ID: events.NewID(s.task.Num, seq), Row: int(seq) + 1, From: events.Enqueue, To: events.Finish, Attempt: 1,
			FinishedAt: time.Now().UnixMilli(),
		}
		if seq < 5 {
			m.To, m.Failure = events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "System error"}
		}
		moves = append(moves, m)
	}
	_, err = s.Events.Record(s.Context(), moves)
	fine(s, err)
}

// patch corrects a row, or skips it.
func (s *store) patch(seq int64, p review.Patch) {
	s.Helper()
	p.By = "ann"
	_, err := review.New(s.Events, s.Kinds, review.Options{}).Patch(s.Context(), s.task, s.row(seq), p)
	fine(s, err)
}

func (s *store) row(seq int64) *events.Event {
	s.Helper()
	e, err := s.Events.Get(s.Context(), events.NewID(s.task.Num, seq))
	fine(s, err)
	return e
}

// stands compares the statuses of the rows.
func (s *store) stands(want ...events.Status) {
	s.Helper()
	var got []events.Status
	for seq := range want {
		got = append(got, s.row(int64(seq)+1).Status)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("rows (-want +got):\n%s", diff)
	}
}

// tally holds the counts of a requeue.
type tally struct{ Keys, Rows, StillInvalid, Moved, Dead int }

func (s *store) requeue(o operate.Order, want tally) {
	s.Helper()
	o.Tenant, o.By, o.Queue = "acme", "ops", kind
	got, err := s.operator.Requeue(s.Context(), o)
	fine(s, err)
	st, err := s.Queue.Stats(s.Context(), kind)
	fine(s, err)
	is := tally{got.Touched, got.Rows, int(got.StillInvalid), int(got.Moved), int(st.MorgueLength)}
	if diff := cmp.Diff(want, is); diff != "" {
		s.Errorf("requeue of %v (-want +got):\n%s", o.Keys, diff)
	}
}

func text(s string) *string { return &s }

// TestRequeue_WrongRows_StayDead requeues all keys of the morgue. A row with the key of a finished row, a
// row with an invalid price, and a skipped row stay there.
func TestRequeue_WrongRows_StayDead(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		s := newStore(t, url)
		s.patch(1, review.Patch{Cells: review.Cells{"No": text("E")}})
		s.patch(2, review.Patch{Cells: review.Cells{"Price": text("-7")}})
		s.patch(3, review.Patch{Resolution: events.Skipped})
		is, gone := events.Error, events.Enqueue

		s.requeue(operate.Order{All: true, DryRun: true}, tally{Keys: 1, Rows: 1, StillInvalid: 2, Dead: 4})
		s.stands(is, is, is, is, events.Finish)
		s.requeue(operate.Order{Keys: []string{"A"}}, tally{StillInvalid: 1, Dead: 4})
		s.requeue(operate.Order{All: true}, tally{Keys: 1, Rows: 1, StillInvalid: 2, Dead: 3})
		s.stands(is, is, is, gone, events.Finish)

		s.requeue(operate.Order{Keys: []string{"C"}}, tally{Keys: 1, Rows: 1, Dead: 2})
		s.patch(1, review.Patch{Cells: review.Cells{"No": text("F")}})
		s.patch(2, review.Patch{Cells: review.Cells{"Price": text("7")}})
		s.requeue(operate.Order{All: true}, tally{Keys: 2, Rows: 2})
		s.stands(gone, gone, gone, gone, events.Finish)
	})
}

// TestRequeue_ClosedTask_StaysDead: rows of a canceled task are not restored.
func TestRequeue_ClosedTask_StaysDead(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		s := newStore(t, url)
		fine(t, s.DB.Write.Exec("UPDATE rollcall.tasks SET status = 'canceled'").Error)
		s.requeue(operate.Order{All: true}, tally{Dead: 4})
	})
}

// TestRequeue_RowThatTheLedgerTakesForWaiting_StaysBehindANewerRow: the move of the job to the
// morgue is not recorded, as after a crash, and a newer row of the key has run since.
func TestRequeue_RowThatTheLedgerTakesForWaiting_StaysBehindANewerRow(t *testing.T) {
	for _, anyway := range []bool{false, true} {
		t.Run(fmt.Sprintf("anyway %v", anyway), func(t *testing.T) {
			ledgers.ByTier(t, func(t *testing.T, url string) {
				s := newStore(t, url)
				s.fill("X", "X", "Y")
				_, err := s.Queue.Admin().Kill(t.Context(), kind, "acme/X")
				fine(t, err)
				old, newer := events.NewID(s.task.Num, 1), events.NewID(s.task.Num, 2)
				_, err = s.Events.Record(t.Context(), []events.Move{{ID: newer, From: events.Enqueue, To: events.Finish, Attempt: 1}})
				fine(t, err)
				s.requeue(operate.Order{Keys: []string{"X"}, Anyway: anyway, DryRun: true}, tally{Keys: 1, Dead: 5})
				s.requeue(operate.Order{Keys: []string{"X"}, Anyway: anyway}, tally{Keys: 1, Dead: 4})
				states, err := s.Events.States(t.Context(), []events.ID{old})
				fine(t, err)
				if got := states[old].Newer; (got == newer) == anyway {
					t.Errorf("the row has the newer row %d", got)
				}
			})
		})
	}
}
