package events_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// outboxRow is a row of the outbox.
type outboxRow struct {
	Topic   string
	Round   int
	Detail  string
	Status  string
	Outcome string
	Finish  int
	Failed  int
	Error   int
}

func outbox(t *testing.T, db *ledger.DB, task *tasks.Task) []outboxRow {
	t.Helper()
	var out []outboxRow
	err := db.Read.Table("rollcall.outbox").Where("task_num = ?", task.Num).Order("id").Scan(&out).Error
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func bad(task *tasks.Task, seq int64, to events.Status) events.Move {
	m := end(task, seq, to)
	m.Failure = &events.Failure{Code: "X", Message: "x"}
	return m
}

func end(task *tasks.Task, seq int64, to events.Status) events.Move {
	return events.Move{
		ID: events.NewID(task.Num, seq), Row: int(seq) + 1, From: events.Enqueue, To: to, Attempt: 1, FinishedAt: 1,
	}
}

// TestNotice_FirstFailureEndAndDeadJob_AreWritten: each round has a notice of the first failure and of the end, and each dead
// job has a notice. Each notice holds the state of the task at that moment.
func TestNotice_FirstFailureEndAndDeadJob_AreWritten(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), good(3), good(4), good(5))
		record(t, db, end(task, 1, events.Finish))
		if got := outbox(t, db, task); len(got) != 0 {
			t.Fatalf("noticed too early: %+v", got)
		}
		record(t, db, bad(task, 2, events.Error), bad(task, 3, events.Failed))
		record(t, db, bad(task, 4, events.Failed))
		record(t, db, bad(task, 4, events.Failed)) // late, and refused
		want := []outboxRow{
			{Topic: "task.first_failure", Round: 1, Status: "running", Finish: 1, Failed: 1, Error: 1},
			{Topic: "jobs.exhausted", Round: 1, Detail: "[2]", Status: "running", Finish: 1, Failed: 1, Error: 1},
			{
				Topic: "task.finished", Round: 1, Status: "finished_with_failures", Outcome: "partial",
				Finish: 1, Failed: 2, Error: 1,
			},
		}
		if diff := cmp.Diff(want, outbox(t, db, task)); diff != "" {
			t.Errorf("outbox (-want +got):\n%s", diff)
		}
	})
}

// TestNotice_EachRound_IsWritten: each round of a task writes its own notices of the first failure and of the
// end.
func TestNotice_EachRound_IsWritten(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, good(2), good(3))
		record(t, db, bad(task, 1, events.Failed), end(task, 2, events.Finish))
		reopen := `UPDATE rollcall.tasks SET round = 2, status = 'running', finished_at = 0, enqueue = 1, finish = 0`
		if err := db.Write.Exec(reopen).Error; err != nil {
			t.Fatal(err)
		}
		if err := db.Write.Exec("UPDATE rollcall.events SET status = 'enqueue', attempt = 0 WHERE row = 3").Error; err != nil {
			t.Fatal(err)
		}
		record(t, db, bad(task, 2, events.Failed))
		var got []outboxRow
		for _, n := range outbox(t, db, task) {
			got = append(got, outboxRow{Topic: n.Topic, Round: n.Round})
		}
		want := []outboxRow{
			{Topic: "task.first_failure", Round: 1},
			{Topic: "task.finished", Round: 1},
			{Topic: "task.first_failure", Round: 2},
			{Topic: "task.finished", Round: 2},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("outbox (-want +got):\n%s", diff)
		}
	})
}

// TestNotice_InvalidRows_IsWritten: a file that contains only invalid rows ends when it has been read.
func TestNotice_InvalidRows_IsWritten(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, wrong(2), wrong(3))
		want := []outboxRow{
			{Topic: "task.first_failure", Round: 1, Status: "splitting", Failed: 2},
			{Topic: "task.finished", Round: 1, Status: "failed", Outcome: "failure", Failed: 2},
		}
		if diff := cmp.Diff(want, outbox(t, db, task)); diff != "" {
			t.Errorf("outbox (-want +got):\n%s", diff)
		}
	})
}

// TestRacingRecordersTellOnce ends the rows of one task in parallel, each row twice.
func TestRacingRecordersTellOnce(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		var rows []events.Draft
		for i := range 40 {
			rows = append(rows, good(i+2))
		}
		task := split(t, db, true, rows...)
		store := events.New(db, events.Options{})
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				for seq := int64(n%4) + 1; seq <= 40; seq += 4 {
					if _, err := store.Record(t.Context(), []events.Move{bad(task, seq, events.Failed)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		got := outbox(t, db, task)
		if len(got) != 2 || got[0].Topic != "task.first_failure" || got[1].Topic != "task.finished" || got[1].Failed != 40 {
			t.Errorf("outbox = %+v", got)
		}
	})
}

// TestNotice_WithoutSubscribers_IsNotWritten: a task whose kind has no callback has notices for webhooks and
// callback URLs only.
func TestNotice_WithoutSubscribers_IsNotWritten(t *testing.T) {
	byTier(t, func(t *testing.T, db *ledger.DB) {
		silent := func(kind string) map[string][]string {
			return map[string][]string{"task.finished": {kind}, "task.first_failure": {kind}, "jobs.exhausted": {kind}}
		}
		hook := func(topics string, enabled bool) func() {
			return func() {
				err := db.Write.Exec(`INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, enabled, created_at)
					VALUES (?, 'acme', 'http://192.0.2.1', ?, '', ?, 1)`, tasks.NewID(), topics, enabled).Error
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, test := range []struct {
			name   string
			silent map[string][]string
			listen func()
			want   int
		}{
			{"not known", nil, func() {}, 3},
			{"another kind", silent("other"), func() {}, 3},
			{"no callback", silent("k"), func() {}, 0},
			{"of its topic", map[string][]string{"task.first_failure": {"k"}}, func() {}, 2},
			{"an address", silent("k"), func() { db.Write.Exec("UPDATE rollcall.tasks SET callback_url = 'http://192.0.2.1'") }, 1},
			{"disabled webhook", silent("k"), hook("", false), 0},
			{"webhook of a topic", silent("k"), hook(",task.finished,", true), 1},
			{"webhook of all", silent("k"), hook("", true), 2},
		} {
			task := split(t, db, true, good(2), good(3))
			test.listen()
			es := events.New(db, events.Options{Silent: test.silent})
			_, err := es.Record(t.Context(), []events.Move{bad(task, 1, events.Error), end(task, 2, events.Finish)})
			if err != nil {
				t.Fatal(err)
			}
			if got := outbox(t, db, task); len(got) != test.want {
				t.Errorf("%s: %d notices, want %d: %+v", test.name, len(got), test.want, got)
			}
		}
	})
}
