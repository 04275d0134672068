package dispatch_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

const day = 24 * time.Hour

// attic is a farm with a keeper, whose clock is moved by hand.
type attic struct{ *farm }

func newAttic(f *farm) *attic {
	f.Events = events.New(f.DB, events.Options{Now: func() time.Time { return f.now }})
	return &attic{f}
}

// imported is a task of n rows that is kept for keep, with its file.
func (a *attic) imported(n int, keep time.Duration) *tasks.Task {
	a.t.Helper()
	file, err := a.Files.Put(a.t.Context(), strings.NewReader("SKU\n"), 100)
	if err != nil {
		a.t.Fatal(err)
	}
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
		Name: "a name", Source: tasks.Source{FileID: file.ID, FileName: "prices.csv"},
	}
	if err := a.Tasks.Create(a.t.Context(), task, keep); err != nil {
		a.t.Fatal(err)
	}
	_, claim, err := a.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(a.t.Context(), time.Minute)
	if err != nil {
		a.t.Fatal(err)
	}
	chunk := events.Chunk{Num: task.Num, Claim: int64(claim), Final: true}
	for i := range n {
		chunk.Rows = append(chunk.Rows, events.Draft{Row: i + 2, Key: fmt.Sprint(i), Params: []byte("{}")})
	}
	if _, err := a.Events.Append(a.t.Context(), chunk); err != nil {
		a.t.Fatal(err)
	}
	return task
}

