package worker

import (
	"context"
	"errors"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Client adds and reads jobs and tasks. It is safe for concurrent use.
type Client struct {
	inner *enqueue.Client
	close []func() error
}

// ClientOptions holds the settings of a Client. The zero value works.
type ClientOptions struct {
	Tenant string        // owner of tasks without the option Tenant. Default "default"
	Keep   time.Duration // how long a done task is kept. Default 90 days
	Chunk  int           // rows of Definition.Task that are committed at once. Default 1,000
	Claim  time.Duration // a Definition.Task whose process died fails after this time. Default 30s
}

func init() { enqueue.Publish(func(c *enqueue.Client) any { return &Client{inner: c} }) }

// Wake starts the feeding of rows. Call it after the commit of an EnqueueTx.
func (c *Client) Wake(ctx context.Context) error { return c.inner.Wake(ctx) }

// Close ends the connections that Connect opened.
func (c *Client) Close() error {
	c.inner.Flush()
	var errs []error
	for _, end := range c.close {
		errs = append(errs, end())
	}
	c.close = nil
	return errors.Join(errs...)
}

// innerClient returns the service's client that c uses, or nil for a nil c.
func (c *Client) innerClient() *enqueue.Client {
	if c == nil {
		return nil
	}
	return c.inner
}

// Find returns a reference to a task. It does not check that the task exists.
func (c *Client) Find(tenant, taskID string) *TaskRef {
	return &TaskRef{ID: taskID, Tenant: tenant, client: c.inner}
}

// TaskRef is a reference to a task, from Definition.Task or Client.Find.
type TaskRef struct {
	ID, Tenant string

	client *enqueue.Client
}

// Counts holds the numbers of a task's jobs by status.
type Counts = tasks.Counts

// Get returns the task, or an error such as tasks.ErrNotFound.
func (r *TaskRef) Get(ctx context.Context) (*tasks.Task, error) {
	return r.client.Task(ctx, r.Tenant, r.ID)
}

// Counts returns the numbers of the task's jobs by status.
func (r *TaskRef) Counts(ctx context.Context) (Counts, error) {
	t, err := r.Get(ctx)
	if err != nil {
		return Counts{}, err
	}
	return t.Counts, nil
}

// firstPause and lastPause are the shortest and the longest pause between two reads of a task or a
// job that has not ended.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// Wait returns the status when the task is done, or an error of Get or ctx.
func (r *TaskRef) Wait(ctx context.Context) (tasks.Status, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
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
