package events_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestCountsNeverLie performs random acts on a task, legal or not, in any order and in parallel.
// After every step all counts equal a recount of the events.
func TestCountsNeverLie(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rapid.Check(t, func(r *rapid.T) {
			m := &life{T: r, test: t, db: db, es: events.New(db, events.Options{})}
			m.create()
			r.Repeat(map[string]func(*rapid.T){
				"":           m.check,
				"append":     m.append,
				"progress":   m.progress,
				"noise":      m.noise,
				"illegal":    m.illegal,
				"side":       m.side,
				"crash":      m.crash,
				"resubmit":   func(r *rapid.T) { m.all(r, events.Enqueue, events.Failed, events.Error) },
				"decide":     m.decide,
				"press":      m.resubmitTwice,
				"erase":      m.erase,
				"cancel":     func(r *rapid.T) { m.all(r, events.Canceled, events.Enqueue) },
				"everything": func(r *rapid.T) { m.all(r, events.Working, events.Enqueue) },
			})
		})
	})
}

// life is one task with its history.
type life struct {
	*rapid.T
	test  *testing.T
	db    *ledger.DB
	es    *events.Store
	task  *tasks.Task
	claim tasks.Claim
	final bool
}

func (m *life) create() {
	m.task = &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Splitting,
	}
	claim, err := tasks.New(m.db, tasks.Options{}).CreateHeld(m.test.Context(), m.task, tasks.Terms{Keep: time.Hour}, time.Hour)
	if err != nil {
		m.Fatal(err)
	}
	m.claim = claim
	m.append(m.T)
}

func (m *life) append(r *rapid.T) {
	if m.final {
		return
	}
	var rows []events.Draft
	for range rapid.IntRange(0, 24).Draw(r, "rows") {
		row := good(0)
		if rapid.IntRange(0, 5).Draw(r, "wrong") == 0 {
			row = wrong(0)
		}
		rows = append(rows, row)
	}
	m.final = rapid.Bool().Draw(r, "final")
	_, err := m.es.Append(m.test.Context(), events.Chunk{
		Num: m.task.Num, Claim: int64(m.claim), TTL: time.Hour, Rows: rows, Count: true, Final: m.final,
	})
	if err != nil {
		r.Fatal(err)
	}
}

// check recounts. A task whose total is final and whose rows have ended must be done.
func (m *life) check(r *rapid.T) {
	audit(r, m.db, m.task.Num)
	if a, err := recount.New(m.es).Audit(m.test.Context(), m.task.Num); err != nil || len(a.Differences()) > 0 && !a.Done {
		for _, d := range a.Differences() {
			if !strings.Contains(string(d), "stored count of rows to be fed") { // no feeder runs here
				r.Fatalf("%v %v", a.Differences(), err)
			}
		}
	}
	got, err := tasks.New(m.db, tasks.Options{}).Get(m.test.Context(), "acme", m.task.ID)
	if err != nil {
		r.Fatal(err)
	}
	if got.TotalIsFinal && got.Enqueue+got.Working == 0 && got.FinishedAt == 0 {
		r.Fatalf("nothing is left to do, and the task is not done: %+v", got)
	}
}

func (m *life) list(r *rapid.T) []events.Event {
	list, err := m.es.List(m.test.Context(), m.task.Num, events.Filter{Limit: 1000})
	if err != nil {
		r.Fatal(err)
	}
	return list
}

// record makes moves and returns how many were applied.
func (m *life) record(r *rapid.T, moves ...events.Move) int {
	made, err := m.es.Record(m.test.Context(), moves)
	if err != nil {
		r.Fatal(err)
	}
	n := 0
	for _, ok := range made {
		if ok {
			n++
		}
	}
	return n
}

// all moves every event with one of the statuses. Each move must be made.
func (m *life) all(r *rapid.T, to events.Status, from ...events.Status) {
	var moves []events.Move
	for _, e := range m.list(r) {
		for _, s := range from {
			mv := events.Move{ID: e.ID, Row: e.Row, From: s, FromAttempt: e.Attempt, To: to, Attempt: e.Attempt}
			if to == events.Working {
				mv.Attempt++
			}
			if e.Status == s {
				moves = append(moves, mv)
			}
		}
	}
	if n := m.record(r, moves...); n != len(moves) {
		r.Fatalf("%d of %d moves to %s were made", n, len(moves), to)
	}
}

