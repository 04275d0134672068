package web_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// through collects a text of every item of a list, page by page.
func (l *lab) through(path, name string, between func()) []string {
	l.t.Helper()
	var out []string
	next := ""
	for {
		list, more := l.look(path + "&cursor=" + url.QueryEscape(next)).items()
		for _, item := range list {
			out = append(out, fmt.Sprint(item[name]))
		}
		if more == "" {
			return out
		}
		if next = more; len(out) > 10_000 {
			l.t.Fatal("the pages have no end")
		}
		between()
	}
}

// TestTasksByPage: tasks are listed newest first, each once, even if tasks are added meanwhile.
func TestTasksByPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var want []string
	for range 7 {
		want = append(want, l.accepted("a.csv", rows(1), ""))
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 3, 7, 500} {
		got := l.through(fmt.Sprintf("/api/v1/tasks?limit=%d", limit), "id", func() {
			if limit == 3 {
				l.accepted("later.csv", rows(1), "")
			}
		})
		if !slices.Equal(got[len(got)-7:], want) || limit < 4 && len(got) != 7 {
			t.Errorf("limit %d: %d tasks %v, want %v", limit, len(got), got, want)
		}
	}
	one, _ := l.look("/api/v1/tasks?limit=1").items()
	if len(one[0]) != 27 || len(one[0]["errors"].([]any)) != 0 {
		t.Errorf("an item has %d fields, want those of a task: %v", len(one[0]), one[0])
	}
}

func TestFiltersOfTasks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	first := l.accepted("a.csv", rows(1), "")
	l.split()
	second := l.accepted("b.csv", rows(1), "")
	for query, want := range map[string][]string{
		"":                                  {second, first},
		"status=open":                       {second},
		"status=running":                    {first},
		"status=running&kind=no.such":       nil,
		"kind=products.import":              {second, first},
		"kind=%27%20OR%201%3D1":             nil,
		"status=finished_with_failures":     nil,
		"status=open&kind=products.import&": {second},
	} {
		if got := l.through("/api/v1/tasks?"+query, "id", func() {}); !slices.Equal(got, want) {
			t.Errorf("?%s: %v, want %v", query, got, want)
		}
	}
}

// TestRowsByPage: rows are listed in file order, with each filter alone and with others.
func TestRowsByPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,no,Acme\n,c,-1,X\nD,d,4,Acme\nA,e,5,X\n", "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 4)
	l.move(id, events.Working, nil, 5)
	path := "/api/v1/tasks/" + id
	for query, want := range map[string][]string{
		"/events?":                              {"2", "3", "4", "5", "6"},
		"/events?limit=2":                       {"2", "3", "4", "5", "6"},
		"/events?status=failed":                 {"3", "4"},
		"/events?limit=1&status=finish,working": {"2", "6"},
		"/events?status=enqueue,canceled":       nil,
		"/events?code=INVALID_NUMBER":           {"3"},
		"/events?column=SKU":                    {"4"},
		"/events?key=A":                         {"2", "6"},
		"/events?key=A&row_gte=3":               {"6"},
		"/events?row_gte=5&limit=1":             {"5", "6"},
		"/events?code=%25&limit=1":              nil,
		"/errors?":                              {"3", "4", "5"},
		"/errors?limit=1":                       {"3", "4", "5"},
		"/errors?status=error":                  {"5"},
		"/errors?status=failed&limit=1":         {"3", "4"},
		"/errors?code=SYSTEM_ERROR&row_gte=2":   {"5"},
	} {
		if got := l.through(path+query, "row", func() {}); !slices.Equal(got, want) {
			t.Errorf("%s: rows %v, want %v", query, got, want)
		}
	}
	groups, _ := l.look(path + "/error-groups").items()
	if len(groups) != 3 {
		t.Errorf("groups: %v, want INVALID_NUMBER, REQUIRED and SYSTEM_ERROR", groups)
	}
}

