package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

func (l *lab) patch(id, version, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPatch, "/api/v1/events/"+id, body, "Content-Type", jsonType, "If-Match", version)
}

func (l *lab) review(id, act, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, "/api/v1/tasks/"+id+"/"+act, body, "Content-Type", jsonType)
}

// broken uploads four rows: a valid row, which finishes, a row without a name, a row with a wrong price, and a
// row that its handler rejects.
func broken(t *testing.T) (*lab, string) { return brokenOn(t, ledgers.SQLite(t)) }

func brokenOn(t *testing.T, url string) (*lab, string) {
	l := newLabOn(t, url)
	id := l.accepted("p.csv", heads+"S1,a,1,Acme\nS2,,1,Acme\nS3,c,-3,Acme\nS4,d,1,Acme\n", "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no such brand"}, 4)
	l.pass(1000)
	return l, id
}

func (r reply) says(pairs ...any) map[string]any {
	r.t.Helper()
	o := r.object()
	for i := 0; i < len(pairs); i += 2 {
		got := any(o)
		for name := range strings.SplitSeq(pairs[i].(string), ".") {
			m, _ := got.(map[string]any)
			got = m[name]
		}
		if fmt.Sprint(got) != fmt.Sprint(pairs[i+1]) {
			r.t.Errorf("%s is %v, want %v: %s", pairs[i], got, pairs[i+1], r.body)
		}
	}
	return o
}

func TestARowIsRepaired(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.look("/api/v1/events/"+id+".2").says("resolution.state", "open", "version", 1)
	l.look("/api/v1/events/"+id+".1").says("resolution", nil)

	l.patch(id+".3", `"7", W/"1"`, `{"note":"x"}`).refuses(http.StatusPreconditionFailed, "ROW_CHANGED")
	r := l.patch(id+".3", `"7", "1"`, `{"params":{"price":-4,"Name":"cc"},"note":"typo"}`)
	r.is(http.StatusOK)
	r.says("status", "failed", "value", "-4", "resolution.state", "open", "resolution.by", "local",
		"resolution.note", "typo", "params.Name", "cc", "params.Price", "-4", "version", 2)

	r = l.patch(id+".3", `"2"`, `{"params":{"Price":"3.50","SKU":"S9"}}`)
	r.is(http.StatusOK)
	r.says("status", "failed", "resolution.state", "fixed", "key", "S9", "version", 3)
	if r.header.Get("ETag") != `"3"` {
		t.Errorf("ETag %s", r.header.Get("ETag"))
	}

	l.patch(id+".3", `"2"`, `{"params":{"Price":"9"}}`).refuses(412, "ROW_CHANGED", `"version":3`)
	l.look("/api/v1/events/"+id+".3").says("params.Price", "3.50")
	l.call(http.MethodPatch, "/api/v1/events/"+id+".3", `{}`, "Content-Type", jsonType).refuses(428, "IF_MATCH_REQUIRED")
	l.patch(id+".1", `"2"`, `{"params":{"Price":"9"}}`).refuses(409, "WRONG_STATUS", "finish")
	l.patch(id+".3", `"3"`, `{"params":{"Colour":"9"}}`).refuses(422, "INVALID_CELL", "/params/Colour")
	l.patch(id+".3", `"3"`, `{"params":{"Price":[1]}}`).refuses(422, "NESTED_VALUE", "/params/Price")
	l.patch(id+".3", `"3"`, `{"params":{"Name":"a\u0000"}}`).refuses(422, "INVALID_CELL", "control")
	l.patch(id+".3", `"3"`, `{"resolution":"resubmitted"}`).refuses(422, "INVALID_FIELD", "/resolution")
	l.patch(id+".3", `"3"`, `{}`).refuses(422, "INVALID_FIELD")
	l.patch(id+".99", `"3"`, `{}`).refuses(404, "NOT_FOUND")

	l.patch(id+".2", `"1"`, `{"resolution":"fixed"}`).says("resolution.state", "open", "code", "REQUIRED")
	l.patch(id+".2", `"2"`, `{"resolution":"skipped","note":"not needed"}`).says("resolution.state", "skipped")
	l.look("/api/v1/tasks/"+id).says("counts.skipped", 1, "counts.failed", 3)
	l.patch(id+".2", `"3"`, `{"params":{"Name":null},"resolution":"open"}`).says("resolution.state", "open")
	l.look("/api/v1/tasks/"+id).says("counts.skipped", 0)
}

