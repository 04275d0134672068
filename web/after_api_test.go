package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
)

// after returns a request for a task that starts after the tasks `ids`. The argument `rest` is more JSON for its
// options.
func after(rest string, ids ...string) string {
	return `{"kind":"products.import","rows":[` + jsonRow + `],"options":{"after":["` + strings.Join(ids, `","`) + `"]` + rest + `}}`
}

// explained returns the code and text of the first reason why a task waits.
func (l *lab) explained(id string) (code, detail string) {
	l.t.Helper()
	reasons, _ := l.look("/api/v1/tasks/" + id + "/explain").object()["reasons"].([]any)
	if len(reasons) == 0 {
		return "", ""
	}
	first := reasons[0].(map[string]any)
	return first["code"].(string), first["detail"].(string)
}

// TestTaskAfterOthers_OverHTTP_WaitsAndSaysForWhat tests each form of a request.
func TestTaskAfterOthers_OverHTTP_WaitsAndSaysForWhat(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	first := l.begun(`{"kind":"products.import","name":"Customers","rows":[` + jsonRow + `]}`)
	next := l.begun(after(`,"after_outcome":"success"`, first))
	r := l.postForm(field("kind", "products.import"), field("options", `{"after":["`+first+`"]}`), file("a.csv", rows(1)))
	r.is(http.StatusAccepted)
	form := r.object()["id"].(string)
	l.split()
	waiting := func(id, outcome string, n float64) {
		t.Helper()
		o, _ := l.look("/api/v1/tasks/" + id + "?wait=0").object()["after"].(map[string]any)
		if ids, _ := o["tasks"].([]any); len(ids) != 1 || ids[0] != first || o["outcome"] != outcome || o["waiting"] != n {
			t.Errorf("after is %v, want task %s, %s, waiting %v", o, first, outcome, n)
		}
	}
	waiting(next, "success", 1)
	waiting(form, "any", 1)
	for id, want := range map[string]string{next: "AFTER_SUCCESS", form: "AFTER_TASKS"} {
		if code, detail := l.explained(id); code != want || !strings.Contains(detail, "Customers") {
			t.Errorf("the task waits because of %s: %q, want %s", code, detail, want)
		}
	}
	ended := l.begun(after(`,"after_outcome":"success"`, first))
	l.postJSON("/tasks/"+ended+"/cancel", "").is(http.StatusOK)
	l.canceled()
	l.look("/api/v1/tasks/"+ended).says("status", "canceled")
	if code, detail := l.explained(ended); code != "" {
		t.Errorf("a canceled task waits because of %s: %q", code, detail)
	}
	l.move(first, events.Finish, nil, 1)
	if code, _ := l.explained(next); strings.HasPrefix(code, "AFTER") {
		t.Errorf("the others have ended, and it waits because of %s", code)
	}
	l.postJSON("/tasks", after("", "x")).refuses(http.StatusUnprocessableEntity, "AFTER_NOT_FOUND")
	l.postJSON("/tasks", after(`,"after_outcome":"soon"`, first)).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS")
	l.postJSON("/tasks", `{"kind":"products.import","rows":[`+jsonRow+`],"options":{"after_outcome":"any"}}`).
		refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS")
}

// TestTaskAfterOthers_NeverToStart_IsRefused tests cycles and canceled tasks.
func TestTaskAfterOthers_NeverToStart_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	parent := l.begun(openTask)
	l.postJSON("/tasks", after(`,"parent_id":"`+parent+`"`, parent)).refuses(http.StatusUnprocessableEntity, "AFTER_CYCLE")
	l.postJSON("/tasks/"+parent+"/cancel", "").is(http.StatusOK)
	l.postJSON("/tasks", after("", parent)).refuses(http.StatusUnprocessableEntity, "AFTER_CANCELED")
}

// TestTaskTree_ChildrenAndTasksBefore_AreSummed: a task starts after a parent with one child of two rows.
func TestTaskTree_ChildrenAndTasksBefore_AreSummed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	parent := l.begun(openTask)
	child := l.begun(`{"kind":"products.import","rows":[` + jsonRow + `,` + jsonRow + `],"parent_id":"` + parent + `"}`)
	next := l.begun(after("", parent))
	l.begun(openTask) // does not belong to the tree
	l.split()
	shows := func(want ...any) {
		t.Helper()
		r := l.look("/api/v1/tasks/" + next + "/tree")
		r.is(http.StatusOK)
		o := r.object()
		counts := o["counts"].(map[string]any)
		if got := []any{len(o["tasks"].([]any)), counts["total"], counts["finish"], o["percent"], o["done"]}; !slices.Equal(got, want) {
			t.Errorf("the tree has %v tasks, total, finish, percent, done; want %v: %s", got, want, r.body)
		}
	}
	shows(3, 3.0, 0.0, nil, false)
	l.postJSON("/tasks/"+parent+"/close", "").is(http.StatusAccepted)
	l.move(child, events.Finish, nil, 1)
	shows(3, 3.0, 1.0, 33.0, false)
	l.move(child, events.Finish, nil, 2)
	shows(3, 3.0, 2.0, 66.0, false)
	l.move(next, events.Finish, nil, 1)
	shows(3, 3.0, 3.0, 100.0, true)
	page := l.look("/tasks/"+next, "Accept", htmlType)
	for _, want := range []string{"/tasks/" + parent + `"`, "/tasks/" + child + `"`, "3 of 3 rows"} {
		if page.status != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("the page does not show %s: %d", want, page.status)
		}
	}
}
