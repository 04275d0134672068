package client

import "context"

// After holds the tasks that must end before a task starts.
type After struct {
	Tasks   []string // their ids
	Outcome string   // any, or success: the tasks must end with success
	Waiting int64    // number of the tasks that have not ended this way yet
}

// Tree is a task with all tasks that it waits for, directly or indirectly: its children and the
// tasks that it starts after.
type Tree struct {
	TaskID  string     `json:"task_id"`
	Done    bool       // all these tasks are done; false with More
	Percent *int64     // share of the ended rows, rounded down; nil while rows are added, and with More
	Counts  Counts     // sums over Tasks
	Tasks   []TreeTask // the task itself and the others, newest first
	More    bool       // there are more than 1,000 tasks; the others are not counted
}

// TreeTask is one task of a Tree.
type TreeTask struct {
	ID       string
	Name     string
	Kind     string
	Status   string // as Task.Status
	ParentID string `json:"parent_id"` // "" without a parent
	After    *After // nil: it starts after no other task
	Counts   Counts
}

// Tree returns a task with all tasks that it waits for, directly or indirectly.
func (c *Client) Tree(ctx context.Context, taskID string) (*Tree, error) {
	out := &Tree{}
	return orNil(out, c.get(ctx, taskPath(taskID)+"/tree", out))
}