func TestRowsAreResubmitted(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.look("/api/v1/tasks/"+id).says("done", true, "round", 1)

	l.review(id, "resubmit", `{"filter":{},"dry_run":true}`).says(
		"matched", 3, "valid", 1, "still_invalid", 2, "resubmitted", 0)
	l.look("/api/v1/tasks/"+id).says("done", true)

	r := l.review(id, "repair", `{"filter":{"code":"REQUIRED"},"patch":{"set":{"Name":"x"}}}`)
	r.is(http.StatusOK)
	r.says("matched", 1, "changed", 1, "valid", 1, "done", 1, "resubmitted", 0)
	groups, _ := l.look("/api/v1/tasks/" + id + "/error-groups").items()
	for _, g := range groups {
		if want := map[string]float64{"REQUIRED": 1}[g["code"].(string)]; g["fixed"] != want || g["open"] != 1-want {
			t.Errorf("group %v", g)
		}
	}
	list, _ := l.look("/api/v1/tasks/" + id + "/errors?resolution=open&q=NO%20SUCH").items()
	if len(list) != 1 || list[0]["event_id"] != id+".4" {
		t.Errorf("errors that say so: %v", list)
	}
	list, _ = l.look("/api/v1/tasks/" + id + "/events?q=s3").items()
	if len(list) != 1 || list[0]["row"] != 4.0 {
		t.Errorf("rows that hold s3: %v", list)
	}

	r = l.review(id, "resubmit", `{"filter":{}}`)
	r.is(http.StatusAccepted)
	r.says("matched", 3, "resubmitted", 2, "still_invalid", 1)
	l.look("/api/v1/tasks/"+id).says("done", false, "status", "running", "round", 2, "finished_at", nil,
		"outcome", nil, "counts.enqueue", 2, "counts.failed", 1)
	l.look("/api/v1/events/"+id+".4").says("status", "enqueue", "attempt", 1, "code", nil,
		"resolution.state", "resubmitted", "max_attempts", 5)
	l.review(id, "resubmit", `{"filter":{}}`).says("matched", 1, "resubmitted", 0)
	l.patch(id+".4", `"3"`, `{"params":{"Name":"x"}}`).refuses(409, "WRONG_STATUS")

	l.move(id, events.Finish, nil, 2)
	made, err := l.opt.Events.Record(t.Context(), []events.Move{{
		ID: events.NewID(l.task(id).Num, 4), From: events.Enqueue, FromAttempt: 1, To: events.Failed, Attempt: 2,
		Failure: &events.Failure{Code: "AGAIN"}, FinishedAt: l.now.Load(),
	}})
	if err != nil || !made[0] {
		t.Fatal(made, err)
	}
	l.look("/api/v1/tasks/"+id).says("done", true, "round", 2, "counts.finish", 2, "counts.failed", 2)
	l.look("/api/v1/events/"+id+".4").says("resolution.state", "open", "code", "AGAIN")
}

func TestBulkSkipAndReplace(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.review(id, "skip", `{"ids":["`+id+`.2","`+id+`.3"],"note":"later"}`).says("done", 2)
	l.look("/api/v1/tasks/"+id).says("counts.skipped", 2)
	l.review(id, "resubmit", `{"filter":{},"dry_run":true}`).says("matched", 1)
	l.review(id, "skip", `{"filter":{"row_gte":4},"state":"open"}`).says("done", 1)
	l.look("/api/v1/tasks/"+id).says("counts.skipped", 1)
	r := l.review(id, "resubmit", `{"filter":{"column":"Price"},"patch":{"replace":{"column":"Price","find":"-","with":""}},"dry_run":true}`)
	r.says("changed", 1, "valid", 1)
	if !strings.Contains(r.body, `"before":{"Price":"-3"},"after":{"Price":"3"}`) {
		t.Errorf("sample: %s", r.body)
	}
	l.review(id, "resubmit", `{"filter":{"column":"Price"},"patch":{"replace":{"column":"Price","find":"-3","with":"7","whole":true}}}`).
		says("changed", 1, "resubmitted", 1)
	l.look("/api/v1/events/"+id+".3").says("params.Price", "7", "status", "enqueue")

	for body, want := range map[string]string{
		`{}`:                                    "/filter",
		`{"filter":{},"ids":[]}`:                "/filter",
		`{"ids":["x.1"]}`:                       "/ids/0",
		`{"filter":{"status":"finish"}}`:        "/filter/status",
		`{"filter":{},"patch":{}}`:              "/patch",
		`{"filter":{},"state":"open"}`:          "/state",
		`{"filter":{},"patch":{"set":{"X":1}}}`: "/patch/X",
		`{"filter":{},"patch":{"replace":{"column":"Price","find":""}}}`: "/patch/replace/find",
	} {
		if r := l.review(id, "resubmit", body); r.status != 422 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
}

// TestManyResubmitAtOnce: of several requests to resubmit a row, one has an effect.
func TestManyResubmitAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := heads
	for i := range 1500 {
		text += fmt.Sprintf("S%d,a,1,Acme\n", i)
	}
	id := l.accepted("p.csv", text, "")
	l.split()
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN"}, seqs(1500)...)
	l.pass(1000)
	var wg sync.WaitGroup
	var total sync.Map
	for i := range 4 {
		wg.Go(func() {
			r, err := l.try(http.MethodPost, "/api/v1/tasks/"+id+"/resubmit", strings.NewReader(`{"filter":{}}`),
				"Content-Type", jsonType)
			if err != nil || r.status != 202 {
				t.Errorf("%d %s %v", r.status, r.body, err)
				return
			}
			total.Store(i, int(r.object()["resubmitted"].(float64)))
		})
	}
	wg.Wait()
	n := 0
	total.Range(func(_, v any) bool { n += v.(int); return true })
	if task := l.task(id); n != 1500 || task.Enqueue != 1500 || task.Round != 3 || task.Failed != 0 {
		t.Errorf("%d rows were resubmitted: %+v", n, task)
	}
}

