package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// someRows returns n rows of three keys. Every fourth row is invalid.
func someRows(n int) []string {
	out := make([]string, n)
	for i := range out {
		price := i
		if i%4 == 1 {
			price = -1
		}
		out[i] = fmt.Sprintf(`{"SKU":"A%d","Name":"n","Price":%d}`, i%3, price)
	}
	return out
}

// TestFewRowsInJSON_AreTheRowsOfAFile adds rows with their task, and the same rows as a file: the
// results are equal, for several options.
func TestFewRowsInJSON_AreTheRowsOfAFile(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		for _, options := range []string{
			`{}`, `{"duplicates":"latest"}`, `{"duplicates":"first"}`, `{"duplicates":"error"}`, `{"max_failures":2}`,
			`{"on_invalid":"block"}`, `{"mode":"all_or_nothing"}`,
		} {
			rows := someRows(9)
			few := l.begun(`{"kind":"products.import","options":` + options + `,"rows":[` + strings.Join(rows, ",") + `]}`)
			if task := l.task(few); task.FileID != "" || !task.TotalIsFinal {
				t.Errorf("%s: the task is %+v", options, task)
			}
			read := l.postLines("kind=products.import&options="+options, strings.Join(rows, "\n"))
			read.is(http.StatusAccepted)
			file := read.object()["id"].(string)
			l.split()
			if diff := cmp.Diff(l.shown(file), l.shown(few)); diff != "" {
				t.Errorf("%s: with their task, rows differ from those of a file:\n%s", options, diff)
			}
		}
	})
}

// TestManyRowsInJSON_AreStored adds more rows, or longer rows, than are added with their task
// without a file.
func TestManyRowsInJSON_AreStored(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][]string{
		"rows":  someRows(251),
		"bytes": {`{"SKU":"A","Name":"` + strings.Repeat("n", 65<<10) + `","Price":1}`},
	} {
		l := newLab(t)
		id := l.begun(`{"kind":"products.import","rows":[` + strings.Join(rows, ",") + `]}`)
		if task := l.task(id); task.FileID == "" || task.Total != 0 {
			t.Errorf("%s: the task is %+v", name, task)
		}
		l.split()
		if task := l.task(id); task.Total != int64(len(rows)) {
			t.Errorf("%s: %d rows, want %d", name, task.Total, len(rows))
		}
	}
	l := newLab(t)
	if task := l.task(l.begun(`{"kind":"products.import","rows":[` + strings.Join(someRows(250), ",") + `]}`)); task.Total != 250 {
		t.Errorf("%d of 250 rows are there", task.Total)
	}
}

var instants = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// shown returns what is visible of a task and its rows, except for the source, the version, the IDs and the times.
func (l *lab) shown(id string) string {
	l.t.Helper()
	var out strings.Builder
	for _, path := range []string{"", "/events", "/error-groups"} {
		o := l.look("/api/v1/tasks/" + id + path).object()
		for _, name := range []string{"source", "version", "request_id"} {
			delete(o, name)
		}
		text, err := json.MarshalIndent(o, "", " ")
		fine(l.t, err)
		out.Write(text)
	}
	return instants.ReplaceAllString(strings.ReplaceAll(out.String(), id, "ID"), "TIME")
}
