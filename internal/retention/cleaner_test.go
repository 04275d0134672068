package retention_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/tasks"
)

// imported adds a task of n rows that is kept for `keep`, with its file.
func (e *env) imported(n int, keep time.Duration) *tasks.Task {
	e.t.Helper()
	file, err := e.Files.Put(e.t.Context(), strings.NewReader("SKU\n"), 100)
	if err != nil {
		e.t.Fatal(err)
	}
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open,
		Name: "a name", Source: tasks.Source{FileID: file.ID, FileName: "prices.csv"},
	}
	if err := e.Tasks.Create(e.t.Context(), task, keep); err != nil {
		e.t.Fatal(err)
	}
	_, claim, err := e.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(e.t.Context(), time.Minute)
	if err != nil {
		e.t.Fatal(err)
	}
	chunk := events.Chunk{Num: task.Num, Claim: int64(claim), Final: true}
	for i := range n {
		chunk.Rows = append(chunk.Rows, events.Draft{Row: i + 2, Key: fmt.Sprint(i), Params: []byte("{}")})
	}
	if _, err := e.Events.Append(e.t.Context(), chunk); err != nil {
		e.t.Fatal(err)
	}
	return task
}

func (e *env) clean() {
	e.t.Helper()
	c := retention.New(e.Tasks, e.Events, e.Files, retention.Options{})
	e.now = e.now.Add(10 * time.Minute) // the role of the last run has expired
	if err := c.Clean(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
}

// stands checks what is left of a task.
func (e *env) stands(when string, task *tasks.Task, want error, file bool, rows int) {
	e.t.Helper()
	_, err := e.Tasks.Get(e.t.Context(), "acme", task.ID)
	if !errors.Is(err, want) {
		e.t.Errorf("%s: Get = %v, want %v", when, err, want)
	}
	if _, err := e.Tasks.Get(e.t.Context(), "other", task.ID); !errors.Is(err, tasks.ErrNotFound) {
		e.t.Errorf("%s: Get by another tenant = %v, want ErrNotFound", when, err)
	}
	f, err := e.Files.Get(e.t.Context(), task.FileID)
	if file != (err == nil) {
		e.t.Errorf("%s: file: %v, want it to be there: %v", when, err, file)
	}
	if err == nil {
		_ = f.Close()
	}
	list, err := e.Events.List(e.t.Context(), task.Num, events.Filter{})
	if err != nil || len(list) != rows {
		e.t.Errorf("%s: %d rows, %v, want %d", when, len(list), err, rows)
	}
	all, err := e.Tasks.List(e.t.Context(), "acme", tasks.Filter{})
	if err != nil || want == nil != (len(all) == 1) {
		e.t.Errorf("%s: %d tasks in the list, %v", when, len(all), err)
	}
}

// TestClean_TaskAges_RemovesFileThenTask: both ages count from the end of the task.
func TestClean_TaskAges_RemovesFileThenTask(t *testing.T) {
	each(t, func(e *env) {
		task := e.imported(3, 30*day)
		e.now = e.now.Add(100 * day)
		e.clean()
		e.stands("running for 100 days", task, nil, true, 3)
		e.finish(task.Num, 1, 2)
		moves := []events.Move{{
			ID: events.NewID(task.Num, 3), From: events.Enqueue, To: events.Failed, Attempt: 1,
			Failure: &events.Failure{Code: "X"},
		}}
		if _, err := e.Events.Record(t.Context(), moves); err != nil {
			t.Fatal(err)
		}
		e.now = e.now.Add(6 * day)
		e.clean()
		e.stands("6 days after its end", task, nil, true, 3)
		e.now = e.now.Add(2 * day)
		e.clean()
		e.stands("8 days after its end", task, nil, false, 3)
		if _, err := e.Tasks.ByFile(t.Context(), "acme", task.FileID); !errors.Is(err, tasks.ErrExpired) {
			t.Errorf("ByFile = %v, want ErrExpired", err)
		}
		e.now = e.now.Add(21 * day)
		e.clean()
		e.stands("29 days after its end", task, nil, false, 3)
		e.fine(e.DB.Write.Exec("UPDATE rollcall.tasks SET progress_text = 'file of Ms Doe'").Error)
		e.now = e.now.Add(2 * day)
		e.clean()
		rows := 0
		if e.DB.Pool != nil {
			rows = 3 // until its partition is dropped
		}
		e.stands("31 days after its end", task, tasks.ErrExpired, false, rows)
		e.tombstone(task)
	})
}

// stuck is a store that cannot delete one file.
type stuck struct {
	blobs.Store
	id string
}

var errStuck = errors.New("the file is locked")

func (s stuck) Delete(ctx context.Context, id string) error {
	if id == s.id {
		return errStuck
	}
	return s.Store.Delete(ctx, id)
}

// TestClean_OldestFileCannotBeDeleted_DeletesLaterOnes: the error is returned, and the file is tried again later.
func TestClean_OldestFileCannotBeDeleted_DeletesLaterOnes(t *testing.T) {
	each(t, func(e *env) {
		first, second := e.imported(1, 30*day), e.imported(1, 30*day)
		for _, task := range []*tasks.Task{first, second} {
			e.finish(task.Num, 1, 1)
			e.now = e.now.Add(time.Minute)
		}
		e.now = e.now.Add(20 * day)
		c := retention.New(e.Tasks, e.Events, stuck{e.Files, first.FileID}, retention.Options{})
		if err := c.Clean(t.Context()); !errors.Is(err, errStuck) {
			t.Errorf("Clean = %v, want the error of the file", err)
		}
		e.stays(first, true)
		e.stays(second, false)
		e.clean()
		e.stays(first, false)
	})
}

// stays checks whether the file of a task is stored.
func (e *env) stays(task *tasks.Task, want bool) {
	e.t.Helper()
	f, err := e.Files.Get(e.t.Context(), task.FileID)
	if err == nil {
		_ = f.Close()
	}
	if want != (err == nil) {
		e.t.Errorf("the file of task %d: %v, want it to be there: %t", task.Num, err, want)
	}
}

func TestPurge_FileIsNotDeleted_KeepsTask(t *testing.T) {
	each(t, func(e *env) {
		task := e.imported(1, day)
		e.finish(task.Num, 1, 1)
		e.now = e.now.Add(2 * day)
		if n, err := e.Tasks.Purge(t.Context(), 10); n != 0 || err != nil {
			t.Errorf("Purge beside the file = %d, %v, want 0", n, err)
		}
		e.fine(e.Tasks.MarkFileDeleted(t.Context(), tasks.ExpiredFile{What: "upload", Num: task.Num}))
		if n, err := e.Tasks.Purge(t.Context(), 10); n != 1 || err != nil {
			t.Errorf("Purge = %d, %v, want 1", n, err)
		}
	})
}

// tombstone checks the row that is left of a purged task: it has counts and times, and no text of a
// user.
func (e *env) tombstone(task *tasks.Task) {
	e.t.Helper()
	var left tasks.Task
	if err := e.DB.Read.Take(&left, task.Num).Error; err != nil {
		e.t.Fatal(err)
	}
	if left.Finish != 2 || left.Failed != 1 || left.Total != 3 || left.FinishedAt == 0 || left.Kind != "k" {
		e.t.Errorf("counts and times of the purged task: %+v", left)
	}
	if left.Name != "" || left.FileName != "" {
		e.t.Errorf("the purged task is still called %q, its file %q", left.Name, left.FileName)
	}
	var text string
	row := e.DB.Read.Raw("SELECT progress_text FROM rollcall.tasks WHERE num = ?", task.Num).Row()
	if err := row.Scan(&text); err != nil || text != "" {
		e.t.Errorf("progress text of the purged task: %q, %v", text, err)
	}
	groups, err := e.Events.Groups(e.t.Context(), task.Num)
	if err != nil || len(groups) != 0 {
		e.t.Errorf("groups of the purged task: %v, %v", groups, err)
	}
}

// TestClean_AllTasksOfADayPurged_DropsPartition tests Postgres only, because SQLite has no partitions.
func TestClean_AllTasksOfADayPurged_DropsPartition(t *testing.T) {
	each(t, func(e *env) {
		if e.DB.Pool == nil {
			return // SQLite has no partitions: see TestClean_TaskAges_RemovesFileThenTask
		}
		short, long := e.imported(2, day), e.imported(2, 20*day)
		e.finish(short.Num, 1, 2)
		e.finish(long.Num, 1, 2)
		var first, later *tasks.Task
		for i := range 25 {
			if i == 2 || i == 4 { // numbers below the first boundary share a partition
				later = e.imported(2, 365*day)
				e.finish(later.Num, 1, 2)
			}
			if i == 5 {
				e.has(short, 2)
			}
			if i == 2 {
				first = later
			}
			e.now = e.now.Add(day)
			e.clean()
		}
		if first.Num>>16 == later.Num>>16 {
			t.Errorf("tasks %d and %d of different days share a block", first.Num, later.Num)
		}
		e.has(later, 2)
		e.has(first, 2) // of the same partition as those that are purged
		e.has(short, 2)
		if err := e.DB.Write.Exec("UPDATE rollcall.tasks SET expires_at = 1 WHERE num = ?", first.Num).Error; err != nil {
			t.Fatal(err)
		}
		e.clean()
		e.has(later, 2)
		e.has(first, 0)
		e.has(long, 0)
	})
}

func (e *env) has(task *tasks.Task, rows int) {
	e.t.Helper()
	list, err := e.Events.List(e.t.Context(), task.Num, events.Filter{})
	if err != nil || len(list) != rows {
		e.t.Errorf("task %d has %d rows, %v, want %d", task.Num, len(list), err, rows)
	}
}

// TestAcquireRole_ManyProcesses_OneHasIt: after a crash, another process gets the role when the
// time of the role is over.
func TestAcquireRole_ManyProcesses_OneHasIt(t *testing.T) {
	each(t, func(e *env) {
		var won sync.Map
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				mine, err := e.Tasks.AcquireRole(t.Context(), tasks.Retention, fmt.Sprint(i), time.Minute)
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
			t.Errorf("%d cleaners have the role, want 1", n)
		}
		e.now = e.now.Add(2 * time.Minute)
		if mine, err := e.Tasks.AcquireRole(t.Context(), tasks.Retention, "next", time.Minute); !mine || err != nil {
			t.Errorf("Turn after the time of the first = %v, %v", mine, err)
		}
	})
}