// progress moves events from their current statuses.
func (m *life) progress(r *rapid.T) {
	m.record(r, m.steps(r, m.list(r))...)
}

// steps returns legal moves of some events, each from its current status.
func (m *life) steps(r *rapid.T, list []events.Event) (out []events.Move) {
	for _, e := range list {
		mv := events.Move{ID: e.ID, Row: e.Row, From: e.Status, FromAttempt: e.Attempt}
		if mv = anyEnd(r, mv); mv.Legal() {
			out = append(out, mv)
		}
	}
	return out
}

// anyEnd draws the end of a move, and its reason.
func anyEnd(r *rapid.T, m events.Move) events.Move {
	m.To = rapid.SampledFrom(statuses).Draw(r, "to")
	m.Attempt = m.FromAttempt + rapid.IntRange(-1, 1).Draw(r, "by")
	if m.To.Bad() {
		m.Failure = &events.Failure{
			Code:   rapid.SampledFrom([]string{"", "A", "B"}).Draw(r, "code"),
			Column: rapid.SampledFrom([]string{"", "x"}).Draw(r, "column"),
		}
	}
	if m.To == events.Error {
		m.Notes = []events.Note{{Text: rapid.SampledFrom([]string{"no route", "no disk"}).Draw(r, "fault"), Ended: &events.Ending{
			Outcome: events.LastFault, Type: rapid.SampledFrom([]string{"", "net.Error"}).Draw(r, "type"),
		}}}
	}
	return m
}

// noise records late, early, repeated and unrelated moves: any legal moves, whether or not the
// events have the status From.
func (m *life) noise(r *rapid.T) { m.record(r, anyMoves(r, m.task.Num)...) }

func anyMoves(r *rapid.T, num int64) (out []events.Move) {
	for range rapid.IntRange(1, 40).Draw(r, "moves") {
		mv := anyMove(r, num)
		if mv.Legal() {
			out = append(out, mv)
		}
	}
	return append(out, out[:len(out)/3]...)
}

func anyMove(r *rapid.T, num int64) events.Move {
	seq := rapid.Int64Range(1, 30).Draw(r, "seq")
	return anyEnd(r, events.Move{
		ID: events.NewID(num, seq), Row: int(seq),
		From:        rapid.SampledFrom(statuses).Draw(r, "from"),
		FromAttempt: rapid.IntRange(0, 3).Draw(r, "attempt"),
	})
}

// illegal passes an illegal move to Record, which refuses it with its group. It also passes the move
// to the statements, which must refuse it themselves.
func (m *life) illegal(r *rapid.T) {
	bad := anyMove(r, m.task.Num)
	if bad.Legal() {
		return
	}
	if _, err := m.es.Record(m.test.Context(), append(anyMoves(r, m.task.Num), bad)); err == nil {
		r.Fatalf("%+v was recorded", bad)
	}
	if n, err := m.es.Slip(m.test.Context(), bad); err != nil || n != 0 {
		r.Fatalf("%+v slipped through: %v", bad, err)
	}
}

// side runs recorders in parallel while the counts are read. Each recorder has moves from the
// current statuses of the events, and random moves.
func (m *life) side(r *rapid.T) {
	list := m.list(r)
	var groups [][]events.Move
	for range rapid.IntRange(2, 4).Draw(r, "recorders") {
		moves := append(m.steps(r, list), anyMoves(r, m.task.Num)...)
		groups = append(groups, rapid.Permutation(moves).Draw(r, "order"))
	}
	faults := make(chan error, len(groups))
	var wg sync.WaitGroup
	for _, moves := range groups {
		wg.Go(func() {
			_, err := m.es.Record(m.test.Context(), moves)
			faults <- err
		})
	}
	audit(r, m.db, m.task.Num)
	wg.Wait()
	for range groups {
		if err := <-faults; err != nil {
			r.Fatal(err)
		}
	}
}

// crash rolls a transaction back.
func (m *life) crash(r *rapid.T) {
	if err := m.es.Crash(m.test.Context(), m.steps(r, m.list(r))...); err != nil {
		r.Fatal(err)
	}
}