func TestRowsOfACanceledTaskStay(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.review(id, "resubmit", `{"filter":{}}`).is(202)
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/cancel", "").is(200)
	l.review(id, "resubmit", `{"filter":{}}`).refuses(409, "WRONG_STATUS", "canceled")
	l.patch(id+".2", `"1"`, `{"params":{"Name":"x"}}`).refuses(409, "WRONG_STATUS", "canceled")
	l.review(id, "skip", `{"filter":{}}`).refuses(409, "WRONG_STATUS", "canceled")
}

// TestTheAuditNamesActorAndAct: the log is newest first, in pages, and ends with the upload.
func TestTheAuditNamesActorAndAct(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.patch(id+".3", `"1"`, `{"params":{"Price":"4"},"note":"typo"}`).is(200)
	l.review(id, "skip", `{"ids":["`+id+`.2"],"note":"later"}`).is(200)
	l.review(id, "resubmit", `{"filter":{"resolution":"fixed"}}`).says("resubmitted", 1)
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/pause", "").is(200)
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/resume", "").is(200)
	var acts []string
	for path := "/api/v1/tasks/" + id + "/audit?limit=2"; ; {
		list, next := l.look(path).items()
		for _, e := range list {
			acts = append(acts, fmt.Sprintf("%v by %v, %v rows %v %v %v", e["act"], e["by"], e["touched"], e["note"], e["before"], e["after"]))
		}
		if next == "" {
			break
		}
		path = "/api/v1/tasks/" + id + "/audit?limit=2&cursor=" + next
	}
	want := []string{
		"resume by local, 0 rows <nil> <nil> <nil>",
		"pause by local, 0 rows <nil> <nil> <nil>",
		"resubmit by local, 1 rows <nil> <nil> <nil>",
		"skip by local, 1 rows later <nil> <nil>",
		"patch by local, 1 rows typo map[Price:-3] map[Price:4]",
		"create by local, 0 rows <nil> <nil> <nil>",
	}
	if got := strings.Join(acts, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("audit:\n%s", got)
	}
}

// TestAKeyThatAnotherRowHas: if keys must be unique, a repaired row with the key of another row is
// invalid, even if one request repaired both rows. If keys may repeat, the repaired row runs.
func TestAKeyThatAnotherRowHas(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := heads + "S1,a,1,Acme\nS2,,1,Acme\nS3,c,-3,Acme\n"
	for _, duplicates := range []string{"error", "latest", "first", "keep_all"} {
		id := l.accepted("p.csv", text, `{"duplicates":"`+duplicates+`"}`)
		l.split()
		l.move(id, events.Finish, nil, 1)
		l.pass(1000)
		r := l.patch(id+".2", `"1"`, `{"params":{"Name":"b","SKU":"S1"}}`)
		if duplicates != "error" {
			r.says("resolution.state", "fixed", "key", "S1")
			l.review(id, "resubmit", `{"ids":["`+id+`.2"]}`).says("resubmitted", 1)
			continue
		}
		r.says("code", "DUPLICATE_KEY", "column", "SKU", "value", "S1", "resolution.state", "open", "key", "S1")
		if !strings.Contains(r.body, "Row 2 has the same key") {
			t.Errorf("it is told as %s", r.body)
		}
		l.review(id, "resubmit", `{"filter":{}}`).says("still_invalid", 2, "resubmitted", 0)
		l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"SKU":"Z","Price":"1"}},"dry_run":true}`).
			says("valid", 1, "still_invalid", 1)
		l.patch(id+".2", `"2"`, `{"params":{"SKU":"S9"}}`).says("resolution.state", "fixed", "key", "S9")
		l.review(id, "resubmit", `{"filter":{}}`).says("still_invalid", 1, "resubmitted", 1)
	}
}

// TestSkip_ByFilter_LeavesFixedRows: corrected rows are skipped only if the filter selects them by their state.
func TestSkip_ByFilter_LeavesFixedRows(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	l.patch(id+".3", `"1"`, `{"params":{"Price":"4"}}`).says("resolution.state", "fixed")
	l.review(id, "skip", `{"filter":{}}`).says("done", 2)
	l.look("/api/v1/events/"+id+".3").says("resolution.state", "fixed")
	l.review(id, "skip", `{"filter":{"resolution":"fixed"}}`).says("done", 1)
}