// TestWrongQueries: each wrong query is answered with 400 and the name of the wrong parameter.
func TestWrongQueries(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(5), "")
	l.accepted("b.csv", rows(5), "")
	l.split()
	path := "/api/v1/tasks/" + id + "/events?"
	_, cursor := l.look(path + "limit=1").items()
	_, other := l.look("/api/v1/tasks?limit=1").items()
	if cursor == "" || other == "" {
		t.Fatal("no second page to ask for")
	}
	raw := base64.RawURLEncoding.EncodeToString([]byte("1"))
	for query, name := range map[string]string{
		"limit=0": "limit", "limit=501": "limit", "limit=1000000000": "limit", "limit=-1": "limit",
		"limit=1e2": "limit", "limit=99999999999999999999": "limit", "limit=%C3%A9": "limit",
		"cursor=x": "cursor", "cursor=" + raw: "cursor", "cursor=" + raw + ".x": "cursor",
		"cursor=" + other: "cursor", "status=finish&cursor=" + cursor: "cursor", "cursor=.": "cursor",
		"cursor=" + strings.Repeat("A", 5000): "cursor", "cursor=" + cursor + "0": "cursor",
		"status=bogus": "status", "status=finish,": "status", "status=FAILED": "status",
		"row_gte=0": "row_gte", "row_gte=x": "row_gte", "row_gte=3000000000": "row_gte",
		"statuss=failed": "statuss", "resolution=x": "resolution", "sort=id": "sort", "sort=row,-row": "sort",
		"sort=-row&cursor=" + cursor: "cursor", "fields=rows": "fields", "fields=id,": "fields", "fields=id.task": "fields",
	} {
		code := "INVALID_PARAMETER"
		if name == "cursor" {
			code = "BAD_CURSOR"
		}
		l.look(path+query).refuses(400, code, `"pointer":"?`+name+`"`)
	}
	l.look(path + "limit=2&fields=id&cursor=" + cursor).is(http.StatusOK) // the cursor is also valid for another page size
	l.look(path+"sort=id").refuses(400, "INVALID_PARAMETER", "sort must be one of [row -row]")
	l.look("/api/v1/tasks?sort=name").refuses(400, "INVALID_PARAMETER", "sort must be one of [-created_at created_at]")
	l.look("/api/v1/tasks?sort=created_at&cursor="+other).refuses(400, "BAD_CURSOR", "sort")
	l.look("/api/v1/tasks?status=failed,finished").refuses(400, "INVALID_PARAMETER", "?status")
	l.look("/api/v1/tasks?labels=a").refuses(400, "INVALID_PARAMETER", "?labels", "status, kind, label", "sort, fields, limit, cursor")
	l.look("/api/v1/tasks/"+id+"/errors?status=finish").refuses(400, "INVALID_PARAMETER", "failed error")
	for _, bad := range []string{
		"/api/v1/tasks?kind=%zz", "/api/v1/tasks?kind=a;b", "/api/v1/tasks?kind=%00", "/api/v1/tasks?%ff=1",
		path + "key=%C3", path + "code=a%00b", "/api/v1/tasks/%00", "/api/v1/tasks/%ff", "/api/v1/kinds/a%00",
		"/tasks/%00", "/?cursor=%00",
	} {
		l.look(bad).refuses(400, "INVALID_ADDRESS")
	}
}

