package enqueue

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the limits of the fields of TaskOptions.
const (
	maxTenant   = 100 // bytes
	maxName     = 255 // characters
	maxLabels   = 50
	maxPriority = 1000
)

// TaskOptions holds the options of one call that adds a job or a task.
type TaskOptions struct {
	Key      *string // ordering key; nil means the value of the key field
	Name     string
	Tenant   string // empty means the tenant of the client
	Parent   string
	After    []string // ids of the tasks that must end before this one starts
	Well     bool     // the tasks in After must succeed
	Priority int
	Labels   map[string]string
	At       time.Time
	Delay    time.Duration
}

// TaskOptions returns the defaults of the client with the changes of the function `set`. It returns an
// error for an invalid option, an unregistered kind, or a nil client.
func (c *Client) TaskOptions(kind jobs.Kind, set func(*TaskOptions)) (TaskOptions, error) {
	if c == nil {
		return TaskOptions{}, fmt.Errorf("worker: %s: %w", kind.Name, ErrNoClient)
	}
	w := TaskOptions{Tenant: c.opt.Tenant}
	set(&w)
	if _, ok := c.kinds.Kind(kind.Name); !ok {
		return w, fmt.Errorf("worker: %s: %w", kind.Name, ErrUnknownKind)
	}
	if complaint := w.complaint(); complaint != "" {
		return w, fmt.Errorf("worker: %s: %w: %s", kind.Name, ErrOption, complaint)
	}
	if w.Delay > 0 {
		w.At, w.Delay = c.opt.Now().Add(w.Delay), 0
	}
	return w, nil
}

func (w *TaskOptions) complaint() string {
	switch {
	case w.Tenant == "" || len(w.Tenant) > maxTenant || !oneLine(w.Tenant) || strings.Contains(w.Tenant, "/"):
		return fmt.Sprintf("a tenant must be one line of 1 to %d bytes, without a slash", maxTenant)
	case !oneLine(w.Name) || utf8.RuneCountInString(w.Name) > maxName:
		return fmt.Sprintf("a name must be one line of at most %d characters", maxName)
	case w.Priority < -maxPriority || w.Priority > maxPriority:
		return fmt.Sprintf("a priority must be from %d to %d", -maxPriority, maxPriority)
	case w.Delay < 0 || w.Delay > 0 && !w.At.IsZero():
		return "a delay must not be negative, and excludes a time to run"
	case !w.At.IsZero() && (w.At.Year() < 1970 || w.At.Year() > 2200):
		return "a time to run must be between 1970 and 2200"
	case len(w.After) > tasks.MaxAfter:
		return fmt.Sprintf("a task can start after at most %d tasks", tasks.MaxAfter)
	case len(w.Labels) > maxLabels:
		return fmt.Sprintf("a task can have at most %d labels", maxLabels)
	}
	for name, value := range w.Labels {
		if name == "" || !oneLine(name) || !oneLine(value) || len(name)+len(value) > 4*maxName {
			return "a label must be a name and a text, each one short line"
		}
	}
	return ""
}

// oneLine reports whether a text is valid UTF-8 without ASCII control characters.
func oneLine(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(s) && !strings.ContainsFunc(s, control)
}

// runAt returns the earliest time at which the job runs, in unix ms; 0 means immediately.
func (w *TaskOptions) runAt() int64 {
	if w.At.IsZero() {
		return 0
	}
	return w.At.UnixMilli()
}
