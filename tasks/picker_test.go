package tasks_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// file adds a task whose file is to be read, and returns the task.
func (d *desk) file(tenant, kind, name string, priority int) *tasks.Task {
	d.Helper()
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: kind, Type: tasks.Import, Status: tasks.Open, Name: name,
		Priority: priority, Source: tasks.Source{FileID: tasks.NewID()},
	}
	d.fine(d.tasks.Create(d.Context(), t, time.Hour))
	return t
}

// export adds a task that makes a file, and returns the task.
func (d *desk) export(name string) *tasks.Task {
	d.Helper()
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Export, Status: tasks.Open, Name: name,
		Unmerged: true,
	}
	d.fine(d.tasks.Create(d.Context(), t, time.Hour))
	return t
}

// next returns the name of the task that a picker claims; "" if none.
func (d *desk) next(p *tasks.Picker) string {
	d.Helper()
	t, _, err := p.Next(d.Context(), time.Minute)
	d.fine(err)
	if t == nil {
		return ""
	}
	return t.Name
}

// picked returns the names of the tasks that a picker claims, until it finds none.
func (d *desk) picked(p *tasks.Picker) (names []string) {
	d.Helper()
	for name := d.next(p); name != ""; name = d.next(p) {
		names = append(names, name)
	}
	return names
}

func (d *desk) same(want, got any) {
	d.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		d.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPicker_FilesOfATenantWithPriorityInFront_AnotherTenantIsNext(t *testing.T) {
	byTier(t, func(d *desk) {
		for i := range 5 {
			d.file("acme", "k", fmt.Sprint("long ", i), 1000)
		}
		p := d.tasks.Picker(tasks.Reading, []string{"k"}, 4)
		d.same([]string{"long 0", "long 1", "long 2", "long 3"}, d.picked(p))
		d.file("globex", "k", "short", 0)
		d.file("globex", "k", "second", 0)
		d.same([]string{"short"}, d.picked(p))
		p.Leave("acme")
		p.Leave("acme")
		d.same([]string{"second"}, d.picked(p))
	})
}

func TestPicker_TasksOfOneTenant_PriorityThenAge(t *testing.T) {
	byTier(t, func(d *desk) {
		d.file("acme", "k", "old", 0)
		d.file("acme", "j", "urgent", 5)
		d.file("acme", "k", "less urgent", 3)
		d.file("acme", "unknown", "of no kind", 9)
		p := d.tasks.Picker(tasks.Reading, []string{"j", "k"}, 4)
		d.same([]string{"urgent", "less urgent", "old"}, d.picked(p))
	})
}

func TestPicker_WeightsThreeToOne_SharesThreeToOne(t *testing.T) {
	on(t, func(d *desk) {
		d.fine(d.tasks.SetWeight(d.Context(), "acme", 3))
		for range 24 {
			d.file("acme", "k", "a", 0)
			d.file("globex", "k", "b", 0)
		}
		p := d.tasks.Picker(tasks.Reading, []string{"k"}, 4)
		given, held := map[string]int{}, []string{}
		for range 24 {
			task, _, err := p.Next(d.Context(), time.Minute)
			d.fine(err)
			if task == nil {
				p.Leave(held[0])
				held = held[1:]
				continue
			}
			p.Charge(task.Tenant, 1000)
			given[task.Name]++
			held = append(held, task.Tenant)
		}
		if n := given["a"]; n < 3*given["b"]-3 || n > 3*given["b"]+3 {
			d.Errorf("given %v, want three to one", given)
		}
	})
}

func TestPicker_AClaimRunsOut_AnotherProcessTakesTheTask(t *testing.T) {
	byTier(t, func(d *desk) {
		d.file("acme", "k", "file", 0)
		one, other := d.tasks.Picker(tasks.Reading, []string{"k"}, 4), d.tasks.Picker(tasks.Reading, []string{"k"}, 4)
		d.same("file", d.next(one))
		d.same("", d.next(other))
		d.pass(2 * time.Minute)
		d.same("file", d.next(other))
	})
}

// TestPicker_TaskIsEndedOrRead_WaitsForNothing follows a file and an export through their stages.
func TestPicker_TaskIsEndedOrRead_WaitsForNothing(t *testing.T) {
	on(t, func(d *desk) {
		waits := func(t *tasks.Task) (work int) {
			d.fine(d.db.Read.Table("rollcall.tasks").Where("num = ?", t.Num).Pluck("work", &work).Error)
			return work
		}
		canceled, read, held := d.file("acme", "k", "canceled", 0), d.file("acme", "k", "read", 0), d.open(nil)
		d.same([]int{1, 1, 0}, []int{waits(canceled), waits(read), waits(held)})
		d.fine(d.tasks.Cancel(d.Context(), "acme", canceled.ID))
		p := d.tasks.Picker(tasks.Reading, []string{"k"}, 4)
		task, claim, err := p.Next(d.Context(), time.Minute)
		d.fine(err)
		d.same("read", task.Name)
		_, err = d.events.Append(d.Context(), events.Chunk{Num: task.Num, Claim: int64(claim), Final: true})
		d.fine(err)
		d.same([]int{0, 0}, []int{waits(canceled), waits(read)})

		export := d.export("export")
		d.same(2, waits(export))
		planner := d.tasks.Picker(tasks.Planning, []string{"k"}, 4)
		task, claim, err = planner.Next(d.Context(), time.Minute)
		d.fine(err)
		_, err = d.events.Append(d.Context(), events.Chunk{
			Num: task.Num, Claim: int64(claim), Final: true, Rows: []events.Draft{{Row: 1, Params: []byte("{}")}},
		})
		d.fine(err)
		d.same(0, waits(export))
		d.finish(export, 1)
		d.same(3, waits(export))
		d.same("export", d.next(d.tasks.Picker(tasks.Merging, []string{"k"}, 2)))
		d.fine(d.tasks.Cancel(d.Context(), "acme", export.ID))
		d.same(0, waits(export))
	})
}

func TestClaimAbandoned_FilesWait_ReadsTasksOfProgramsOnly(t *testing.T) {
	on(t, func(d *desk) {
		d.file("acme", "k", "file", 0)
		held := sheet(nil)
		_, err := d.tasks.CreateHeld(d.Context(), held, tasks.Terms{Keep: time.Hour}, time.Minute)
		d.fine(err)
		for _, want := range []int64{0, held.Num} {
			got, _, err := d.tasks.ClaimAbandoned(d.Context(), time.Hour)
			d.fine(err)
			if got == nil {
				got = &tasks.Task{}
			}
			d.same(want, got.Num)
			d.pass(2 * time.Minute)
		}
		d.indexed(tasks.ClaimAbandonedSQL, ledger.Args{"now": 1, "claim": 1, "until": 1}, "tasks_work_idx")
	})
}
