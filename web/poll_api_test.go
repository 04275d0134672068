package web_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// wantTask returns a task in the form of the contract. The arguments are the parts that change.
func wantTask(r reply, state, counts, progress, errs, times string) string {
	o := r.object()
	id := o["id"].(string)
	content := fmt.Sprintf("%x", sha256.Sum256([]byte(story)))
	return strings.NewReplacer("ID", id, "SHA", content, "STATE", state, "COUNTS", counts,
		"PROGRESS", progress, "ERRS", errs, "TIMES", times,
		"FILE", o["source"].(map[string]any)["file_id"].(string)).Replace(`{
"id":"ID","kind":"products.import","type":"import","name":"Spring prices",STATE,
"tenant":"default","created_by":"local","labels":{"campaign":"spring"},"priority":3,"round":1,"warnings":["These columns of the file are not imported; their values are only kept with the rows: \"Aisle\"."],
"options":{"dedup":"none","duplicates":"keep_all","mode":"best_effort","on_invalid":"fail_row"},
"counts":{COUNTS},"progress":{PROGRESS,"message":null},ERRS,"problem":null,
"source":{"file_id":"FILE","name":"spring.csv","sheet":null,"size":68,"sha256":"SHA","format":"csv",
 "encoding":"utf-8","delimiter":",","header_row":1,"columns":[
 {"header":"SKU","field":"SKU"},{"header":"Name","field":"Name"},{"header":"Price","field":"Price"},
 {"header":"Brand","field":"Brand"},{"header":"Aisle"}]},
"result":{"file_id":null},"created_at":"2026-03-04T05:06:07.089Z",TIMES,
"expires_at":"2026-06-02T05:06:07.089Z","links":{"self":"/api/v1/tasks/ID",
 "events":"/api/v1/tasks/ID/events","errors":"/api/v1/tasks/ID/errors",
 "error_groups":"/api/v1/tasks/ID/error-groups",
 "stream":"/api/v1/tasks/ID/stream","result":"/api/v1/tasks/ID/result"}}`)
}

const story = "SKU,Name,Price,Brand,Aisle\nA,a,1,Acme,7\nB,b,-3,Acme,8\nC,c,2,Nobody,\n"

const noErrs = `"errors":[],"error_groups":[]`

// TestAStoryOfATask compares each whole response with the contract.
func TestAStoryOfATask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	made := l.postForm(field("kind", "products.import"), field("name", "Spring prices"),
		field("options", `{"labels":{"campaign":"spring"},"priority":3}`), file("spring.csv", story))
	made.is(http.StatusAccepted)
	id := made.object()["id"].(string)
	path := "/api/v1/tasks/" + id
	made.same(wantTask(made, `"status":"open","done":false,"outcome":null,"version":1`,
		`"total":0,"total_is_final":false,"enqueue":0,"working":0,"finish":0,"failed":0,"error":0,
		"canceled":0,"retrying":0,"skipped":0,"superseded":0`,
		`"processed":0,"percent":null,"rate_per_s":null,"eta_s":null,"phase":"waiting"`,
		noErrs, `"started_at":null,"finished_at":null`))
	made.has("Location", path, "Retry-After", "1", "ETag", `"1"`,
		"Content-Type", "application/json; charset=utf-8", "Cache-Control", "no-store")

	l.split()
	l.pass(2 * time.Second)
	l.move(id, events.Finish, nil, 1)
	l.pass(10 * time.Second)
	bad := fmt.Sprintf(`{"event_id":"%s.2","row":3,"status":"failed","code":"PRICE_NOT_POSITIVE",
		"column":"Price","value":"-3","message":"Price must be above zero",
		"hint":"Enter the price without tax, such as 12.50","resolution":"open"}`, id)
	group := `{"code":"PRICE_NOT_POSITIVE","title":"Not above zero","column":"Price","status":"failed","count":1,"first_row":3,"open":1,"fixed":0,"skipped":0,"fingerprint":null,"fault":null}`
	running := l.look(path)
	running.is(http.StatusOK)
	running.same(wantTask(running, `"status":"running","done":false,"outcome":null,"version":5`,
		`"total":3,"total_is_final":true,"enqueue":1,"working":0,"finish":1,"failed":1,"error":0,
		"canceled":0,"retrying":0,"skipped":0,"superseded":0`,
		`"processed":2,"percent":66,"rate_per_s":0.2,"eta_s":6,"phase":"processing"`,
		`"errors":[`+bad+`],"error_groups":[`+group+`]`,
		`"started_at":"2026-03-04T05:06:09.089Z","finished_at":null`))
	running.has("Retry-After", "1", "ETag", `"5"`, "Cache-Control", "no-cache")

	l.move(id, events.Failed, &events.Failure{
		Code: "BRAND_UNKNOWN", Column: "Brand", Value: "Nobody", Message: "no such brand",
	}, 3)
	bad += fmt.Sprintf(`,{"event_id":"%s.3","row":4,"status":"failed","code":"BRAND_UNKNOWN",
		"column":"Brand","value":"Nobody","message":"no such brand","hint":null,"resolution":"open"}`, id)
	group += `,{"code":"BRAND_UNKNOWN","title":"Not known","column":"Brand","status":"failed","count":1,"first_row":4,"open":1,"fixed":0,"skipped":0,"fingerprint":null,"fault":null}`
	done := l.look(path)
	done.same(strings.Replace(wantTask(done, `"status":"finished_with_failures","done":true,"outcome":"partial","version":7`,
		`"total":3,"total_is_final":true,"enqueue":0,"working":0,"finish":1,"failed":2,"error":0,
		"canceled":0,"retrying":0,"skipped":0,"superseded":0`,
		`"processed":3,"percent":100,"rate_per_s":0.3,"eta_s":null,"phase":"done"`,
		`"errors":[`+bad+`],"error_groups":[`+group+`]`,
		`"started_at":"2026-03-04T05:06:09.089Z","finished_at":"2026-03-04T05:06:19.089Z"`),
		`"expires_at":"2026-06-02T05:06:07`, `"expires_at":"2026-06-02T05:06:19`, 1))
	done.has("Retry-After", "", "ETag", `"7"`)
}

