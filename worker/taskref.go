package worker

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskRef names a task. Make it with Definition.Task or Client.Find.
type TaskRef struct {
	ID     string
	Tenant string

	client *Client
}

// Counts is where the jobs of a task stand.
type Counts = tasks.Counts

// Find names a task of a tenant by its id. It does not look whether it exists.
func (c *Client) Find(tenant, taskID string) *TaskRef {
	return &TaskRef{ID: taskID, Tenant: tenant, client: c}
}

// Get reads the task, or returns tasks.ErrNotFound.
func (r *TaskRef) Get(ctx context.Context) (*tasks.Task, error) {
	return r.client.tasks.Get(ctx, r.Tenant, r.ID)
}

// Counts reads where its jobs stand.
func (r *TaskRef) Counts(ctx context.Context) (Counts, error) {
	t, err := r.Get(ctx)
	if err != nil {
		return Counts{}, err
	}
	return t.Counts, nil
}

// The pauses between two looks of Wait.
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
