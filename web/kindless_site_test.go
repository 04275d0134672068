package web_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// kindless returns a lab whose kind "mails.send" has no columns, and a task whose kind is replaced by
// the given one.
func kindless(t *testing.T, kind string) (l *lab, id string) {
	t.Helper()
	bare := jobs.KindOf(worker.Define("mails.send", func(context.Context, *worker.Job[struct{}]) error { return nil }))
	l = newLab(t, func(o *web.Options) { o.Kinds = o.Kinds.With(bare) })
	id = l.accepted("prices.csv", wrong, "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 5)
	l.review(id, "repair", `{"filter":{},"patch":{"set":{"Price":"unknown"}}}`).is(http.StatusOK) // an act, which the grid offers to undo
	fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET kind = ?", kind).Error)
	return l, id
}

// TestKind_UnregisteredOrWithoutColumns_RowsAreShown tests the pages and the API: rows stay visible
// after their kind has left the program, and acts on them are rejected.
func TestKind_UnregisteredOrWithoutColumns_RowsAreShown(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{"unregistered": "gone", "without columns": "mails.send"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, id := kindless(t, kind)
			tells(t, l.page("/ops/rows/"+id+".5"), "Row 6 of prices.csv", "Values of the row", "Brand", "Acme", "SKU", "E")
			task, row := "/tasks/"+id, "/events/"+id+".2"
			for _, at := range []string{
				"/ops/rows/" + id + ".1", "/ops/rows/" + id + ".2", "/ops/rows?q=A", "/ops", "/ops/errors", "/ops/tasks",
				"/", task, task + "/repair", task + "/repair?code=SYSTEM_ERROR", task + "/rows/1", task + "/rows/2", task + "/rows/5",
			} {
				l.page(at)
			}
			for _, at := range []string{
				row, row + "/explain", task, task + "/explain", task + "/events", task + "/errors",
				task + "/error-groups", task + "/tree", task + "/audit", task + "/result",
			} {
				l.look("/api/v1" + at).is(http.StatusOK)
			}
			l.rejectsKind(id, kind)
		})
	}
}

// rejectsKind sends files with rows for the kind, and acts on the rows of its task.
func (l *lab) rejectsKind(id, kind string) {
	l.t.Helper()
	code := map[string]string{"gone": "UNKNOWN_KIND", "mails.send": "KIND_WITHOUT_ROWS"}[kind]
	upload := form(field("kind", kind), file("a.csv", wrong))
	for _, r := range []reply{
		l.correct(id, "prices.csv", wrong), l.correct(id, "a.jsonl", `{"id":"`+id+`.2","Price":"1"}`),
		l.call(http.MethodPost, "/api/v1/tasks", upload, "Content-Type", multipartType),
		l.call(http.MethodPost, previewPath, upload, "Content-Type", multipartType),
	} {
		r.refuses(http.StatusUnprocessableEntity, code)
	}
	for _, patch := range []string{`{"set":{"Price":"1"}}`, `{"replace":{"column":"Price","find":"x","with":"1"}}`} {
		r := l.review(id, "repair", `{"filter":{},"patch":`+patch+`}`)
		if kind == "gone" {
			r.refuses(http.StatusConflict, "UNKNOWN_KIND", "This process does not register the kind")
		} else if r.status != http.StatusUnprocessableEntity {
			l.t.Errorf("repair of the kind %s with %s = %d\n%s", kind, patch, r.status, r.body)
		}
	}
}
