package web_test

import "github.com/rollcall-dev/rollcall/internal/reconcile"

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAStoryOfABlockedTask: the task stops and gives the reason. When it is resumed, it runs.
func TestAStoryOfABlockedTask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(3)+"S9,n,-1,Acme\n", `{"on_invalid":"block"}`)
	l.split()
	v := l.look("/api/v1/tasks/" + id).object()
	p, _ := v["problem"].(map[string]any)
	if v["status"] != "paused" || p["code"] != "ROWS_INVALID" || v["done"] != false ||
		v["options"].(map[string]any)["on_invalid"] != "block" {
		t.Errorf("blocked: %v, problem %v, options %v", v["status"], p, v["options"])
	}
	r := l.call(http.MethodPost, "/api/v1/tasks/"+id+"/resume", "")
	r.is(http.StatusOK)
	if v = r.object(); v["status"] != "running" || v["problem"] != nil {
		t.Errorf("resumed: %v, problem %v", v["status"], v["problem"])
	}
}

// TestAStoryOfARefusedTask: with one invalid row, the others are canceled.
func TestAStoryOfARefusedTask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(3)+"S9,n,-1,Acme\n", `{"mode":"all_or_nothing"}`)
	l.split()
	canceler := reconcile.NewCanceler(l.opt.Tasks, l.opt.Events, l.opt.Queue, reconcile.CancelerOptions{
		Now: l.clock,
	})
	for end := 0; !l.task(id).Status.Done() && end < 10; end++ {
		fine(t, canceler.Cancel(t.Context()))
		l.pass(time.Second)
	}
	v := l.look("/api/v1/tasks/" + id).object()
	p, _ := v["problem"].(map[string]any)
	if v["status"] != "failed" || v["outcome"] != "failure" || p["code"] != "ROWS_INVALID" ||
		fmt.Sprint(v["counts"].(map[string]any)["canceled"], len(v["errors"].([]any))) != "3 1" {
		t.Errorf("refused: %v, problem %v, counts %v", v["status"], p, v["counts"])
	}
	fixed := l.edited(id, "-1", "1")
	l.correct(id, "p.csv", fixed).refuses(http.StatusConflict, "WRONG_STATUS")
	l.correct(id, "p.csv", fixed, field("dry_run", "true")).refuses(http.StatusConflict, "WRONG_STATUS")
	l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).refuses(http.StatusConflict, "WRONG_STATUS")
	l.patch(id+".4", `"1"`, `{"params":{"Price":"1"}}`).refuses(http.StatusConflict, "WRONG_STATUS")
	if page := l.look("/tasks/" + id); page.status != http.StatusOK || strings.Contains(page.body, "corrected file") {
		t.Errorf("the page asks for a corrected file: %d", page.status)
	}
}

// TestTheSameFileUnderOtherOptions: a file with other options is another import. A file with another name is the
// same import.
func TestTheSameFileUnderOtherOptions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", rows(3), `{"dedup":"reject"}`)
	l.upload("other.csv", rows(3), `{"dedup":"reject","duplicates":"keep_all"}`).
		refuses(http.StatusConflict, "DUPLICATE_FILE", id)
	for _, options := range []string{
		`{"dedup":"reject","duplicates":"latest"}`,
		`{"dedup":"reject","mode":"all_or_nothing"}`,
		`{"dedup":"reject","on_invalid":"block"}`,
		`{"dedup":"reject","key_column":"Name"}`,
		`{"dedup":"reject","mapping":{"Brand":""}}`,
		`{"dedup":"reject","header_row":1}`,
	} {
		l.upload("p.csv", rows(3), options).is(http.StatusAccepted)
	}
}

// TestWarningsReachThePerson: warnings are in the response, and in each poll.
func TestWarningsReachThePerson(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	sheet := xmlRow("1", "SKU", "Name", "Price") + xmlRow("2", "A1", "n", "1")
	r := l.upload("p.xlsx", workbook(t, "Prices", sheet, "Else", sheet), "")
	r.is(http.StatusAccepted)
	v := r.object()
	if w := v["warnings"].([]any); len(w) != 1 || v["source"].(map[string]any)["sheet"] != "Prices" {
		t.Errorf("answer: warnings %v, source %v", w, v["source"])
	}
	l.split()
	again := l.look(v["links"].(map[string]any)["self"].(string)).object()
	if fmt.Sprint(again["warnings"]) != fmt.Sprint(v["warnings"]) {
		t.Errorf("poll: warnings %v, want %v", again["warnings"], v["warnings"])
	}
}

// TestPreviewUnderAPolicy: the preview names rows that would be refused because of their key.
func TestPreviewUnderAPolicy(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := "SKU,Name,Price\nA,n,1\nB,n,1\nA,n,2\n"
	for options, want := range map[string]string{
		`{"duplicates":"error"}`:                      "[map[code:DUPLICATE_KEY column:SKU count:1 first_row:4 value:A]] 1",
		`{"duplicates":"error","key_column":"Name"}`:  "[map[code:DUPLICATE_KEY column:Name count:2 first_row:3 value:n]] 1",
		`{"duplicates":"latest","key_column":"Name"}`: "[] 1",
		`{}`: "[] 1",
	} {
		r := l.preview("p.csv", text, options)
		r.is(http.StatusOK)
		v := r.object()
		wordless(t, v)
		if got := fmt.Sprint(v["error_groups"], v["duplicates"].(map[string]any)["keys"]); got != want {
			t.Errorf("%s: %s, want %s", options, got, want)
		}
	}
}