// has checks headers, given as names and values. "" means that a header is absent.
func (r reply) has(header ...string) {
	r.t.Helper()
	for i := 0; i < len(header); i += 2 {
		if got := r.header.Get(header[i]); got != header[i+1] {
			r.t.Errorf("%s: %q, want %q", header[i], got, header[i+1])
		}
	}
}

func TestPollAgainOnlyWhenChanged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	path := "/api/v1/tasks/" + l.accepted("a.csv", rows(2), "")
	for tag, want := range map[string]int{
		`"1"`: 304, `W/"1"`: 304, `"9", "1"`: 304, "*": 304, `"2"`: 200, "1": 200, `"11"`: 200,
	} {
		r := l.look(path, "If-None-Match", tag)
		if r.status != want || (want == 304) != (r.body == "") {
			t.Errorf("If-None-Match %s: %d %q, want %d", tag, r.status, r.body, want)
		}
		r.has("ETag", `"1"`, "Retry-After", "1", "Cache-Control", "no-cache")
	}
	l.split()
	l.look(path, "If-None-Match", `"1"`).is(http.StatusOK)
}

func TestWait(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.split()
	path := "/api/v1/tasks/" + id

	begun := time.Now()
	r := l.look(path + "?wait=1")
	if took := time.Since(begun); r.object()["done"] != false || took < 500*time.Millisecond || took > 25*time.Second {
		t.Errorf("wait=1 for a task at work took %v: %s", took, r.body)
	}
	begun = time.Now()
	l.look(path+"?wait=30", "If-None-Match", `"1"`).is(http.StatusOK)
	if took := time.Since(begun); took > 25*time.Second {
		t.Errorf("wait for another version than that known took %v", took)
	}

	var last reply
	var failed error
	var asking sync.WaitGroup
	asking.Go(func() {
		last, failed = l.try(http.MethodGet, path+"?wait=30", nil, "If-None-Match", r.header.Get("ETag"))
	})
	l.move(id, events.Finish, nil, 1)
	begun = time.Now()
	asking.Wait()
	fine(t, failed)
	if last.object()["done"] != true || time.Since(begun) > 25*time.Second {
		t.Errorf("wait for the end took %v: %s", time.Since(begun), last.body)
	}
	begun = time.Now()
	if l.look(path + "?wait=30").is(http.StatusOK); time.Since(begun) > 25*time.Second {
		t.Errorf("wait for what is done already took %v", time.Since(begun))
	}
	for _, bad := range []string{"31", "-1", "x", "1e1", "99999999999999999999"} {
		l.look(path+"?wait="+bad).refuses(400, "INVALID_PARAMETER", "from 0 to 30", `"pointer":"?wait"`)
	}
}

// TestPercent: the percentage is rounded down, and 100 only when the task is done.
func TestPercent(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1000), "")
	l.split()
	l.pass(time.Minute)
	l.move(id, events.Finish, nil, seqs(999)...)
	l.pass(time.Minute)
	progress := func() map[string]any {
		return l.look("/api/v1/tasks/" + id).object()["progress"].(map[string]any)
	}
	if p := progress(); p["percent"] != 99.0 || p["rate_per_s"] != 16.6 || p["eta_s"] != 1.0 {
		t.Errorf("999 of 1000: %v", p)
	}
	l.move(id, events.Finish, nil, 1000)
	if p := progress(); p["percent"] != 100.0 || p["eta_s"] != nil || p["phase"] != "done" {
		t.Errorf("all: %v", p)
	}
}

// TestFileThatEndsEarly: a fault that only reading finds is a problem of the task, and never a
// shorter import without an error.
func TestFileThatEndsEarly(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(600)+"T,\"never closed,1,Acme\nU,u,1,Acme\n", "")
	l.split()
	o := l.look("/api/v1/tasks/" + id).object()
	problem := o["problem"].(map[string]any)
	if problem["code"] != "UNCLOSED_QUOTE" || problem["row"] != 602.0 || problem["detail"] == "" {
		t.Errorf("problem = %v", problem)
	}
	l.move(id, events.Finish, nil, seqs(600)...)
	o = l.look("/api/v1/tasks/" + id).object()
	if o["status"] != "failed" || o["outcome"] != "failure" || o["done"] != true {
		t.Errorf("%v %v %v, want failed", o["status"], o["outcome"], o["done"])
	}
}
