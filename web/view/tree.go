package view

import (
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskTree holds a task and the tasks that it waits for, directly or through other tasks.
type TaskTree struct {
	TaskID  string           `json:"task_id" schema:"format=uuid"`
	Done    bool             `json:"done" doc:"All tasks are done."`
	Percent *int64           `json:"percent" doc:"Floored percentage of all rows; 100 only when all tasks are done, null while rows are added to a task." schema:"maximum=100;minimum=0"`
	Counts  tasks.CountsJSON `json:"counts" doc:"Sums over all tasks."`
	Tasks   []TreeTask       `json:"tasks" doc:"The task, its children, the tasks after which it starts, and the same of all these tasks. Newest first." schema:"maxItems=1000"`
	More    bool             `json:"more" doc:"The tree has more than 1,000 tasks; further tasks are not counted."`
}

// TreeTask is one task of a tree.
type TreeTask struct {
	ID       string           `json:"id" schema:"format=uuid"`
	Name     string           `json:"name"`
	Kind     string           `json:"kind"`
	Status   tasks.Status     `json:"status"`
	ParentID *string          `json:"parent_id,omitempty"`
	After    *After           `json:"after,omitempty"`
	Counts   tasks.CountsJSON `json:"counts"`
}

// OfTree returns the view of a tree of tasks. The argument `more` reports whether the tree has further
// tasks.
func OfTree(root *tasks.Task, list []tasks.Task, more bool) TaskTree {
	v := TaskTree{TaskID: root.ID, Done: !more, More: more, Tasks: make([]TreeTask, len(list))}
	v.Counts.TotalIsFinal = !more
	for i := range list {
		t := &list[i]
		served := t.JSON()
		v.Tasks[i] = TreeTask{t.ID, t.Name, t.Kind, t.Status, textutil.Optional(t.ParentID), ofAfter(t), served.Counts}
		v.Done = v.Done && served.Done
		v.Counts.Add(served.Counts)
	}
	if v.Counts.TotalIsFinal {
		v.Percent = v.percent()
	}
	return v
}

// percent returns the floored percentage of ended rows. It is at most 99 until all tasks are done.
func (v *TaskTree) percent() *int64 {
	percent, c := int64(100), v.Counts
	if c.Total > 0 {
		percent = 100 * (c.Finish + c.Failed + c.Error + c.Canceled) / c.Total
	}
	if !v.Done {
		percent = min(percent, 99)
	}
	return &percent
}
