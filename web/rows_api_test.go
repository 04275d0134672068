package web_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
)

func (l *lab) postJSON(path, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, "/api/v1"+path, body, "Content-Type", "application/json")
}

func (l *lab) postLines(query, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, "/api/v1/tasks?"+query, body, "Content-Type", "application/x-ndjson")
}

// begun sends a request for a task and returns its ID.
func (l *lab) begun(body string) string {
	l.t.Helper()
	r := l.postJSON("/tasks", body)
	r.is(http.StatusAccepted)
	return r.object()["id"].(string)
}

const (
	jsonRow  = `{"SKU":"A1","name":"Anvil","PRICE":12.50,"Brand":"Acme"}`
	openTask = `{"kind":"products.import","open":true}`
)

// files returns how many files are stored.
func (l *lab) files() int {
	l.t.Helper()
	left, err := os.ReadDir(l.folder)
	fine(l.t, err)
	return len(left)
}

func TestRowsInJSON(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postJSON("/tasks", `{"kind":"products.import","name":"Spring","labels":{"a":"b"},"priority":4,
		"options":{"retention_days":3},"rows":[`+jsonRow+`,{"SKU":"A2","Nmae":"x","Price":"-1"},
		{"SKU":7,"Name":"n","Price":123456789012345678901234567890.10,"Brand":null}]}`)
	r.is(http.StatusAccepted)
	o := r.object()
	id := o["id"].(string)
	if o["name"] != "Spring" || o["priority"] != 4.0 || o["type"] != "import" || o["status"] != "running" ||
		r.header.Get("Location") != "/api/v1/tasks/"+id || r.header.Get("Retry-After") != "1" {
		t.Errorf("answer %v, %v", o, r.header)
	}
	if n := l.files(); n != 0 {
		t.Errorf("%d files are stored", n)
	}
	list, _ := l.look("/api/v1/tasks/" + id + "/events").items()
	if len(list) != 3 || list[0]["status"] != "enqueue" || list[1]["code"] != "UNKNOWN_FIELD" {
		t.Fatalf("events %v", list)
	}
	params := list[2]["params"].(map[string]any)
	if list[2]["key"] != "7" || list[2]["row"] != 3.0 || params["Price"] != "123456789012345678901234567890.10" {
		t.Errorf("the third row is %v", list[2])
	}
	if task := l.task(id); task.Labels["a"] != "b" || task.Total != 3 || task.Failed != 1 {
		t.Errorf("task %+v", task)
	}
	l.look("/api/v1/tasks/" + id + "/result?format=csv").is(http.StatusOK)
}

func TestLinesOfJSON(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postLines("kind=products.import&name=Night&options=%7B%22priority%22:2%7D",
		jsonRow+"\nrubbish\n\n"+jsonRow+"\n")
	r.is(http.StatusAccepted)
	if o := r.object(); o["name"] != "Night" || o["priority"] != 2.0 {
		t.Errorf("answer %v", o)
	}
	l.split()
	task := l.task(r.object()["id"].(string))
	if task.Total != 3 || task.Failed != 1 || task.Enqueue != 2 {
		t.Errorf("task %+v", task)
	}
}

func TestJSONThatIsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Limits = tabular.Limits{Rows: 5} })
	rows := func(row string) string { return `{"kind":"products.import","rows":[` + jsonRow + `,` + row + `]}` }
	tests := []struct {
		name, body string
		status     int
		code, says string
	}{
		{"nothing", ``, 400, "MALFORMED_JSON", ""},
		{"a list", `[]`, 400, "MALFORMED_JSON", ""},
		{"cut off", `{"kind":"products.import"`, 400, "MALFORMED_JSON", ""},
		{"two objects", `{"kind":"products.import","rows":[` + jsonRow + `]}{}`, 400, "MALFORMED_JSON", ""},
		{"no UTF-8", rows("{\"SKU\":\"\xff\"}"), 400, "INVALID_ENCODING", `"/rows/1"`},
		{"no UTF-8 in a name", "{\"name\":\"\xff\"}", 400, "INVALID_FIELD", `"/name"`},
		{"NaN", rows(`{"SKU":NaN}`), 400, "MALFORMED_JSON", "byte"},
		{"a depth bomb", rows(`{"SKU":` + strings.Repeat("[", 100_000)), 400, "MALFORMED_JSON", ""},
		{"a deep row", rows(`{"SKU":` + strings.Repeat("[", 50) + strings.Repeat("]", 50) + `}`), 422, "NESTED_VALUE", `"/rows/1/SKU"`},
		{"a field twice in a row", rows(`{"SKU":1,"SKU":2}`), 422, "DUPLICATE_FIELD", `"/rows/1/SKU"`},
		{"a huge number", rows(`{"a/b":1e999}`), 422, "NUMBER_OUT_OF_RANGE", `"/rows/1/a~1b"`},
		{"a row that is none", rows(`7`), 422, "MALFORMED_JSON", `"/rows/1"`},
		{"a member twice", `{"kind":"a","kind":"b"}`, 400, "INVALID_FIELD", `"/kind"`},
		{"an unknown member", `{"kind":"products.import","row":[]}`, 422, "INVALID_FIELD", `"/row"`},
		{"rows that are no list", `{"kind":"products.import","rows":{}}`, 422, "INVALID_FIELD", `"/rows"`},
		{"no rows", `{"kind":"products.import"}`, 422, "NO_ROWS", "open"},
		{"no row", `{"kind":"products.import","rows":[]}`, 422, "NO_ROWS", `"/rows"`},
		{"too many rows", rows(strings.TrimSuffix(strings.Repeat(jsonRow+",", 5), ",")), 413, "TOO_MANY_ROWS", ""},
		{"rows and open", `{"kind":"products.import","open":true,"rows":[` + jsonRow + `]}`, 422, "INVALID_FIELD", `"/rows"`},
		{"no kind", `{"rows":[` + jsonRow + `]}`, 422, "KIND_MISSING", `"/kind"`},
		{"an unknown kind", `{"kind":"x","rows":[` + jsonRow + `]}`, 422, "UNKNOWN_KIND", ""},
		{"a kind that is a number", `{"kind":7,"open":true}`, 422, "INVALID_FIELD", `"/kind"`},
		{"open is no word", `{"kind":"products.import","open":"yes"}`, 422, "INVALID_FIELD", `"/open"`},
		{"a long name", `{"kind":"products.import","open":true,"name":"` + strings.Repeat("n", 256) + `"}`, 422, "INVALID_NAME", ""},
		{"labels of numbers", `{"kind":"products.import","open":true,"labels":{"a":1}}`, 422, "INVALID_FIELD", `"/labels"`},
		{"a label with two lines", `{"kind":"products.import","open":true,"labels":{"a":"b\nc"}}`, 422, "INVALID_OPTIONS", "label"},
		{"a priority over the top", `{"kind":"products.import","open":true,"priority":1001}`, 422, "INVALID_OPTIONS", "priority"},
		{"half a priority", `{"kind":"products.import","open":true,"priority":0.5}`, 422, "INVALID_FIELD", `"/priority"`},
		{"a sheet", `{"kind":"products.import","rows":[` + jsonRow + `],"options":{"sheet":"x"}}`, 422, "INVALID_OPTIONS", "sheet"},
		{"options that are a list", `{"kind":"products.import","open":true,"options":[]}`, 422, "INVALID_OPTIONS", ""},
		{"no way to be twice", `{"kind":"products.import","rows":[` + jsonRow + `],"options":{"dedup":"maybe"}}`, 422, "INVALID_OPTIONS", `"/options/dedup"`},
		{"an open task once", `{"kind":"products.import","open":true,"options":{"dedup":"reuse"}}`, 422, "INVALID_OPTIONS", `"/options/dedup"`},
		{"a child of nobody", `{"kind":"products.import","open":true,"parent_id":"x"}`, 422, "PARENT_NOT_FOUND", `"/parent_id"`},
		{"rows of nobody's child", `{"kind":"products.import","rows":[` + jsonRow + `],"parent_id":"x"}`, 422, "PARENT_NOT_FOUND", `"/parent_id"`},
		{"too large", `{"kind":"` + strings.Repeat("k", 10<<20) + `"}`, 413, "BODY_TOO_LARGE", "ndjson"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			l.postJSON("/tasks", tt.body).refuses(tt.status, tt.code, tt.says)
		})
	}
	l.call(http.MethodPost, "/api/v1/tasks", "{}", "Content-Type", "application/json", "Content-Encoding", "gzip").
		refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_ENCODING")
	l.nothingLeft()
}

func TestLinesThatAreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1000 })
	for _, tt := range []struct {
		query, body string
		status      int
		code        string
	}{
		{"", jsonRow, 422, "KIND_MISSING"},
		{"kind=x", jsonRow, 422, "UNKNOWN_KIND"},
		{"kind=products.import", "", 422, "EMPTY_FILE"},
		{"kind=products.import", "SKU,Name\nA1,x", 422, "MALFORMED_JSON"},
		{"kind=products.import", "[" + jsonRow + "]", 422, "MALFORMED_JSON"},
		{"kind=products.import&kind=a", jsonRow, 400, "INVALID_PARAMETER"},
		{"kind=products.import&nmae=a", jsonRow, 400, "INVALID_PARAMETER"},
		{"kind=products.import&options=x", jsonRow, 422, "INVALID_OPTIONS"},
		{"kind=products.import&parent_id=x", jsonRow, 422, "PARENT_NOT_FOUND"},
		{"kind=products.import", strings.Repeat(jsonRow+"\n", 100), 413, "FILE_TOO_LARGE"},
	} {
		l.postLines(tt.query, tt.body).refuses(tt.status, tt.code)
	}
	l.nothingLeft()
}

func TestATaskThatIsBuiltStepByStep(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postJSON("/tasks", openTask)
	r.is(http.StatusAccepted)
	if o := r.object(); o["status"] != "open" || o["type"] != "batch" || o["source"] != nil || o["name"] != "" {
		t.Errorf("answer %v", o)
	}
	id := r.object()["id"].(string)
	jobs := "/tasks/" + id + "/jobs"
	r = l.postJSON(jobs, `{"rows":[`+jsonRow+`,{"SKU":"","Price":"x"},`+jsonRow+`]}`)
	r.is(http.StatusAccepted)
	o := r.object()
	items := o["items"].([]any)
	if o["accepted"] != 2.0 || o["rejected"] != 1.0 || items[0].(map[string]any)["id"] != id+".1" ||
		items[2].(map[string]any)["id"] != id+".2" {
		t.Errorf("answer %s", r.body)
	}
	for _, says := range []string{`"/rows/1/SKU"`, `"/rows/1/Price"`, "INVALID_NUMBER", "REQUIRED"} {
		if !strings.Contains(r.body, says) {
			t.Errorf("the second row does not say %s: %s", says, r.body)
		}
	}
	l.move(id, events.Finish, nil, 1, 2)
	if task := l.task(id); task.Status != tasks.Open || task.Total != 2 {
		t.Errorf("all at rest, not closed: %+v", task)
	}
	l.postJSON(jobs, `{"rows":[{"SKU":"x"}]}`).is(http.StatusAccepted) // the row is invalid
	l.postJSON(jobs, `{"rows":[`+jsonRow+`]}`).is(http.StatusAccepted)
	for range 2 {
		r = l.postJSON("/tasks/"+id+"/close", "")
		r.is(http.StatusAccepted)
		if o := r.object(); o["status"] != "running" {
			t.Errorf("closed: %v", o)
		}
	}
	l.postJSON(jobs, `{"rows":[`+jsonRow+`]}`).refuses(http.StatusConflict, "TASK_NOT_OPEN")
	l.move(id, events.Finish, nil, 3)
	r = l.look("/api/v1/tasks/" + id)
	if o := r.object(); o["status"] != "finished" || o["counts"].(map[string]any)["total"] != 3.0 {
		t.Errorf("in the end: %s", r.body)
	}
	l.postJSON("/tasks/"+id+"/close", "").is(http.StatusAccepted)
}

func TestJobsThatAreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Limits = tabular.Limits{Rows: 1500} })
	id, file := l.begun(openTask), l.accepted("a.csv", rows(1), "")
	many := strings.TrimSuffix(strings.Repeat(jsonRow+",", 1001), ",")
	for _, tt := range []struct {
		id, body string
		status   int
		code     string
	}{
		{id, `{}`, 422, "NO_ROWS"},
		{id, `{"rows":[]}`, 422, "NO_ROWS"},
		{id, `{"rows":[` + many + `]}`, 413, "TOO_MANY_ROWS"},
		{id, `{"rows":[[]]}`, 422, "MALFORMED_JSON"},
		{id, `{"rows":[` + jsonRow, 400, "MALFORMED_JSON"},
		{id, `{"jobs":[]}`, 422, "INVALID_FIELD"},
		{file, `{"rows":[` + jsonRow + `]}`, 409, "TASK_NOT_OPEN"},
		{tasks.NewID(), `{"rows":[` + jsonRow + `]}`, 404, "NOT_FOUND"},
	} {
		l.postJSON("/tasks/"+tt.id+"/jobs", tt.body).refuses(tt.status, tt.code)
	}
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/jobs", "SKU\nA1", "Content-Type", "text/csv").
		refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	l.postJSON("/tasks/"+file+"/close", "").refuses(http.StatusConflict, "TASK_NOT_OPEN")
	l.postJSON("/tasks/"+tasks.NewID()+"/close", "").refuses(http.StatusNotFound, "NOT_FOUND")
	if task := l.task(id); task.Total != 0 {
		t.Errorf("%d rows were added", task.Total)
	}
	thousand := `{"rows":[` + many[:len(many)-len(jsonRow)-1] + `]}`
	l.postJSON("/tasks/"+id+"/jobs", thousand).is(http.StatusAccepted)
	l.postJSON("/tasks/"+id+"/jobs", thousand).refuses(http.StatusUnprocessableEntity, "TOO_MANY_ROWS")
}

