package worker

import (
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of the options.
const (
	maxTenant   = 100 // bytes
	maxName     = 255 // characters
	maxLabels   = 50
	maxPriority = 1000
)

// EnqueueOption is an option of a job or task.
type EnqueueOption func(*wish)

// wish holds the options of one call.
type wish struct {
	key      *string
	name     string
	tenant   string
	parent   string
	priority int
	labels   map[string]string
	at       time.Time
	delay    time.Duration
}

// Key sets the ordering key, instead of the key field: jobs with equal keys run one after another.
// At most MaxKey bytes. An empty key means that the job has no order. Not for Definition.Task,
// where each row has its key.
func Key(key string) EnqueueOption { return func(w *wish) { w.key = &key } }

// Name sets the name of the task for people. One line of at most 255 characters.
func Name(name string) EnqueueOption { return func(w *wish) { w.name = name } }

// Tenant sets the owner of the task, instead of the client's tenant. At most 100 bytes, no slash.
func Tenant(tenant string) EnqueueOption { return func(w *wish) { w.tenant = tenant } }

// Priority sets the priority, from -1000 to 1000. Among the tasks of one tenant and kind, the
// highest is fed first. Default 0.
func Priority(n int) EnqueueOption { return func(w *wish) { w.priority = n } }

// Labels sets the labels of the task, for people and lists. At most 50.
func Labels(labels map[string]string) EnqueueOption {
	return func(w *wish) { w.labels = maps.Clone(labels) }
}

// Delay sets the time to wait before the first run; At sets the time itself. Both are exact to
// about a second. Delayed jobs use no room in the queue.
func Delay(d time.Duration) EnqueueOption { return func(w *wish) { w.delay = d } }

// At sets the earliest time to run. The zero time means now.
func At(t time.Time) EnqueueOption { return func(w *wish) { w.at = t } }

// Parent makes the task a child of the task with that id. The parent is done after its children. It
// must have the same tenant and must not be done.
func Parent(taskID string) EnqueueOption { return func(w *wish) { w.parent = taskID } }

// Unique deduplicates the jobs of a kind. If an unfinished job with the same arguments and tenant
// was enqueued within the window, Enqueue returns it and adds none. 0 disables deduplication.
func Unique(window time.Duration) Option { return func(k *Kind) { k.Unique = window } }

// wish collects options, and rejects invalid ones.
func (c *Client) wish(kind Kind, opts []EnqueueOption) (wish, error) {
	if c == nil {
		return wish{}, fmt.Errorf("worker: %s: %w", kind.Name, ErrNoClient)
	}
	w := wish{tenant: c.opt.Tenant}
	for _, o := range opts {
		o(&w)
	}
	if _, ok := c.kinds.Kind(kind.Name); !ok {
		return w, fmt.Errorf("worker: %s: %w", kind.Name, ErrUnknownKind)
	}
	if complaint := w.complaint(); complaint != "" {
		return w, fmt.Errorf("worker: %s: %w: %s", kind.Name, ErrOption, complaint)
	}
	if w.delay > 0 {
		w.at = c.opt.Now().Add(w.delay)
	}
	return w, nil
}

func (w *wish) complaint() string {
	switch {
	case w.tenant == "" || len(w.tenant) > maxTenant || !oneLine(w.tenant) || strings.Contains(w.tenant, "/"):
		return fmt.Sprintf("a tenant is one line of 1 to %d bytes, without a slash", maxTenant)
	case !oneLine(w.name) || utf8.RuneCountInString(w.name) > maxName:
		return fmt.Sprintf("a name is one line of at most %d characters", maxName)
	case w.priority < -maxPriority || w.priority > maxPriority:
		return fmt.Sprintf("a priority is from %d to %d", -maxPriority, maxPriority)
	case w.delay < 0 || w.delay > 0 && !w.at.IsZero():
		return "a delay is not negative, and comes without a time"
	case !w.at.IsZero() && (w.at.Year() < 1970 || w.at.Year() > 2200):
		return "a time to run is between 1970 and 2200"
	case len(w.labels) > maxLabels:
		return fmt.Sprintf("there are at most %d labels", maxLabels)
	}
	for name, value := range w.labels {
		if name == "" || !oneLine(name) || !oneLine(value) || len(name)+len(value) > 4*maxName {
			return "a label is a name and a text, both in one short line"
		}
	}
	return ""
}

// oneLine reports whether a text is valid UTF-8 without control characters.
func oneLine(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(s) && !strings.ContainsFunc(s, control)
}

// runAt returns the earliest time to run, in unix milliseconds; 0 means at once.
func (w *wish) runAt() int64 {
	if w.at.IsZero() {
		return 0
	}
	return w.at.UnixMilli()
}
