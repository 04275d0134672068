//go:build all

package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestContract_Examples_AreAnsweredSo sends the request of each example to the service and compares
// the members of the response. With -update it writes the examples.
func TestContract_Examples_AreAnsweredSo(t *testing.T) {
	t.Parallel()
	known, fresh := readExamples(t), map[string]exampleOf{}
	var mu sync.Mutex
	t.Run("each", func(t *testing.T) {
		for _, op := range contract().ops {
			if !exemplary(op) {
				continue
			}
			id := op.def["operationId"].(string)
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				got := newWalk(t).exemplify(op)
				mu.Lock()
				defer mu.Unlock()
				fresh[id] = got
			})
		}
	})
	if web.Update() {
		text, err := json.MarshalIndent(fresh, "", " ")
		fine(t, err)
		fine(t, os.WriteFile("examples.json", append(text, '\n'), 0o644))
		return
	}
	for _, id := range slices.Sorted(maps.Keys(fresh)) {
		got, want := fresh[id], known[id]
		if got.Status != want.Status || got.Media != want.Media || !sameShape(got.Answer, want.Answer) {
			t.Errorf("%s: the service answers %+v, the example is %+v: run this test with -update", id, got, want)
		}
	}
}

// exemplify runs an operation successfully, and returns the request and the response.
func (w *walk) exemplify(op *operation) exampleOf {
	w.t.Helper()
	_, body := op.media()
	body = w.prepare(op, body)
	path := w.path(op)
	if op.def["operationId"] == "removeTenant" {
		path += "?confirm=default&cancel=true"
	}
	r := w.call(op.method, path, body, w.headers(op, body)...)
	if r.status >= http.StatusBadRequest {
		w.t.Fatalf("%s %s: %d %s", op.method, path, r.status, r.body)
	}
	media, _, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	e := exampleOf{Request: fixed(op.method + " " + path), Status: fmt.Sprint(r.status), Media: media}
	if body != "" {
		e.Request += "\n\n" + fixed(strings.TrimSpace(body))
	}
	switch {
	case isJSON(media) && op.path != "/openapi.json":
		fine(w.t, json.Unmarshal([]byte(fixed(r.body)), &e.Answer))
		e.Answer = cut(e.Answer)
	case op.path == "/metrics": // one of the metrics
		e.Answer = strings.Join(regexp.MustCompile(`.*rollcall_job_refusals_total.*\n`).FindAllString(r.body, -1), "")
	case strings.HasPrefix(media, "text/") || media == "application/x-ndjson":
		e.Answer = fixed(fmt.Sprintf("%.600s", r.body))
	}
	return e
}

// headers returns the headers of a request, by the name of its operation and its body.
func (w *walk) headers(op *operation, body string) []string {
	switch {
	case op.def["operationId"] == "createUpload":
		return []string{"Upload-Length", "10", "Upload-Metadata", "filename YS5jc3Y="}
	case op.def["operationId"] == "continueUpload":
		return []string{"Upload-Offset", "0", "Content-Type", partType}
	case strings.HasPrefix(body, "--frontier"):
		return []string{"Content-Type", multipartType}
	case op.method == http.MethodPatch:
		return []string{"Content-Type", jsonType, "If-Match", w.look(w.path(op)).header.Get("ETag")}
	case body != "":
		return []string{"Content-Type", jsonType}
	}
	return nil
}

// prepare creates what an operation needs to succeed, beyond what each walk has.
func (w *walk) prepare(op *operation, body string) string {
	switch {
	case strings.HasSuffix(op.path, "/tasks/{id}/resume"):
		w.call(http.MethodPost, strings.TrimSuffix(w.path(op), "resume")+"pause", "").is(http.StatusOK)
	case strings.HasSuffix(op.path, "/undo"):
		return w.undoable(op, body)
	case strings.Contains(op.path, "/deliveries"):
		w.fails()
	case strings.HasSuffix(op.path, "/close"):
		w.ids["/tasks/{id}"] = w.ids["{open}"]
	case op.path == "/api/v1/uploads/{id}" && op.method == http.MethodPatch:
		return "SKU,Name\nA"
	case strings.HasSuffix(op.path, "/corrections"):
		id := strings.TrimPrefix(w.ids["/tasks/{id}"], "/tasks/")
		return form(file("a.csv", w.edited(id)))
	case op.method == http.MethodDelete && (op.path == "/api/v1/tasks/{id}" || op.path == "/api/v1/events/{id}"):
		w.call(http.MethodPost, "/api/v1"+w.ids["/tasks/{id}"]+"/cancel", "").is(http.StatusOK)
		w.canceled()
	case strings.HasPrefix(op.path, "/api/v1/nodes"):
		w.crew()
		var list []map[string]any
		w.until("a node has shards of both kinds", func() bool {
			list, _ = w.look("/api/v1/nodes").items()
			return len(list) > 0 && len(list[0]["shards"].(map[string]any)) == 2
		})
		w.ids["/nodes/{node}"] = "/nodes/" + list[0]["name"].(string)
	case op.def["operationId"] == "removeTenant":
		w.call(http.MethodDelete, w.path(op)+"?confirm=default&cancel=true", "").is(http.StatusConflict)
		w.canceled()
	case strings.HasPrefix(op.path, "/api/v1/mappings"):
		w.ids["/mappings/{id}"] = "/mappings/" + w.remembered()
	case strings.Contains(op.path, "/busy"):
		w.occupies()
	case strings.HasSuffix(op.path, "/stream"):
		w.call(http.MethodPost, w.ids["/tasks/{id}"], "")
		w.move(strings.TrimPrefix(w.ids["/tasks/{id}"], "/tasks/"), events.Finish, nil, 2)
	}
	return body
}

// occupies keeps a row running until the test ends.
func (w *walk) occupies() {
	started, end := make(chan struct{}, 2), make(chan struct{})
	w.opt.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("products.import",
		func(context.Context, *worker.Job[workers.Product]) error {
			started <- struct{}{}
			<-end
			return nil
		})))
	w.crew()
	w.t.Cleanup(func() { close(end) })
	<-started
}

// fails creates a delivery that has failed once.
func (w *walk) fails() {
	w.ids["/webhooks/{id}"] = "/webhooks/" + w.hook(`{"url":"http://127.0.0.1:1/x","topics":["task.finished"]}`)
	task := w.accepted("b.csv", rows(1), "")
	w.split()
	w.move(task, events.Finish, nil, 1)
	w.deliver()
	w.ids["/tasks/{id}"] = "/tasks/" + task
	list, _ := w.look("/api/v1" + w.ids["/webhooks/{id}"] + "/deliveries").items()
	w.ids["{delivery}"] = list[0]["id"].(string)
}
