package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/web"
)

// keep lets an hour pass, and runs the cleaner once.
func (l *lab) keep() {
	l.t.Helper()
	l.pass(time.Hour)
	k := retention.New(l.opt.Tasks, l.opt.Events, l.opt.Files, retention.Options{})
	fine(l.t, k.Clean(l.t.Context()))
}

// TestExpiredTask: after the retention time of a task, each of its paths answers 410 with the reason. Other tenants
// receive 404.
func TestExpiredTask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", "SKU,Name,Price\nA,a,1\n", `{"retention_days": 2}`)
	fileID := l.task(id).FileID
	l.split()
	l.pass(24 * time.Hour)
	l.move(id, "finish", nil, 1)
	want := l.clock().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	if got := l.look("/api/v1/tasks/" + id).object()["expires_at"]; !strings.HasPrefix(fmt.Sprint(got), want[:19]) {
		t.Errorf("expires_at = %v, want %v", got, want)
	}
	l.pass(47 * time.Hour)
	l.keep() // an hour more
	l.look("/api/v1/tasks/" + id).is(http.StatusOK)
	l.pass(time.Hour)
	l.keep()

	other := *l
	opt := l.opt
	opt.Tenant = "other"
	srv := httptest.NewServer(web.New(opt))
	t.Cleanup(srv.Close)
	other.url = srv.URL
	for _, path := range []string{
		"/tasks/" + id, "/tasks/" + id + "/events", "/tasks/" + id + "/errors", "/tasks/" + id + "/stream",
		"/tasks/" + id + "/error-groups", "/tasks/" + id + "/result?format=csv", "/events/" + id + ".1",
	} {
		r := l.look("/api/v1" + path)
		r.refuses(http.StatusGone, "TASK_EXPIRED", "time")
		other.call(http.MethodGet, "/api/v1"+path, "").refuses(http.StatusNotFound, "NOT_FOUND")
	}
	l.look("/tasks/" + id).is(http.StatusGone)
	l.look("/api/v1/files/"+fileID+"/content").refuses(http.StatusGone, "FILE_EXPIRED")
	if items, _ := l.look("/api/v1/tasks").items(); len(items) != 0 {
		t.Errorf("the list has %v", items)
	}
}

// TestExpiredFile: after a week, the upload is deleted, but its rows are not.
func TestExpiredFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	const content = "SKU,Name,Price\nA,a,no\n"
	id := l.accepted("März.csv", content, "")
	path := "/api/v1/files/" + l.task(id).FileID + "/content"
	l.split()
	r := l.look(path)
	r.is(http.StatusOK)
	r.has("Content-Type", "text/csv; charset=utf-8", "ETag", `"`+l.task(id).FileSHA256+`"`)
	if r.body != content {
		t.Errorf("the file is %q, want %q", r.body, content)
	}
	part := l.call(http.MethodGet, path, "", "Range", "bytes=4-7")
	part.is(http.StatusPartialContent)
	if part.body != content[4:8] {
		t.Errorf("bytes 4-7 are %q", part.body)
	}
	l.pass(8 * 24 * time.Hour)
	l.keep()
	l.look(path).refuses(http.StatusGone, "FILE_EXPIRED", "rows")
	if items, _ := l.look("/api/v1/tasks/" + id + "/errors").items(); len(items) != 1 {
		t.Errorf("failed rows: %v, want 1", items)
	}
	l.look("/api/v1/tasks/" + id + "/result?format=csv").is(http.StatusOK)
	l.look("/api/v1/files/none/content").refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestRetentionDays: an import chooses how long it is kept, within limits.
func TestRetentionDays(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, bad := range []string{"0", "-1", "3651", "1.5", `"7"`} {
		r := l.upload("p.csv", "SKU,Name,Price\nA,a,1\n", `{"retention_days": `+bad+`}`)
		r.refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "retention_days")
	}
	for _, good := range []int{1, 3650} {
		id := l.accepted("p.csv", "SKU,Name,Price\nA,a,1\n", fmt.Sprintf(`{"retention_days": %d}`, good))
		if got := l.task(id).Keep; got != int64(good)*24*3600*1000 {
			t.Errorf("kept for %d ms, want %d days", got, good)
		}
	}
}
