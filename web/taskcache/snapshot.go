package taskcache

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Snapshot is a task at one moment. It is never changed.
type Snapshot struct {
	Task *tasks.Task // nil inside the cache after Invalidate

	err     error // the reason why there is no task
	texts   *texts
	turn    int64
	at      time.Time
	changed chan struct{} // closed when another version is known; nil if no read will close it
}

// texts are the JSON texts of a version, rendered on demand.
type texts struct {
	render Render
	mu     sync.Mutex
	done   map[variant]Text // at most mostTexts
}

// variant is the language of a text and the path before its links.
type variant struct{ lang, base string }

// mostTexts bounds the cached texts of a version, because proxies may send any number of bases.
const mostTexts = 32

// Text is a version of a task in one language, in the form that is sent.
type Text struct {
	Body []byte // JSON

	frame []byte // Body as a server-sent event
}

// Changed returns a channel that is closed when this process has read another version. It is nil if no
// read will close it.
func (s *Snapshot) Changed() <-chan struct{} { return s.changed }

// In returns the task in a language, with a base before its links. Each version is rendered once per
// language and base.
func (s *Snapshot) In(lang, base string) (Text, error) {
	in := variant{lang, base}
	t := s.texts
	t.mu.Lock()
	defer t.mu.Unlock()
	if done, ok := t.done[in]; ok {
		return done, nil
	}
	body, err := json.Marshal(view.Rebase(t.render(lang), base))
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
	if len(t.done) < mostTexts {
		t.done[in] = done
	}
	return done, nil
}
