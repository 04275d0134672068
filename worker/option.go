package worker

import (
	"maps"
	"time"

	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// EnqueueOption is an option of a job or task.
type EnqueueOption func(*callOptions)

// callOptions holds the options of one call.
type callOptions struct{ enqueue.TaskOptions }

// Key replaces the key field; "" means no order. Definition.Task rejects it.
func Key(key string) EnqueueOption { return func(o *callOptions) { o.Key = &key } }

// Name sets the task's name for people: one line of at most 255 characters.
func Name(name string) EnqueueOption { return func(o *callOptions) { o.Name = name } }

// Tenant sets the owner of the task: at most 100 bytes, no slash.
func Tenant(tenant string) EnqueueOption {
	return func(o *callOptions) { o.Tenant = tenant }
}

// Priority sets the order, -1000 to 1000, of tasks of a tenant and kind.
func Priority(n int) EnqueueOption { return func(o *callOptions) { o.Priority = n } }

// Labels sets the labels of the task, at most 50. Lists can filter by them.
func Labels(labels map[string]string) EnqueueOption {
	return func(o *callOptions) { o.Labels = maps.Clone(labels) }
}

// Delay sets the wait before the first run, accurate to about a second.
func Delay(d time.Duration) EnqueueOption {
	return func(o *callOptions) { o.Delay = d }
}

// At sets the earliest time to run. The zero time means now.
func At(t time.Time) EnqueueOption { return func(o *callOptions) { o.At = t } }

// Parent makes the task a child of another, which waits for its children.
func Parent(taskID string) EnqueueOption {
	return func(o *callOptions) { o.Parent = taskID }
}

// After starts the task after others end. If one is canceled, so is the task.
func After(taskIDs ...string) EnqueueOption {
	return func(o *callOptions) { o.After, o.Well = taskIDs, false }
}

// AfterSuccess is like After, but waits until the tasks end with success.
func AfterSuccess(taskIDs ...string) EnqueueOption {
	return func(o *callOptions) { o.After, o.Well = taskIDs, true }
}

// taskOptions applies options to the defaults of the client. It returns ErrOption for an invalid option.
func (c *Client) taskOptions(kind jobs.Kind, opts []EnqueueOption) (enqueue.TaskOptions, error) {
	return c.innerClient().TaskOptions(kind, func(w *enqueue.TaskOptions) {
		all := callOptions{*w}
		for _, o := range opts {
			o(&all)
		}
		*w = all.TaskOptions
	})
}
