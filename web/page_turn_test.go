package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// pressButton sends the form of a button on a task's page, and follows the redirect.
func (l *lab) pressButton(id, verb string) string {
	l.t.Helper()
	if page := l.look("/tasks/" + id).body; !strings.Contains(string(page), `action="/tasks/`+id+"/"+verb+`"`) {
		l.t.Fatalf("no button to %s:\n%s", verb, words(string(page)))
	}
	return l.posted(id, verb)
}

func (l *lab) posted(id, verb string) string {
	l.t.Helper()
	r := l.call(http.MethodPost, "/tasks/"+id+"/"+verb, "")
	r.is(http.StatusSeeOther)
	if to := r.header.Get("Location"); to != "/tasks/"+id {
		l.t.Fatalf("%s leads to %q", verb, to)
	}
	return string(l.look("/tasks/" + id).body)
}

func TestATaskIsPausedResumedAndStoppedOnItsPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(4), "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.pass(10 * time.Second)
	page := l.pressButton(id, "pause")
	tells(t, page, "Paused", "Resume", "Stop…", "cannot be undone", "1 of 4 rows is imported.")
	for _, part := range []string{"moving", "ending"} {
		if strings.Contains(page, `<span data-when="`+part+`">`) {
			t.Errorf("the page of a paused task shows the part %q", part)
		}
	}
	tells(t, l.pressButton(id, "resume"), "Working", "Pause")
	tells(t, l.pressButton(id, "cancel"), "Stopping")
	l.canceled()
	page = l.posted(id, "pause") // from a page that was not up to date
	tells(t, page, "Stopped", "1 of 4 rows is imported.", "It was stopped", "3 stopped", "No row failed.")
	if main, _, _ := strings.Cut(page, "</main>"); strings.Contains(main, "<button") {
		t.Error("a task that is stopped has buttons")
	}
}

func TestTheButtonsOfAPageAreItsOwn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.call(http.MethodPost, "/tasks/nobody/pause", "").is(http.StatusNotFound)
	l.call(http.MethodPost, "/tasks/"+id+"/cancel", "", "Sec-Fetch-Site", "cross-site").
		is(http.StatusForbidden)
	if now := l.task(id); now.Status != "open" {
		t.Errorf("the task is %s after a post of another site", now.Status)
	}
}

func TestTheWordsOfATaskWithoutFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.begun(openTask)
	page := string(l.look("/tasks/" + id).body)
	tells(t, page, "Products", "Waiting for rows", "Rows so far: 0", "Type Products", "Sent")
	tells(t, string(l.look("/").body), "Imports", "Products", "Waiting")
	if strings.Contains(page, "file…") || strings.Contains(page, "be read") {
		t.Errorf("the page tells of a file that there is not:\n%s", words(page))
	}
}

func TestTheWordsOfTooManyFailures(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", heads+"A,a,-1,Acme\nB,b,-1,Acme\nC,c,1,Acme\n", `{"max_failures":1}`)
	l.split()
	l.canceled()
	page := string(l.look("/tasks/" + id).body)
	tells(t, page, "Stopped: too many rows failed", "Why the import was stopped", "More rows failed than the 1 allowed",
		"2 with errors", "1 stopped")
	if strings.Contains(page, "wrong with the file") {
		t.Error("the file is blamed for its rows")
	}
}

func TestAnUnknownValueIsNotCalledEmpty(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "NO_SUCH", Column: "Brand", Message: "unknown"}, 1)
	page := string(l.look("/tasks/" + id).body)
	tells(t, page, "2 Brand unknown")
}