func TestAFamilyOfTasks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	parent := l.begun(openTask)
	child := l.begun(`{"kind":"products.import","rows":[` + jsonRow + `],"parent_id":"` + parent + `"}`)
	r := l.postForm(field("kind", "products.import"), field("parent_id", parent), file("a.csv", rows(1)))
	r.is(http.StatusAccepted)
	other := r.object()["id"].(string)
	l.split()
	l.postJSON("/tasks/"+parent+"/close", "").is(http.StatusAccepted)
	shows := func(status string, done float64) {
		t.Helper()
		o := l.look("/api/v1/tasks/" + parent).object()
		of, _ := o["children"].(map[string]any)
		if o["status"] != status || of["total"] != 2.0 || of["done"] != done {
			t.Errorf("%v with children %v, want %s with %v done", o["status"], of, status, done)
		}
	}
	changed := func(seen reply) reply { // polls are answered from memory for a moment
		t.Helper()
		next := l.look("/api/v1/tasks/"+parent+"?wait=10", "If-None-Match", seen.header.Get("ETag"))
		next.is(http.StatusOK)
		return next
	}
	seen := l.look("/api/v1/tasks/" + parent)
	shows("running", 0)
	l.move(child, events.Finish, nil, 1)
	seen = changed(seen)
	shows("running", 1)
	l.move(other, events.Finish, nil, 1)
	changed(seen)
	shows("finished", 2)
	if o := l.look("/api/v1/tasks/" + child).object(); o["parent_id"] != parent {
		t.Errorf("the child's parent is %v", o["parent_id"])
	}
	l.postJSON("/tasks", `{"kind":"products.import","open":true,"parent_id":"`+parent+`"}`).
		refuses(http.StatusUnprocessableEntity, "PARENT_NOT_FOUND")
}

// TestTheSameFileTwice: the request decides between another task, the same task, and a refusal.
func TestTheSameFileTwice(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	option := func(dedup string) string { return fmt.Sprintf(`{"dedup":%q}`, dedup) }
	first := l.accepted("a.csv", rows(2), "")
	if again := l.accepted("a.csv", rows(2), option("none")); again == first {
		t.Error("without the option, the same task was given")
	}
	r := l.upload("b.csv", rows(2), option("reuse"))
	r.is(http.StatusOK)
	if o := r.object(); o["id"] != first || o["deduplicated"] != true || r.header.Get("Location") != "/api/v1/tasks/"+first {
		t.Errorf("answer %v", o)
	}
	l.upload("b.csv", rows(2), option("reject")).refuses(http.StatusConflict, "DUPLICATE_FILE", first)
	if n := l.files(); n != 2 {
		t.Errorf("%d files are kept, want those of two tasks", n)
	}
	l.accepted("a.csv", rows(2), `{"dedup":"reject","header_row":1}`)
	l.split()
	l.move(first, events.Finish, nil, 1, 2)
	l.upload("b.csv", rows(2), option("reuse")).is(http.StatusOK)
	l.accepted("a.csv", rows(3), option("reject"))
	l.pass(11 * time.Minute)
	second := l.accepted("a.csv", rows(2), option("reject"))
	l.upload("b.csv", rows(2), option("reject")).refuses(http.StatusConflict, "DUPLICATE_FILE", second)

	body := `{"kind":"products.import","rows":[` + jsonRow + `],"options":{"dedup":"reuse"}}`
	id := l.begun(body)
	r = l.postJSON("/tasks", body)
	r.is(http.StatusOK)
	if r.object()["id"] != id {
		t.Errorf("the same rows: %s", r.body)
	}
}
