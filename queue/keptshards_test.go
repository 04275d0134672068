package queue

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// textLog holds the logged lines.
type textLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *textLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *textLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestShards_ChangedAfterTheFirstStart_AreAnsweredWithWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.serve(w.quick(), Worker{Queue: "q", Shards: 3, Handle: blank})
	until(t, "the first start has made the queue", func() bool {
		st, err := w.client().Admin().Stats(t.Context(), "q")
		return err == nil && len(st.Shards) == 3
	})
	first.Stop()
	log := &textLog{}
	opt := w.quick()
	opt.Log = slog.New(slog.NewTextHandler(log, nil))
	w.serve(opt, Worker{Queue: "q", Shards: 7, Handle: blank})
	until(t, "the log says how to change the shards", func() bool {
		text := log.String()
		return strings.Contains(text, "level=WARN") && strings.Contains(text, "worker reshard QUEUE N") &&
			strings.Contains(text, "shards=3 configured=7")
	})
}
