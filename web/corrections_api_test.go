package web_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// wrong is an upload whose rows B and C are invalid. The function reviewed also makes D and E fail.
const wrong = "SKU;Name;Price;Brand;Start\nA;a;1;Acme;\nB;b;x;Acme;\nC;c;-1;Acme;\nD;d;2;Nobody;2026-03-31\nE;e;3;Acme;\n"

// reviewed uploads the file `wrong` and runs it. Then A has finished, B and C are invalid, D has failed, and E is
// in error.
func reviewed(t *testing.T) (l *lab, id string) {
	l = newLab(t)
	id = l.accepted("prices.csv", wrong, "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no such brand"}, 4)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 5)
	if task := l.task(id); task.Status != tasks.FinishedWithFailures {
		t.Fatalf("the task is %s", task.Status)
	}
	return l, id
}

func (l *lab) correct(id, name, content string, parts ...string) reply {
	l.t.Helper()
	body := form(append(parts, file(name, content))...)
	return l.call(http.MethodPost, "/api/v1/tasks/"+id+"/corrections", body, "Content-Type", multipartType)
}

// edited returns the result of a task with some texts replaced.
func (l *lab) edited(id string, pairs ...string) string {
	l.t.Helper()
	r := l.look("/api/v1/tasks/" + id + "/result")
	r.is(http.StatusOK)
	return strings.NewReplacer(pairs...).Replace(r.body)
}

// numbers returns the counts above 0 in a response to corrections.
func (r reply) numbers() map[string]int {
	r.t.Helper()
	out := map[string]int{}
	for name, v := range r.object() {
		if n, ok := v.(float64); ok && n != 0 {
			out[name] = int(n)
		}
	}
	return out
}

func (r reply) counts(status int, want map[string]int) {
	r.t.Helper()
	r.is(status)
	if diff := cmp.Diff(want, r.numbers()); diff != "" {
		r.t.Errorf("numbers (-want +got):\n%s%s", diff, r.body)
	}
}

// TestCorrections: changed rows run again, rows that are still invalid keep their new values, and
// finished rows are named. The same file again changes nothing.
func TestCorrections(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	content := l.edited(id, "B;b;x", "B;b;1.5", "C;c;-1", "C;c;-2", "Nobody;2026-03-31", "Acme;2026-04-01", "A;a;1;", "A;a;9;")
	want := map[string]int{"matched": 5, "changed": 4, "resubmitted": 2, "still_invalid": 1, "refused": 1, "unchanged": 1}
	l.correct(id, "p.csv", content, field("dry_run", "true")).counts(http.StatusOK, want)
	if task := l.task(id); task.Round != 1 || task.Failed != 3 {
		t.Fatalf("a dry run has changed %+v", task)
	}
	r := l.correct(id, "p.csv", content)
	r.counts(http.StatusAccepted, want)
	r.has("Location", "/api/v1/tasks/"+id)
	for _, text := range []string{
		"4 of 5 rows differ; 2 of them run again.", `"code":"ROW_FINISHED"`, `"event_id":"` + id + `.3"`, `"row":4`,
		`"code":"PRICE_NOT_POSITIVE"`,
	} {
		if !strings.Contains(r.body, text) {
			t.Errorf("the answer does not say %s: %s", text, r.body)
		}
	}
	task := l.task(id)
	if task.Status != tasks.Running || task.Round != 2 || task.Enqueue != 2 || task.Failed != 1 || task.Error != 1 || task.Finish != 1 {
		t.Errorf("the task is %s in round %d: %+v", task.Status, task.Round, task)
	}
	for seq, want := range map[int]string{1: `"Price":"1"`, 2: `"Price":"1.5"`, 3: `"Price":"-2"`, 4: `"Start":"2026-04-01"`} {
		if body := l.look(fmt.Sprintf("/api/v1/events/%s.%d", id, seq)).body; !strings.Contains(body, want) {
			t.Errorf("row %d does not hold %s: %s", seq, want, body)
		}
	}
	r = l.correct(id, "p.csv", content)
	r.counts(http.StatusAccepted, map[string]int{"matched": 5, "changed": 1, "refused": 1, "unchanged": 4})
	l.correct(id, "p.csv", l.edited(id)).counts(http.StatusAccepted, map[string]int{"matched": 5, "unchanged": 5})
	if again := l.task(id); again.Round != 2 || again.Enqueue != 2 {
		t.Errorf("the same file again has changed the task: %+v", again)
	}
	left, err := os.ReadDir(l.folder)
	fine(t, err)
	if len(left) != 1 {
		t.Errorf("%d files are left, want the upload alone", len(left))
	}
}

