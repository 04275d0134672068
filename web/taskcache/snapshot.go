package taskcache

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// Snapshot is a task at one moment. It is never changed.
type Snapshot struct {
	Task *tasks.Task // nil inside the cache after Invalidate

	err     error // why there is no task
	texts   *texts
	turn    int64
	at      time.Time
	changed chan struct{} // closed when another version is known; nil if no read will close it
}

// texts are the JSON texts of a version by language, rendered on demand.
type texts struct {
	render Render
	mu     sync.Mutex
	done   map[string]Text
}

// Text is a version of a task in one language, as it goes over the wire.
type Text struct {
	Body []byte // JSON

	frame []byte // Body as a server-sent event
}

// Changed returns a channel that is closed when this process knows another version. It is nil
// if no read will close it.
func (s *Snapshot) Changed() <-chan struct{} { return s.changed }

// In returns the task in a language. Each version is rendered once per language.
func (s *Snapshot) In(lang string) (Text, error) {
	t := s.texts
	t.mu.Lock()
	defer t.mu.Unlock()
	if done, ok := t.done[lang]; ok {
		return done, nil
	}
	body, err := json.Marshal(t.render(lang))
	if err != nil {
		return Text{}, err
	}
	name := "progress"
	if s.Task.Status.Done() {
		name = "done"
	}
	frame := fmt.Appendf(nil, "event: %s\nid: %d\ndata: %s\n\n", name, s.Task.Version, body)
	end := len(frame) - len("\n\n")
	done := Text{Body: frame[end-len(body) : end], frame: frame}
	t.done[lang] = done
	return done, nil
}
