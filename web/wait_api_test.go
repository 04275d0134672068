package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// prefers starts an import of two rows with a header Prefer.
func (l *lab) prefers(prefer string) (reply, error) {
	body := form(field("kind", "products.import"), file("a.csv", rows(2)))
	return l.try(http.MethodPost, "/api/v1/tasks", strings.NewReader(body), "Content-Type", multipartType, "Prefer", prefer)
}

// TestPreferWait: the response has the finished task, if the task ends in time.
func TestPreferWait(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	got := make(chan reply)
	go func() {
		r, err := l.prefers("respond-async, wait=30")
		if err != nil {
			t.Error(err)
		}
		got <- r
	}()
	l.becomes("SELECT count(*) = 1 FROM rollcall.tasks")
	l.split()
	list, _ := l.look("/api/v1/tasks").items()
	l.move(text(list[0]["id"]), events.Finish, nil, 1, 2)
	r := <-got
	r.t = t
	r.is(http.StatusOK)
	if v := r.object(); v["done"] != true || v["outcome"] != "success" || r.header.Get("Retry-After") != "" ||
		r.header.Get("Preference-Applied") != "wait=30" || r.header.Get("Location") == "" || r.header.Get("ETag") == "" {
		t.Errorf("%v %s", r.header, r.body)
	}
}

// TestPreferencesThatEndEarly: a task that is not done in time, a preference that is no number, and
// a wait that ends with the service are answered with 202.
func TestPreferencesThatEndEarly(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for prefer, applied := range map[string]string{
		"wait=1": "wait=1", `WAIT="1"; x=y`: "wait=1", "wait=0": "", "wait=-1": "", "wait=x": "", "wait": "",
		"return=minimal": "",
	} {
		r, err := l.prefers(prefer)
		fine(t, err)
		if r.is(http.StatusAccepted); r.header.Get("Preference-Applied") != applied || r.object()["done"] != false {
			t.Errorf("%s: %v %s", prefer, r.header, r.body)
		}
	}
	got := make(chan reply)
	go func() {
		r, err := l.prefers("wait=99999")
		if err != nil {
			t.Error(err)
		}
		got <- r
	}()
	l.becomes("SELECT count(*) = 8 FROM rollcall.tasks")
	begun := time.Now()
	l.api.Stop()
	r := <-got
	r.t = t
	if r.is(http.StatusAccepted); r.header.Get("Preference-Applied") != "wait=30" || time.Since(begun) > 25*time.Second {
		t.Errorf("%v after %v", r.header, time.Since(begun))
	}
}