// TestAnEvent compares one row with the contract.
func TestAnEvent(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price,Aisle\nA,\"=1+1\",1,7\n,b,x,\n", "")
	l.split()
	l.pass(1500 * time.Millisecond)
	num := l.task(id).Num
	made, err := l.opt.Events.Record(t.Context(), []events.Move{{
		ID: events.NewID(num, 1), Row: 2, From: events.Enqueue, To: events.Enqueue, Attempt: 1,
		Failure:  &events.Failure{Code: "SYSTEM_ERROR", Message: "A system error"},
		QueuedAt: l.now.Load(), StartedAt: l.now.Load() + 1, NextRunAt: l.now.Load() + 16_000,
		Notes: []events.Note{{
			At: l.now.Load() + 5, Attempt: 1, Status: events.Enqueue, Text: "dial: refused",
			Worker: "host:77", Duration: 4, Stack: "goroutine 1",
		}},
	}})
	if err != nil || !made[0] {
		t.Fatal(made, err)
	}
	r := l.look("/api/v1/events/" + id + ".1")
	r.is(http.StatusOK)
	r.has("ETag", `"2"`, "Cache-Control", "no-store")
	r.same(strings.ReplaceAll(`{"id":"$ID.1","task_id":"$ID","seq":1,"row":2,"sheet":null,"key":"A",
"status":"enqueue","attempt":1,"max_attempts":4,
"params":{"SKU":"A","Name":"=1+1","Price":"1","Aisle":"7"},"result":null,"code":"SYSTEM_ERROR",
"column":null,"value":null,"message":"A system error","hint":null,"fields":[],
"messages":[{"at":"2026-03-04T05:06:08.594Z","attempt":1,"status":"enqueue","text":"dial: refused","duration_ms":4}],"attempts":[],
"queued_at":"2026-03-04T05:06:08.589Z","started_at":"2026-03-04T05:06:08.590Z","finished_at":null,
"next_run_at":"2026-03-04T05:06:24.589Z","resolution":null,"version":2}`, "$ID", id))
	l.look("/api/v1/events/" + id + ".2").same(strings.ReplaceAll(`{"id":"$ID.2","task_id":"$ID","seq":2,
"row":3,"sheet":null,"key":null,"status":"failed","attempt":0,"max_attempts":4,
"params":{"Name":"b","Price":"x"},"result":null,"code":"REQUIRED","column":"SKU","value":null,
"message":"SKU is empty","hint":null,
"fields":[{"column":"SKU","value":"","code":"REQUIRED","message":"SKU is empty"},
 {"column":"Price","value":"x","code":"INVALID_NUMBER","message":"Price: \"x\" is not a number",
  "hint":"Enter the price without tax, such as 12.50"}],
"messages":[],"attempts":[],"queued_at":null,"started_at":null,"finished_at":"2026-03-04T05:06:07.089Z",
"next_run_at":null,"resolution":{"state":"open","by":null,"at":null,"note":null},"version":1}`, "$ID", id))
}

// TestNoSuchThing: IDs that do not exist are all answered in the same way, so that a stranger
// learns nothing.
func TestNoSuchThing(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.split()
	unknown := "0193c1f0-0000-7000-8000-000000000000"
	paths := []string{"/kinds/no.such", "/kinds/" + strings.Repeat("x", 4000)}
	for _, bad := range []string{unknown, "nope", "1", id + "x", "%20", "%F0%9F%92%A9", strings.Repeat("9", 5000)} {
		paths = append(paths, "/tasks/"+bad, "/tasks/"+bad+"/events", "/tasks/"+bad+"/errors",
			"/tasks/"+bad+"/error-groups", "/tasks/"+bad+"/result", "/events/"+bad, "/events/"+bad+".1")
	}
	for _, seq := range []string{"0", "2", "-1", "+1", "01", "1.1", "4294967297", "99999999999999999999", ""} {
		paths = append(paths, "/events/"+id+"."+seq)
	}
	for _, path := range paths {
		r := l.look("/api/v1" + path)
		r.refuses(404, "NOT_FOUND", "Not found, or not visible to you.")
		if len(r.object()) != 7 {
			t.Errorf("%.100s: %s", path, r.body)
		}
	}
	for _, path := range []string{"/nope", "/api/v1", "/api/v1/nope", "/api/v2/tasks", "/api/v1/tasks/a/b/c"} {
		l.look(path).refuses(404, "NOT_FOUND", "No page or resource")
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1), "")
	l.split()
	reads := []string{
		"/tasks", "/tasks/" + id, "/tasks/" + id + "/events", "/tasks/" + id + "/errors",
		"/tasks/" + id + "/error-groups", "/tasks/" + id + "/result", "/events/" + id + ".1", "/kinds",
		"/kinds/products.import", "/stats",
	}
	for _, path := range reads {
		get, head := l.look("/api/v1"+path), l.call(http.MethodHead, "/api/v1"+path, "")
		if get.status != 200 || head.status != 200 || head.body != "" || get.header.Get("Content-Type") == "" ||
			get.header.Get("X-Content-Type-Options") != "nosniff" || get.header.Get("Cache-Control") == "" {
			t.Errorf("%s: GET %d %v, HEAD %d %q", path, get.status, get.header, head.status, head.body)
		}
		for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, "BREW"} {
			if method == http.MethodPatch && strings.HasPrefix(path, "/events/") ||
				method == http.MethodDelete && (path == "/tasks/"+id || strings.HasPrefix(path, "/events/")) {
				continue
			}
			r := l.call(method, "/api/v1"+path, "")
			r.refuses(405, "METHOD_NOT_ALLOWED")
			if allow := r.header.Get("Allow"); !strings.Contains(allow, "GET") || !strings.Contains(allow, "HEAD") {
				t.Errorf("%s %s: Allow %q", method, path, allow)
			}
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		l.look(path).is(http.StatusOK)
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for id, kept := range map[string]bool{
		"abc-1_2.Z": true, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false,
		"a b": false, "é": false, "": false, `"x"`: false, "a,b": false,
	} {
		r := l.look("/api/v1/nope", "X-Request-Id", id)
		got := r.header.Get("X-Request-Id")
		if (got == id) != kept || got == "" || len(got) > 128 || r.object()["request_id"] != got {
			t.Errorf("asked with %q, answered as %q, want it kept: %v", id, got, kept)
		}
	}
}

