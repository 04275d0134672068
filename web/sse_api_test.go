package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
)

// TestTheEndOfAStream: a done task is sent once. A client that has this version gets 204, at which
// an EventSource stops.
func TestTheEndOfAStream(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	path, version := "/api/v1/tasks/"+id+"/stream", l.task(id).Version
	poll := l.look("/api/v1/tasks/" + id)
	for _, last := range []string{"", "1", "999"} {
		r := l.look(path, "Last-Event-ID", last)
		r.is(http.StatusOK)
		r.has("Content-Type", "text/event-stream", "X-Accel-Buffering", "no", "Cache-Control", "no-store, no-transform")
		want := fmt.Sprintf("retry: 2000\n\nevent: done\nid: %d\ndata: %s\n\n", version, poll.body)
		if r.body != want {
			t.Errorf("behind %q: %s, want %s", last, r.body, want)
		}
	}
	r := l.look(path, "Last-Event-ID", fmt.Sprint(version))
	if r.is(http.StatusNoContent); strings.TrimSpace(r.body) != "" {
		t.Errorf("nothing more: %q", r.body)
	}
}
