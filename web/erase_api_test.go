package web_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/retention"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// personal is a text that must not be stored anywhere after the deletion of the task or row that contains it.
const personal = "jane.doe@example.org"

// holds returns the tables of the ledger that have a text in a column of strings, once for each such value.
func (l *lab) holds(tables []string, text string) (out []string) {
	l.t.Helper()
	for _, table := range tables {
		var rows []map[string]any
		fine(l.t, l.db.Read.WithContext(context.Background()).Table("rollcall."+table).Find(&rows).Error)
		for _, row := range rows {
			for _, v := range row {
				if s, ok := v.(string); ok && strings.Contains(s, text) {
					out = append(out, table)
				}
			}
		}
	}
	return out
}

// TestErase_TaskOfAPerson_IsGoneAtOnce deletes a task whose rows failed, were edited and ran
// again, on both databases.
func TestErase_TaskOfAPerson_IsGoneAtOnce(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		tables := []string{
			"tasks", "events", "audit_log", "outbox", "error_groups", "checkpoints", "idempotency", "review_rows", "task_labels",
		}
		other := l.accepted("b.csv", rows(1), "")
		id := l.accepted(personal+".csv", heads+"S1,"+personal+",x,Acme\n", `{"labels":{"of":"`+personal+`"}}`)
		l.split()
		l.call(http.MethodDelete, "/api/v1/tasks/"+other, "").refuses(http.StatusConflict, "WRONG_STATUS", "cancel it first")
		again := []string{"Content-Type", jsonType, "Idempotency-Key", `"k1"`}
		l.call(http.MethodPost, "/api/v1/tasks/"+id+"/repair",
			`{"ids":["`+id+`.1"],"patch":{"set":{"Name":"`+personal+` x"}},"note":"`+personal+`"}`, again...).is(http.StatusOK)
		l.call(http.MethodPost, "/api/v1/tasks/"+id+"/resubmit", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`,
			"Content-Type", jsonType, "Idempotency-Key", `"k2"`).is(http.StatusAccepted)
		l.pass(time.Second)
		l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Value: personal, Message: personal}, 1)
		if got := l.holds(tables, personal); len(got) < 4 {
			t.Fatalf("the text is in %v: the test looks for nothing", got)
		}
		num, before := l.task(id).Num, l.stored()
		_, viewer := l.member("default", access.Reviewer)
		l.as(viewer).call(http.MethodDelete, "/api/v1/tasks/"+id, "").is(http.StatusForbidden)
		_, admin := l.member("default", access.Admin)
		as := l.as(admin)
		as.call(http.MethodDelete, "/api/v1/tasks/"+id, "").is(http.StatusNoContent)
		if got := l.holds(tables, personal); len(got) > 0 {
			t.Errorf("the text is still in %v", got)
		}
		var answers int64
		fine(t, l.db.Read.Table("rollcall.idempotency").Where("task = ? OR ref = ?", id, id).Count(&answers).Error)
		if left, err := l.opt.Events.List(t.Context(), num, events.Filter{}); err != nil || len(left) > 0 || answers > 0 {
			t.Errorf("left are %d rows, %d answers, %v", len(left), answers, err)
		}
		if after := l.stored(); after != before-1 {
			t.Errorf("%d files were stored before, %d after", before, after)
		}
		as.look("/api/v1/tasks/" + id).is(http.StatusGone)
		as.call(http.MethodDelete, "/api/v1/tasks/"+id, "").is(http.StatusGone)
		as.look("/api/v1/tasks/" + other).is(http.StatusOK)
		list, _ := as.look("/api/v1/audit").items()
		if len(list) == 0 || list[0]["act"] != "delete-task" || list[0]["target"] != id || list[0]["touched"] != 1.0 {
			t.Errorf("the audit says %v", list)
		}
	})
}

// TestErase_TaskOfAnUploadInParts_LeavesNoText: the record of an upload has the names of file and task, and remains
// after its task was created.
func TestErase_TaskOfAnUploadInParts_LeavesNoText(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := heads + "S1," + personal + ",x,Acme\n"
	at := l.begins(personal+".csv", len(text))
	l.continues(at, 0, text).is(http.StatusNoContent)
	body := `{"kind":"products.import","upload_id":"` + at[strings.LastIndexByte(at, '/')+1:] + `","name":"` + personal + `"}`
	task := "/api/v1/tasks/" + l.postJSON("/tasks", body).object()["id"].(string)
	l.split()
	l.call(http.MethodDelete, task, "").is(http.StatusNoContent)
	var tables []string
	fine(t, l.db.Read.Raw("SELECT name FROM rollcall.sqlite_master WHERE type = 'table'").Scan(&tables).Error)
	if got := l.holds(tables, personal); len(got) > 0 || len(tables) < 20 {
		t.Errorf("of the tables %v, the text is still in %v", tables, got)
	}
	l.look(at).refuses(http.StatusNotFound, "UPLOAD_NOT_FOUND")
	l.postJSON("/tasks", body).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "/upload_id")
	if n, err := l.opt.Uploads.Expire(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("%d uploads are deleted, %v, want 1", n, err)
	}
}

// stored returns the number of stored files.
func (l *lab) stored() int {
	l.t.Helper()
	list, err := os.ReadDir(l.folder)
	fine(l.t, err)
	return len(list)
}

// TestErase_TransactionBreaksOff_LeavesAll: the transaction that hides the task fails.
func TestErase_TransactionBreaksOff_LeavesAll(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,x,Acme\n", "")
	l.split()
	_, err := l.opt.Tasks.Erase(t.Context(), "default", id, func(context.Context, ledger.Tx) error { return os.ErrInvalid })
	left, listErr := l.opt.Events.List(t.Context(), l.task(id).Num, events.Filter{})
	if err == nil || listErr != nil || len(left) != 1 || l.task(id).PurgedAt != 0 {
		t.Errorf("%v, %v, %d rows", err, listErr, len(left))
	}
}

// TestErase_SweepBreaksOff_TaskIsHidden deletes a task of which a row cannot be deleted.
func TestErase_SweepBreaksOff_TaskIsHidden(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,x,Acme\n", "")
	l.split()
	l.exec(`CREATE TRIGGER faulty BEFORE DELETE ON rollcall.events BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	l.call(http.MethodDelete, "/api/v1/tasks/"+id, "").is(http.StatusNoContent)
	for _, path := range []string{"/api/v1/tasks/" + id, "/api/v1/tasks/" + id + "/events", "/api/v1/events/" + id + ".1"} {
		l.look(path).is(http.StatusNotFound)
	}
	if list, _ := l.look("/api/v1/tasks").items(); len(list) != 0 {
		t.Errorf("the list has %v", list)
	}
	l.exec("DROP TRIGGER faulty")
	cleaner := retention.New(l.opt.Tasks, l.opt.Events, l.opt.Files, retention.Options{})
	fine(t, cleaner.Clean(t.Context()))
	l.look("/api/v1/tasks/" + id).is(http.StatusGone)
	if got := l.holds([]string{"events", "audit_log", "error_groups"}, "S1"); len(got) > 0 {
		t.Errorf("the row is still in %v", got)
	}
}