// TestTasksAreSearched tests all parameters of the list of tasks.
func TestTasksAreSearched(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	spring := l.accepted("spring.csv", rows(1), `{"labels":{"campaign":"spring"}}`)
	l.pass(time.Hour)
	fall := l.accepted("fall.csv", rows(1), `{"labels":{"campaign":"fall"}}`)
	for query, want := range map[string]string{
		"label=campaign:spring": spring, "created_before=2026-03-04T05:10:00Z": spring, "q=SPRING&created_by=local": spring,
		"created_after=2026-03-04T06:00:00%2B00:00": fall, "label=campaign:fall&kind=products.import&status=open": fall,
		"label=campaign:winter": "", "created_by=nobody": "", "q=summer": "",
	} {
		list, next := l.look("/api/v1/tasks?" + query).items()
		if got := len(list); got > 1 || next != "" || got == 0 != (want == "") || got == 1 && list[0]["id"] != want {
			t.Errorf("%s finds %v, want %q", query, list, want)
		}
	}
	for _, wrong := range []string{"label=campaign", "label=:x", "created_after=yesterday", "created_before=1"} {
		l.look("/api/v1/tasks?"+wrong).refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	}
}

// TestKinds tests the list of kinds, and a kind with its columns.
func TestKinds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	list, next := l.look("/api/v1/kinds").items()
	one := l.look("/api/v1/kinds/products.import").object()
	if len(list) != 2 || next != "" || fmt.Sprint(list[0]) != fmt.Sprint(one) || one["name"] != "products.import" {
		t.Errorf("kinds: %v, and by name %v", list, one)
	}
	columns := one["columns"].([]any)
	sku := fmt.Sprint(columns[0])
	if len(columns) != 7 || !strings.Contains(sku, "aliases:[code article артикул 货号 mã]") ||
		!strings.Contains(sku, "key:true") || !strings.Contains(sku, "type:text") {
		t.Errorf("columns: %d, the first %s", len(columns), sku)
	}
	l.look("/api/v1/stats").same(`{"total":{"length":0,"morgue_length":0,"lag":0},
		"by_worker":{"products.import":{"length":0,"morgue_length":0,"lag":0},
		"promos.export":{"length":0,"morgue_length":0,"lag":0}}}`)
}

// TestPagesUnderChange: each row is returned once, although rows change between the reads of pages.
func TestPagesUnderChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(60), "")
	l.split()
	left := seqs(60)
	rand.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	got := l.through("/api/v1/tasks/"+id+"/events?limit=7", "seq", func() {
		l.move(id, events.Finish, nil, left[:6]...)
		left = left[6:]
	})
	for i, seq := range got {
		if seq != fmt.Sprint(i+1) || len(got) != 60 {
			t.Fatalf("rows %v, want 1 to 60", got)
		}
	}
}
