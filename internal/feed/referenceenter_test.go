package feed_test

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// enter adds a task to the service and to the reference. A row without a key is a key of its own.
func (tr *trial) enter(tenant, kind string, priority int64, keys []string) *lot {
	tr.t.Helper()
	task := tr.create(tenant, kind, int(priority), keys)
	l := &lot{num: task.Num, priority: priority, lane: tenant + "/" + kind, paused: tr.quiet[tenant]}
	for i, key := range keys {
		if key == "" {
			key = events.NewID(task.Num, int64(i)+1).JobID(task.ID)
		}
		l.rows = append(l.rows, &row{key: key})
	}
	tr.plan.lots = append(tr.plan.lots, l)
	tr.tasks[task.Num] = task
	return l
}

// create adds a task to the ledger, with one row for each key.
func (tr *trial) create(tenant, kind string, priority int, keys []string) *tasks.Task {
	tr.t.Helper()
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: kind, Type: tasks.Import, Status: tasks.Open,
		Priority: priority, Source: tasks.Source{FileID: "f"},
	}
	ctx := tr.t.Context()
	tr.fine(tr.Tasks.Create(ctx, task, time.Hour))
	_, claim, err := tr.Tasks.Picker(tasks.Reading, []string{kind}, 1).Next(ctx, time.Minute)
	tr.fine(err)
	_, err = tr.Events.Append(ctx, events.Chunk{Num: task.Num, Claim: int64(claim), Final: true, Rows: drafts(keys)})
	tr.fine(err)
	return task
}
