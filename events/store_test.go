package events_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// on runs a test on both databases.
func on(t *testing.T, story func(t *testing.T, db *ledger.DB)) { ledgers.Each(t, opened(story)) }

// byTier runs a test on Postgres in `make test-all` only. It is for stories whose statements other
// tests run on Postgres in `make test`.
func byTier(t *testing.T, story func(t *testing.T, db *ledger.DB)) { ledgers.ByTier(t, opened(story)) }

func opened(story func(t *testing.T, db *ledger.DB)) func(*testing.T, string) {
	return func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		story(t, db)
	}
}

// split adds a task and appends rows to it under a claim. Rows with a failure are invalid.
func split(t *testing.T, db *ledger.DB, final bool, rows ...events.Draft) *tasks.Task {
	t.Helper()
	ts, es := tasks.New(db, tasks.Options{}), events.New(db, events.Options{})
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
		Source: tasks.Source{FileID: "f"},
	}
	if err := ts.Create(t.Context(), task, time.Hour); err != nil {
		t.Fatal(err)
	}
	got, claim, err := ts.Picker(tasks.Reading, []string{"a", "k"}, 1).Next(t.Context(), time.Minute)
	if err != nil || got == nil || got.Num != task.Num {
		t.Fatalf("claim = %+v, %v, want task %d", got, err, task.Num)
	}
	total, err := es.Append(t.Context(), events.Chunk{
		Num: task.Num, Claim: int64(claim), TTL: time.Minute, Rows: rows, Final: final,
	})
	if err != nil || total != int64(len(rows)) {
		t.Fatalf("Append = %d, %v", total, err)
	}
	return task
}

func good(row int) events.Draft {
	return events.Draft{Row: row, Key: "k", Params: json.RawMessage(`{"SKU":"é\u0001"}`)}
}

func wrong(row int) events.Draft {
	d := good(row)
	d.Failure = &events.Failure{Code: "REQUIRED", Column: "SKU", Message: "SKU is empty"}
	return d
}

type counts struct {
	Status                                    tasks.Status
	Outcome                                   string
	Total, Enqueue, Working, Finish, Failed   int64
	Error, Canceled, Retrying, ErrorGroupRows int64
}

func countsOf(t *testing.T, db *ledger.DB, task *tasks.Task) counts {
	t.Helper()
	got, err := tasks.New(db, tasks.Options{}).Get(t.Context(), "acme", task.ID)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := events.New(db, events.Options{}).Groups(t.Context(), task.Num)
	if err != nil {
		t.Fatal(err)
	}
	var n int64
	for _, g := range groups {
		n += g.Count
	}
	return counts{
		got.Status, got.Outcome, got.Total, got.Enqueue, got.Working, got.Finish, got.Failed,
		got.Error, got.Canceled, got.Retrying, n,
	}
}

