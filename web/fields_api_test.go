package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// failedOnes adds a task of five rows, of which the last two are bad.
func (l *lab) failedOnes() (id string) {
	l.t.Helper()
	id = l.accepted("a.csv", rows(5), "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Value: "<x>", Message: "no such brand"}, 4, 5)
	return id
}

// TestFields_ListsAndObjects_HaveOnlyTheseMembers: the members are in the order of the contract, whatever the
// order of the names in the request is.
func TestFields_ListsAndObjects_HaveOnlyTheseMembers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.failedOnes()
	for path, want := range map[string]string{
		"/tasks?fields=status,id":           `{"items":[{"id":"ID","status":"running"}],"next_cursor":null}`,
		"/tasks?fields=parent_id":           `{"items":[{}],"next_cursor":null}`,
		"/tasks?fields=id&status=open":      `{"items":[],"next_cursor":null}`,
		"/tasks/ID?fields=status,id,status": `{"id":"ID","status":"running"}`,
		"/tasks/ID/errors?fields=row,value": `{"items":[{"row":5,"value":"\u003cx\u003e"},{"row":6,"value":"\u003cx\u003e"}],"next_cursor":null}`,
		"/events/ID.4?fields=column,seq":    `{"seq":4,"column":"Brand"}`,
	} {
		r := l.look("/api/v1" + strings.ReplaceAll(path, "ID", id))
		r.is(http.StatusOK)
		if want = strings.ReplaceAll(want, "ID", id); r.body != want {
			t.Errorf("%s: %s, want %s", path, r.body, want)
		}
	}
	page := l.look("/api/v1/tasks/" + id + "/events?fields=seq&limit=2").object()
	if items := page["items"].([]any); len(items) != 2 || len(items[0].(map[string]any)) != 1 || page["version"] == nil || page["next_cursor"] == nil {
		t.Errorf("a page of rows is %v", page)
	}
	for _, path := range []string{"/tasks", "/tasks/" + id, "/tasks/" + id + "/events", "/events/" + id + ".1"} {
		l.look("/api/v1"+path+"?fields=id,colour").refuses(http.StatusBadRequest, "INVALID_PARAMETER", `"pointer":"?fields"`, "fields must be of [id ", "status")
	}
	l.look("/api/v1/kinds?fields=name").refuses(http.StatusBadRequest, "INVALID_PARAMETER", `"pointer":"?fields"`)
}

// TestFields_PageOfAnotherCut_IsTheSameList: the cursor of a list is valid for all fields.
func TestFields_PageOfAnotherCut_IsTheSameList(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.failedOnes()
	path := "/api/v1/tasks/" + id + "/events?limit=2&fields=seq"
	if got := l.through(path, "seq", func() { path += ",row" }); !slices.Equal(got, []string{"1", "2", "3", "4", "5"}) {
		t.Errorf("the rows are %v", got)
	}
	_, next := l.look(path).items()
	l.look("/api/v1/tasks/" + id + "/events?cursor=" + url.QueryEscape(next)).is(http.StatusOK)
}

// TestFields_Poll_KeepsETagAnd304: polls without fields are not affected.
func TestFields_Poll_KeepsETagAnd304(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.failedOnes()
	path := "/api/v1/tasks/" + id
	whole, part := l.look(path), l.look(path+"?fields=version,counts")
	if tag := whole.header.Get("ETag"); tag == "" || part.header.Get("ETag") != tag || len(part.object()) != 2 {
		t.Errorf("the ETag is %q, that of a part %q: %s", tag, part.header.Get("ETag"), part.body)
	}
	l.look(path+"?fields=version", "If-None-Match", whole.header.Get("ETag")).is(http.StatusNotModified)
	if again := l.look(path); again.body != whole.body {
		t.Errorf("the cache has %s", again.body)
	}
	l.move(id, events.Finish, nil, 1)
	l.look(path+"?fields=version&wait=5", "If-None-Match", whole.header.Get("ETag")).is(http.StatusOK)
	began := time.Now()
	l.look(path+"?fields=x&wait=30").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	if took := time.Since(began); took > 25*time.Second {
		t.Errorf("a wrong name is refused after %v", took)
	}
	if links := l.look(path + "?fields=links").object()["links"]; links == nil {
		t.Error("there are no links")
	}
}

// TestFields_Links_HaveTheBase: links begin with the base of the service.
func TestFields_Links_HaveTheBase(t *testing.T) {
	t.Parallel()
	l, task := atBase(t)
	for _, path := range []string{"/team/rollcall/api/v1/tasks?fields=links", "/team/rollcall/api/v1/tasks/" + task + "?fields=links"} {
		if r := l.direct(http.MethodGet, path, ""); !strings.Contains(r.body, `"self":"/team/rollcall/api/v1/tasks/`+task+`"`) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

// TestFields_KeysOfQueues_HaveOnlyTheseMembers tests waiting keys, and those in the morgue.
func TestFields_KeysOfQueues_HaveOnlyTheseMembers(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	list, _ := y.acme.look("/api/v1/queues/" + patients + "/jobs?fields=id&limit=1").items()
	if len(list) != 1 || len(list[0]) != 1 || list[0]["id"] == nil {
		t.Errorf("the keys are %v", list)
	}
	y.acme.look("/api/v1/queues/"+patients+"/morgue?fields=ids").refuses(http.StatusBadRequest, "INVALID_PARAMETER", "fields must be of [id")
}
