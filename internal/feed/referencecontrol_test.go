package feed_test

import (
	"errors"
	"slices"

	"pgregory.net/rapid"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
)

// draw draws a task that is not canceled.
func (tr *trial) draw(t *rapid.T) (*lot, *tasks.Task) {
	open := slices.DeleteFunc(slices.Clone(tr.plan.lots), func(l *lot) bool { return l.canceled })
	if len(open) == 0 {
		noAct(t, "no task")
	}
	l := open[rapid.IntRange(0, len(open)-1).Draw(t, "task")]
	return l, tr.tasks[l.num]
}

func (tr *trial) actPauseOrResume(t *rapid.T) {
	l, _ := tr.draw(t)
	tr.pauseTask(l)
}

// pauseTask pauses a task, or resumes a paused one.
func (tr *trial) pauseTask(l *lot) {
	task, change := tr.tasks[l.num], tr.Tasks.Pause
	if tr.resting[l.num] {
		change = tr.Tasks.ResumeAnyway
	}
	err := change(tr.t.Context(), task.Tenant, task.ID)
	if errors.Is(err, tasks.ErrStatus) { // it is done
		return
	}
	tr.fine(err)
	tr.resting[l.num] = !tr.resting[l.num]
	l.late, l.paused = true, tr.resting[l.num] || tr.quiet[task.Tenant]
}

func (tr *trial) actPauseTenant(t *rapid.T) { tr.pauseTenant(someTenant.Draw(t, "tenant")) }

// pauseTenant pauses a tenant, or resumes a paused one.
func (tr *trial) pauseTenant(tenant string) {
	tr.quiet[tenant] = !tr.quiet[tenant]
	tr.farm.pause(tenant, tr.quiet[tenant])
	for _, l := range tr.plan.lots {
		if tr.tasks[l.num].Tenant == tenant {
			l.paused = tr.resting[l.num] || tr.quiet[tenant]
		}
	}
}

// actWeigh changes the weight of a tenant.
func (tr *trial) actWeigh(t *rapid.T) {
	tr.weigh(someTenant.Draw(t, "tenant"), rapid.SampledFrom([]int64{1, 3, 100}).Draw(t, "weight"))
}

// actCancel cancels a task. The canceler ends the rows of the task during the next polls of the
// feeders.
func (tr *trial) actCancel(t *rapid.T) {
	if rapid.IntRange(0, 2).Draw(t, "cancel") > 0 {
		noAct(t, "cancels are rare")
	}
	l, task := tr.draw(t)
	err := tr.Tasks.Cancel(tr.t.Context(), task.Tenant, task.ID)
	if errors.Is(err, tasks.ErrStatus) {
		return
	}
	tr.fine(err)
	l.canceled = true
}

// actResubmit resubmits a failed row, whatever other rows of its key have done since. The failed
// job stays in Redis until the worker has ended all jobs that it got together with it.
func (tr *trial) actResubmit(t *rapid.T) {
	failed := slices.DeleteFunc(tr.failed, func(id events.ID) bool { return tr.lot(id).canceled })
	if tr.failed = failed; len(failed) == 0 {
		noAct(t, "no failed row")
	}
	i := rapid.IntRange(0, len(failed)-1).Draw(t, "failed")
	id := failed[i]
	tr.failed = slices.Delete(failed, i, i+1)
	e, err := tr.Events.Get(tr.t.Context(), id)
	tr.fine(err)
	_, err = decisions.New(tr.Events).Decide(tr.t.Context(), decisions.Review{Num: id.Num(), By: "ann", Anyway: true, Rows: []decisions.Decision{
		{ID: id, Version: e.Version, Resolution: events.Resubmitted},
	}})
	tr.fine(err)
	l := tr.lot(id)
	r := l.rows[id.Seq()-1]
	*r = row{key: r.key, again: true}
	_, r.pushed = tr.located(l.lane)[id]
}
