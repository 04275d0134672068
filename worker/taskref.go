package worker

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskRef refers to a task. Make it with Definition.Task or Client.Find.
type TaskRef struct {
	ID     string
	Tenant string

	client *Client
}

// Counts holds the numbers of a task's jobs by state.
type Counts = tasks.Counts

// Find returns a reference to a task of a tenant by its id. It does not check that the task exists.
func (c *Client) Find(tenant, taskID string) *TaskRef {
	return &TaskRef{ID: taskID, Tenant: tenant, client: c}
}

// Get reads the task, or returns tasks.ErrNotFound.
func (r *TaskRef) Get(ctx context.Context) (*tasks.Task, error) {
	return r.client.tasks.Get(ctx, r.Tenant, r.ID)
}

// Counts returns the numbers of its jobs by state.
func (r *TaskRef) Counts(ctx context.Context) (Counts, error) {
	t, err := r.Get(ctx)
	if err != nil {
		return Counts{}, err
	}
	return t.Counts, nil
}

// The pauses between two reads of Wait.
const (
	firstLook = 20 * time.Millisecond
	lastLook  = time.Second
)

// Wait returns the status of the task once it is done, or the cause of ctx.
func (r *TaskRef) Wait(ctx context.Context) (tasks.Status, error) {
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		t, err := r.Get(ctx)
		if err != nil {
			return "", err
		}
		if t.Status.Done() {
			return t.Status, nil
		}
		select {
		case <-ctx.Done():
			return t.Status, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
