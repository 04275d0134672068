package worker

import (
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode/utf8"
)

// The most that an option may hold.
const (
	maxTenant   = 100 // bytes
	maxName     = 255 // characters
	maxLabels   = 50
	maxPriority = 1000
)

// EnqueueOption tells more about a job or task than its arguments do.
type EnqueueOption func(*wish)

// wish is what the options of one call ask for.
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

// Key is the ordering key, instead of the key field: jobs of equal key run one
// after another. At most MaxKey bytes; empty means a key of its own. Not for
// Definition.Task, whose rows have a key each.
func Key(key string) EnqueueOption { return func(w *wish) { w.key = &key } }

// Name is what people call the task. One line of at most 255 characters.
func Name(name string) EnqueueOption { return func(w *wish) { w.name = name } }

// Tenant owns the task, instead of the client's. At most 100 bytes, no slash.
func Tenant(tenant string) EnqueueOption { return func(w *wish) { w.tenant = tenant } }

// Priority is fed the earlier the greater it is, from -1000 to 1000, among the
// tasks of one tenant and kind. Default 0.
func Priority(n int) EnqueueOption { return func(w *wish) { w.priority = n } }

// Labels are kept with the task, for people and their lists. At most 50.
func Labels(labels map[string]string) EnqueueOption {
	return func(w *wish) { w.labels = maps.Clone(labels) }
}

// Delay is how long nothing of it runs; At says when instead. Both are kept to
// about a second, and use no room in the queue while they wait.
func Delay(d time.Duration) EnqueueOption { return func(w *wish) { w.delay = d } }

// At is the earliest time to run. The zero time means now.
func At(t time.Time) EnqueueOption { return func(w *wish) { w.at = t } }

// Parent makes it a child of the task with that id, which is then done only
// when its children are. The parent must be of the same tenant and not done.
func Parent(taskID string) EnqueueOption { return func(w *wish) { w.parent = taskID } }

// Unique is an option of a kind: Enqueue of the same arguments for the same
// tenant, while a job of them is unfinished that was enqueued within the
// window, adds nothing and returns that job. 0 allows any number.
func Unique(window time.Duration) Option { return func(k *Kind) { k.Unique = window } }

// wish gathers options, and refuses what no task can have.
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

// oneLine tells whether a text can be stored and shown.
func oneLine(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(s) && !strings.ContainsFunc(s, control)
}

// runAt is when it may run, in unix milliseconds; 0 means at once.
func (w *wish) runAt() int64 {
	if w.at.IsZero() {
		return 0
	}
	return w.at.UnixMilli()
}