// decisions returns decisions that users might make about the rows that they have listed, also
// about good rows and old versions.
func (m *life) decisions(r *rapid.T) (out []decisions.Decision) {
	for _, e := range m.list(r) {
		if rapid.IntRange(0, 2).Draw(r, "leave") == 0 {
			continue
		}
		d := decisions.Decision{
			ID: e.ID, Version: e.Version - rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(r, "old"), Note: "because",
			Resolution: rapid.SampledFrom([]events.Resolution{
				events.Open, events.Fixed, events.Skipped, events.Accepted, events.Resubmitted,
			}).Draw(r, "resolution"),
		}
		if d.Resolution != events.Resubmitted && rapid.Bool().Draw(r, "edit") {
			d.Edit = &decisions.Edit{Params: json.RawMessage("{}"), Key: "other"}
			if d.Resolution == events.Open {
				d.Edit.Fault = &events.Failure{Code: rapid.SampledFrom([]string{"A", "B"}).Draw(r, "code")}
			}
		}
		out = append(out, d)
	}
	return out
}

// decide reads the rows and makes decisions about them, as a user.
func (m *life) decide(r *rapid.T) {
	list := m.decisions(r)
	made, err := decisions.New(m.es).Decide(m.test.Context(), decisions.Review{Num: m.task.Num, By: "ann", Rows: list})
	if err != nil && !errors.Is(err, events.ErrClosed) {
		r.Fatal(err)
	}
	for i := range made {
		if e, err := m.es.Get(m.test.Context(), list[i].ID); made[i] && (err != nil || e.Version != list[i].Version+1) {
			r.Fatalf("%+v was decided, and came to %+v, %v", list[i], e, err)
		}
	}
}

// resubmitTwice resubmits the same rows twice at once, as two users. Only one request has an effect.
func (m *life) resubmitTwice(r *rapid.T) {
	list := m.decisions(r)
	for i := range list {
		list[i].Resolution, list[i].Edit = events.Resubmitted, nil
	}
	var made [2][]bool
	var faults [2]error
	var wg sync.WaitGroup
	for i := range made {
		wg.Go(func() {
			made[i], faults[i] = decisions.New(m.es).Decide(m.test.Context(), decisions.Review{Num: m.task.Num, By: "bob", Rows: list})
		})
	}
	wg.Wait()
	for i := range list {
		if len(made[0]) > 0 && len(made[1]) > 0 && made[0][i] && made[1][i] {
			r.Fatalf("row %d was resubmitted twice", list[i].ID.Seq())
		}
	}
	for _, err := range faults {
		if err != nil && !errors.Is(err, events.ErrClosed) {
			r.Fatal(err)
		}
	}
}

// erase deletes the contents of some rows of a task that is done. No decision can be made about
// such a row.
func (m *life) erase(r *rapid.T) {
	task, err := tasks.New(m.db, tasks.Options{}).Get(m.test.Context(), "acme", m.task.ID)
	if err != nil {
		r.Fatal(err)
	}
	list := m.list(r)
	for _, e := range list {
		if rapid.IntRange(0, 3).Draw(r, "leave") > 0 || !e.Status.AtRest() {
			continue
		}
		err := decisions.New(m.es).EraseRow(m.test.Context(), decisions.Erasure{ID: e.ID, Tenant: "acme", By: "ann"})
		if closed := errors.Is(err, events.ErrClosed); closed != (task.FinishedAt == 0) || err != nil && !closed {
			r.Fatalf("EraseRow = %v of a task that ended at %d", err, task.FinishedAt)
		}
		now, getErr := m.es.Get(m.test.Context(), e.ID)
		if getErr != nil || err == nil && (now.Params != "{}" || now.Key != "" || !now.Erased() || now.Status != e.Status) {
			r.Fatalf("the row is %+v, %v", now, getErr)
		}
		made, decideErr := decisions.New(m.es).Decide(m.test.Context(), decisions.Review{Num: m.task.Num, By: "ann", Rows: []decisions.Decision{
			{ID: e.ID, Version: now.Version, Resolution: events.Resubmitted},
		}})
		if err == nil && len(made) > 0 && made[0] {
			r.Fatalf("an erased row runs again: %v", decideErr)
		}
		if err != nil {
			return
		}
	}
}