func check(t *testing.T, db *ledger.DB, task *tasks.Task, want counts) {
	t.Helper()
	if diff := cmp.Diff(want, countsOf(t, db, task)); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func record(t *testing.T, db *ledger.DB, moves ...events.Move) []bool {
	t.Helper()
	made, err := events.New(db, events.Options{}).Record(t.Context(), moves)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestLifeOfATask(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), wrong(3), good(4), good(5))
		check(t, db, task, counts{
			Status: tasks.Running, Total: 4, Enqueue: 3, Failed: 1, ErrorGroupRows: 1,
		})

		id := func(seq int64) events.ID { return events.NewID(task.Num, seq) }
		working := events.Move{ID: id(1), From: events.Enqueue, To: events.Working, Attempt: 1}
		if made := record(t, db, working); !made[0] {
			t.Error("the first working was refused")
		}
		if made := record(t, db, working); made[0] {
			t.Error("a repeated working was made")
		}
		check(t, db, task, counts{
			Status: tasks.Running, Total: 4, Enqueue: 2, Working: 1, Failed: 1, ErrorGroupRows: 1,
		})

		note := []events.Note{{At: 1, Attempt: 1, Status: events.Error, Text: "connection refused"}}
		retry := events.Move{
			ID: id(1), From: events.Working, FromAttempt: 1, To: events.Enqueue, Attempt: 1,
			Notes: note, NextRunAt: 99, StartedAt: 7,
		}
		finish := events.Move{
			ID: id(3), From: events.Enqueue, To: events.Finish, Attempt: 1, FinishedAt: 8,
			Result: json.RawMessage(`{"n":1}`),
		}
		stale := events.Move{ID: id(4), From: events.Working, FromAttempt: 3, To: events.Finish, Attempt: 3}
		if diff := cmp.Diff([]bool{true, true, false}, record(t, db, retry, finish, stale)); diff != "" {
			t.Error(diff)
		}
		check(t, db, task, counts{
			Status: tasks.Running, Total: 4, Enqueue: 2, Finish: 1, Failed: 1, Retrying: 1,
			ErrorGroupRows: 1,
		})

		dead := events.Move{
			ID: id(1), Row: 2, From: events.Enqueue, FromAttempt: 1, To: events.Error, Attempt: 2,
			Failure: &events.Failure{Code: "SYSTEM", Message: "it broke"}, Notes: note, FinishedAt: 9,
		}
		failed := events.Move{
			ID: id(4), Row: 5, From: events.Enqueue, To: events.Failed, Attempt: 1,
			Failure: &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Value: "x"}, FinishedAt: 9,
		}
		record(t, db, dead, failed)
		want := counts{
			Status: tasks.FinishedWithFailures, Outcome: "partial", Total: 4, Finish: 1, Failed: 2,
			Error: 1, ErrorGroupRows: 3,
		}
		check(t, db, task, want)
		record(t, db, dead, failed, finish)
		check(t, db, task, want)
		feeds, err := lanes.New(tasks.New(db, tasks.Options{})).Feeds(t.Context())
		if err != nil || len(feeds) != 0 {
			t.Errorf("Feeds after the end = %v, %v", feeds, err)
		}

		e, err := events.New(db, events.Options{}).Get(t.Context(), id(1))
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Notes()) != 3 || *e.Code != "SYSTEM" || e.Attempt != 2 || *e.StartedAt != 7 {
			t.Errorf("event = %+v, notes %v", e, e.Notes())
		}
		if e.Params != `{"SKU":"é\u0001"}` {
			t.Errorf("params = %s", e.Params)
		}
		bad, err := events.New(db, events.Options{}).Bad(t.Context(), task.Num, events.Filter{Limit: 20})
		if err != nil || len(bad) != 3 || bad[1].Row != 3 || *bad[2].Col != "Brand" {
			t.Errorf("Bad = %+v, %v", bad, err)
		}
		back := func(read func(context.Context, int64, events.Filter) ([]events.Event, error), before int64, want ...int64) {
			t.Helper()
			list, err := read(t.Context(), task.Num, events.Filter{Desc: true, Before: before, Limit: 2})
			var got []int64
			for i := range list {
				got = append(got, list[i].ID.Seq())
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("the rows before %d are %v, %v, want %v", before, got, err, want)
			}
		}
		es := events.New(db, events.Options{})
		back(es.List, 0, 4, 3)
		back(es.List, 3, 2, 1)
		back(es.List, 1)
		back(es.Bad, 0, bad[2].ID.Seq(), bad[1].ID.Seq())
		back(es.Bad, bad[1].ID.Seq(), bad[0].ID.Seq())
	})
}

func TestOnlyInvalidRowsEndTheTaskAtOnce(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, wrong(2), wrong(3))
		check(t, db, task, counts{
			Status: tasks.Failed, Outcome: "failure", Total: 2, Failed: 2, ErrorGroupRows: 2,
		})
	})
}

func TestAppendNeedsTheClaim(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, false, good(2))
		_, err := events.New(db, events.Options{}).Append(t.Context(), events.Chunk{
			Num: task.Num, Claim: 5, Rows: []events.Draft{good(3)}, Final: true,
		})
		if !errors.Is(err, events.ErrClaimLost) {
			t.Errorf("Append under a foreign claim = %v, want ErrClaimLost", err)
		}
		check(t, db, task, counts{Status: tasks.Splitting, Total: 1, Enqueue: 1})
	})
}

func TestIllegalMovesAreRefused(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2))
		es := events.New(db, events.Options{})
		_, err := es.Record(t.Context(), []events.Move{{
			ID: events.NewID(task.Num, 1), From: events.Finish, To: events.Working,
		}})
		if err == nil {
			t.Error("finish to working was allowed")
		}
	})
}

// TestConcurrentRecorders has several recorders end the same events. Each event is counted once.
func TestConcurrentRecorders(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rows := make([]events.Draft, 200)
		for i := range rows {
			rows[i] = good(i + 2)
		}
		task := split(t, db, true, rows...)
		es := events.New(db, events.Options{})
		done := make(chan int)
		for range 4 {
			go func() { done <- finishAll(t.Context(), t, es, task.Num, len(rows)) }()
		}
		made := 0
		for range 4 {
			made += <-done
		}
		if made != len(rows) {
			t.Errorf("moves made = %d, want %d", made, len(rows))
		}
		check(t, db, task, counts{Status: tasks.Finished, Outcome: "success", Total: 200, Finish: 200})
	})
}

func finishAll(ctx context.Context, t *testing.T, es *events.Store, num int64, n int) int {
	count := 0
	for seq := 1; seq <= n; seq += 10 {
		var group []events.Move
		for i := range 10 {
			group = append(group, events.Move{
				ID:   events.NewID(num, int64(seq+i)),
				From: events.Enqueue, To: events.Finish, Attempt: 1,
			})
		}
		made, err := es.Record(ctx, group)
		if err != nil {
			t.Error(err)
		}
		for _, m := range made {
			if m {
				count++
			}
		}
	}
	return count
}