func (a *attic) keep() {
	a.t.Helper()
	k := dispatch.NewKeeper(a.Tasks, a.Events, a.Files, dispatch.KeeperOptions{})
	a.now = a.now.Add(10 * time.Minute) // the turn of the last keeper is over
	if err := k.Keep(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
}

// stands checks what is left of a task.
func (a *attic) stands(when string, task *tasks.Task, want error, file bool, rows int) {
	a.t.Helper()
	_, err := a.Tasks.Get(a.t.Context(), "acme", task.ID)
	if !errors.Is(err, want) {
		a.t.Errorf("%s: Get = %v, want %v", when, err, want)
	}
	if _, err := a.Tasks.Get(a.t.Context(), "other", task.ID); !errors.Is(err, tasks.ErrNotFound) {
		a.t.Errorf("%s: Get by another tenant = %v, want ErrNotFound", when, err)
	}
	f, err := a.Files.Get(a.t.Context(), task.FileID)
	if file != (err == nil) {
		a.t.Errorf("%s: file: %v, want it to be there: %v", when, err, file)
	}
	if err == nil {
		_ = f.Close()
	}
	list, err := a.Events.List(a.t.Context(), task.Num, events.Filter{})
	if err != nil || len(list) != rows {
		a.t.Errorf("%s: %d rows, %v, want %d", when, len(list), err, rows)
	}
	all, err := a.Tasks.List(a.t.Context(), "acme", tasks.Filter{})
	if err != nil || want == nil != (len(all) == 1) {
		a.t.Errorf("%s: %d tasks in the list, %v", when, len(all), err)
	}
}

// TestATaskGrowsOld: its file goes after a week, itself after its time, both
// counted from its end.
func TestATaskGrowsOld(t *testing.T) {
	on(t, func(f *farm) {
		a := newAttic(f)
		task := a.imported(3, 30*day)
		a.now = a.now.Add(100 * day)
		a.keep()
		a.stands("running for 100 days", task, nil, true, 3)
		a.finish(task.Num, 1, 2)
		moves := []events.Move{{
			ID: events.NewID(task.Num, 3), From: events.Enqueue, To: events.Failed, Attempt: 1,
			Failure: &events.Failure{Code: "X"},
		}}
		if _, err := a.Events.Record(t.Context(), moves); err != nil {
			t.Fatal(err)
		}
		a.now = a.now.Add(6 * day)
		a.keep()
		a.stands("6 days after its end", task, nil, true, 3)
		a.now = a.now.Add(2 * day)
		a.keep()
		a.stands("8 days after its end", task, nil, false, 3)
		if _, err := a.Tasks.ByFile(t.Context(), "acme", task.FileID); !errors.Is(err, tasks.ErrExpired) {
			t.Errorf("ByFile = %v, want ErrExpired", err)
		}
		a.now = a.now.Add(21 * day)
		a.keep()
		a.stands("29 days after its end", task, nil, false, 3)
		a.fine(a.DB.Write.Exec("UPDATE tasks SET progress_text = 'file of Ms Doe'").Error)
		a.now = a.now.Add(2 * day)
		a.keep()
		rows := 0
		if a.DB.Pool != nil {
			rows = 3 // until its partition is dropped
		}
		a.stands("31 days after its end", task, tasks.ErrExpired, false, rows)
		a.tombstone(task)
	})
}

// TestATaskIsNotPurgedBeforeItsFile: nobody would know of the file any more.
func TestATaskIsNotPurgedBeforeItsFile(t *testing.T) {
	on(t, func(f *farm) {
		a := newAttic(f)
		task := a.imported(1, day)
		a.finish(task.Num, 1, 1)
		a.now = a.now.Add(2 * day)
		if n, err := a.Tasks.Purge(t.Context(), 10); n != 0 || err != nil {
			t.Errorf("Purge beside the file = %d, %v, want 0", n, err)
		}
		a.fine(a.Tasks.FileGone(t.Context(), tasks.OldFile{What: "upload", Num: task.Num}))
		if n, err := a.Tasks.Purge(t.Context(), 10); n != 1 || err != nil {
			t.Errorf("Purge = %d, %v, want 1", n, err)
		}
	})
}

// tombstone checks the row that is left of a purged task: counts and times,
// nothing that people wrote.
func (a *attic) tombstone(task *tasks.Task) {
	a.t.Helper()
	var left tasks.Task
	if err := a.DB.Read.Take(&left, task.Num).Error; err != nil {
		a.t.Fatal(err)
	}
	if left.Finish != 2 || left.Failed != 1 || left.Total != 3 || left.FinishedAt == 0 || left.Kind != "k" {
		a.t.Errorf("counts and times of the purged task: %+v", left)
	}
	if left.Name != "" || left.FileName != "" {
		a.t.Errorf("the purged task is still called %q, its file %q", left.Name, left.FileName)
	}
	var text string
	row := a.DB.Read.Raw("SELECT progress_text FROM tasks WHERE num = ?", task.Num).Row()
	if err := row.Scan(&text); err != nil || text != "" {
		a.t.Errorf("progress text of the purged task: %q, %v", text, err)
	}
	groups, err := a.Events.Groups(a.t.Context(), task.Num)
	if err != nil || len(groups) != 0 {
		a.t.Errorf("groups of the purged task: %v, %v", groups, err)
	}
}

// TestADayIsDropped: on Postgres the rows of a day go with its partition, once
// the last task of that day is purged.
func TestADayIsDropped(t *testing.T) {
	on(t, func(f *farm) {
		a := newAttic(f)
		if a.DB.Pool == nil {
			return // SQLite has no partitions: see TestATaskGrowsOld
		}
		short, long := a.imported(2, day), a.imported(2, 20*day)
		a.finish(short.Num, 1, 2)
		a.finish(long.Num, 1, 2)
		var first, later *tasks.Task
		for i := range 25 {
			if i == 2 || i == 4 { // numbers below the first boundary share a partition
				later = a.imported(2, 365*day)
				a.finish(later.Num, 1, 2)
			}
			if i == 5 {
				a.has(short, 2)
			}
			if i == 2 {
				first = later
			}
			a.now = a.now.Add(day)
			a.keep()
		}
		if first.Num>>16 == later.Num>>16 {
			t.Errorf("tasks %d and %d of different days share a block", first.Num, later.Num)
		}
		a.has(later, 2)
		a.has(first, 2) // of the same partition as those that are purged
		a.has(short, 2)
		if err := a.DB.Write.Exec("UPDATE tasks SET expires_at = 1 WHERE num = ?", first.Num).Error; err != nil {
			t.Fatal(err)
		}
		a.keep()
		a.has(later, 2)
		a.has(first, 0)
		a.has(long, 0)
	})
}

func (a *attic) has(task *tasks.Task, rows int) {
	a.t.Helper()
	list, err := a.Events.List(a.t.Context(), task.Num, events.Filter{})
	if err != nil || len(list) != rows {
		a.t.Errorf("task %d has %d rows, %v, want %d", task.Num, len(list), err, rows)
	}
}

// TestOneKeeperAtATime: many begin at once, one works; one that died holds up
// the others only until its turn is over.
func TestOneKeeperAtATime(t *testing.T) {
	on(t, func(f *farm) {
		var won sync.Map
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				mine, err := f.Tasks.Turn(t.Context(), tasks.Keeping, fmt.Sprint(i), time.Minute)
				if err != nil {
					t.Error(err)
				}
				if mine {
					won.Store(i, true)
				}
			})
		}
		all.Wait()
		n := 0
		won.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("%d keepers have the turn, want 1", n)
		}
		f.now = f.now.Add(2 * time.Minute)
		if mine, err := f.Tasks.Turn(t.Context(), tasks.Keeping, "next", time.Minute); !mine || err != nil {
			t.Errorf("Turn after the time of the first = %v, %v", mine, err)
		}
	})
}
