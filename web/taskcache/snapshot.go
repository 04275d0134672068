package taskcache

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Snapshot is the state of a task at one moment. It does not change.
type Snapshot struct {
	Task *tasks.Task // nil only inside the cache: after Invalidate, and if the task does not exist

	err     error // the reason why there is no task
	texts   *texts
	serial  int64
	at      time.Time
	changed chan struct{} // closed when another version is known; nil if no read will close it
}

// texts holds the rendered texts of one version of a task. A text is rendered when it is first
// requested.
type texts struct {
	render Render
	mu     sync.Mutex
	done   map[variant]Text // at most mostTexts
}

// variant is the identity of a text of a version: its language, and the base path of its links.
type variant struct{ lang, base string }

// mostTexts bounds the cached texts of one version of a task, because proxies may send any number
// of different base paths.
const mostTexts = 32

// Text is a rendered version of a task, as the client receives it.
type Text struct {
	Body []byte // JSON

	frame []byte // Body as a server-sent event
}

// Changed returns a channel. The cache closes the channel when this process has read another version of
// the task, or has changed the task. The channel is nil if no later read will close it.
func (s *Snapshot) Changed() <-chan struct{} { return s.changed }

// In returns the text of the task in a language. The argument `base` is the base path of the links in
// the text. The method caches the first mostTexts texts, and renders any other text at each call.
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