// TestUnchangedCorrections: a result that is sent back unchanged, in any format, changes nothing.
func TestUnchangedCorrections(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	before := l.task(id)
	for _, format := range []string{"xlsx", "csv", "tsv", "jsonl"} {
		for only, n := range map[string]int{"failed": 3, "all": 5} {
			content := l.look("/api/v1/tasks/" + id + "/result?only=" + only + "&format=" + format).body
			r := l.correct(id, "result."+format, content)
			r.counts(http.StatusAccepted, map[string]int{"matched": n, "unchanged": n})
			if !strings.Contains(r.body, "Nothing changed") {
				t.Errorf("%s: %s", format, r.body)
			}
		}
	}
	if diff := cmp.Diff(before, l.task(id)); diff != "" {
		t.Errorf("the task has changed (-before +after):\n%s", diff)
	}
}

// TestCorrectionsThatAreRefused: the response names the rows. If one row does not belong to the
// task, no row is changed.
func TestCorrectionsThatAreRefused(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	other := l.accepted("o.csv", rows(3), "")
	good := l.edited(id, "B;b;x", "B;b;1.5")
	before := l.task(id)
	l.correct(id, "p.csv", strings.Replace(good, id+".5", other+".1", 1)).refuses(422, "ROW_ID_UNKNOWN", `"row":6`, other+".1")
	l.correct(id, "p.csv", strings.Replace(good, id+".5", id+".6", 1)).refuses(422, "ROW_ID_UNKNOWN")
	l.correct(id, "p.csv", strings.Replace(good, id+".5", id+".2", 1)).refuses(422, "ROW_ID_TWICE", "Rows 3 and 6")
	l.correct(id, "p.csv", strings.Replace(good, id+".5", "", 1)).refuses(422, "ROW_ID_MISSING", `"row":6`)
	l.correct(id, "p.csv", wrong).refuses(422, "ROW_ID_MISSING", "Row id")
	l.correct(id, "p.csv", "").refuses(422, "EMPTY_FILE")
	l.correct(id, "p.csv", "%PDF-1.7\n").refuses(415, "UNSUPPORTED_FORMAT")
	l.correct(tasks.NewID(), "p.csv", good).refuses(404, "NOT_FOUND")
	l.correct(id, "p.csv", good, field("dry_run", "perhaps")).refuses(422, "INVALID_FIELD", "/dry_run")
	l.correct(id, "p.csv", good, field("kind", "products.import")).refuses(422, "INVALID_FIELD", "/kind")
	l.correct(id, "p.csv", good, field("options", `{"sheet":7}`)).refuses(422, "INVALID_OPTIONS")
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/corrections", form(), "Content-Type", multipartType).refuses(400, "FILE_MISSING")
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/corrections", "{}", "Content-Type", "application/json").refuses(415, "UNSUPPORTED_MEDIA_TYPE")
	if diff := cmp.Diff(before, l.task(id)); diff != "" {
		t.Errorf("the task has changed (-before +after):\n%s", diff)
	}
	l.call(http.MethodPost, "/api/v1/tasks/"+other+"/cancel", "").is(http.StatusOK)
	l.correct(other, "p.csv", good).refuses(409, "WRONG_STATUS")
	left, err := os.ReadDir(l.folder)
	fine(t, err)
	if len(left) != 2 {
		t.Errorf("%d files are left, want the two uploads", len(left))
	}
}
