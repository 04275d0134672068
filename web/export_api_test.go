package web_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

type countParams struct {
	Rows int64 `row:"Rows" validate:"required,lte=100"`
}

type counted struct {
	N    int64  `row:"N"`
	Text string `row:"Text"`
}

// counting is an export in two parts: the numbers up to Rows, and those above.
var counting = worker.DefineExport("numbers.count",
	func(_ context.Context, p worker.Plan[countParams]) ([]worker.Part, error) {
		return []worker.Part{{Args: int64(0)}, {Args: p.Params.Rows}}, nil
	},
	func(_ context.Context, part worker.PartJob[countParams], w worker.RowWriter[counted]) error {
		var from int64
		if err := part.Args(&from); err != nil {
			return err
		}
		for n := range part.Params.Rows {
			if err := w.Write(counted{from + n, "=SUM(A1)"}); err != nil {
				return err
			}
		}
		return nil
	})

// exporting returns a lab with the kind `counting`, and starts a runner that plans exports and merges their parts.
func exporting(t *testing.T, tune ...func(*web.Options)) (*lab, *exporters.Parts) {
	t.Helper()
	kinds := jobs.RegistryOf(worker.NewRegistry(counting,
		worker.Define("products.import", func(context.Context, *worker.Job[countParams]) error { return nil })))
	l := newLab(t, append(tune, func(o *web.Options) { o.Kinds = kinds })...)
	parts := exporters.NewParts(l.opt.Tasks, l.opt.Files)
	runner := exporters.NewRunner(l.opt.Tasks, l.opt.Events, parts, kinds, exporters.RunnerOptions{
		Poll: 5 * time.Millisecond,
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); runner.Run(ctx, nil) }()
	t.Cleanup(func() { cancel(); <-ended })
	return l, parts
}

// write runs the parts of a task when they are planned. The parts with the numbers `bad` fail.
func (l *lab) write(parts *exporters.Parts, id string, bad ...int64) {
	l.t.Helper()
	l.comes(func() bool { return l.task(id).TotalIsFinal })
	t := l.task(id)
	for seq := int64(1); seq <= t.Total; seq++ {
		if slices.Contains(bad, seq) {
			l.move(id, events.Failed, &events.Failure{Code: "NO", Message: "no"}, seq)
			continue
		}
		e, err := l.opt.Events.Get(l.t.Context(), events.NewID(t.Num, seq))
		fine(l.t, err)
		call := &jobs.Call{ID: e.ID.JobID(id), Event: e.ID, Params: []byte(e.Params), Parts: parts}
		fine(l.t, jobs.KindOf(counting).Run(l.t.Context(), call))
		_, err = l.opt.Events.Record(l.t.Context(), []events.Move{{
			ID: e.ID, Row: e.Row, From: events.Enqueue, To: events.Finish, Attempt: 1, Result: call.Kept(),
			FinishedAt: l.clock().UnixMilli(), StartedAt: l.clock().UnixMilli(),
		}})
		fine(l.t, err)
	}
}

// comes waits for a condition that the test does not cause itself.
func (l *lab) comes(f func() bool) {
	l.t.Helper()
	if !testenv.Await(time.Minute, f) {
		l.t.Fatal("it never happened")
	}
}

const wanted = `{"kind":"numbers.count","type":"export","name":"Числа: 1","format":"csv","params":{"rows":3}}`

// TestAnExportOverHTTP follows an export from the request to its file, until the file is deleted.
func TestAnExportOverHTTP(t *testing.T) {
	t.Parallel()
	l, parts := exporting(t)
	_, acme := l.member("acme", access.Admin)
	_, globex := l.member("globex", access.Admin)
	stranger, other := l.as(""), l.as(globex)
	l = l.as(acme)
	l.tenant = "acme"

	r := l.postTo("/api/v1/tasks", wanted)
	r.is(http.StatusAccepted)
	id := r.object()["id"].(string)
	path := "/api/v1/tasks/" + id
	l.look(path+"/result").refuses(http.StatusConflict, "EXPORT_NOT_READY")
	l.look(path+"/result?partial=x").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	l.look(path+"/result?format=xlsx").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	l.write(parts, id)
	l.comes(func() bool { return l.task(id).Status.Done() })

	task := l.look(path).object()
	made := task["result"].(map[string]any)
	if task["status"] != "finished" || task["type"] != "export" || made["rows"] != 6. || made["name"] != "Числа_ 1.csv" ||
		task["progress"].(map[string]any)["message"] != "6 rows written" {
		t.Errorf("the task is %v", task)
	}
	file := "/api/v1/files/" + made["file_id"].(string)
	for _, at := range []string{path + "/result", file + "/content"} {
		r := l.look(at)
		if r.is(http.StatusOK); r.body != "N,Text\n0,'=SUM(A1)\n1,'=SUM(A1)\n2,'=SUM(A1)\n3,'=SUM(A1)\n4,'=SUM(A1)\n5,'=SUM(A1)\n" {
			t.Errorf("%s is %q", at, r.body)
		}
		r.has("Content-Disposition", `attachment; filename="______ 1.csv"; filename*=UTF-8''%D0%A7%D0%B8%D1%81%D0%BB%D0%B0_%201.csv`,
			"Content-Type", "text/csv; charset=utf-8", "ETag", `"`+made["sha256"].(string)+`"`)
		if digest := r.header.Get("Repr-Digest"); !strings.HasPrefix(digest, "sha-256=:") {
			t.Errorf("%s has the digest %q", at, digest)
		}
		part := l.look(at, "Range", "bytes=0-5")
		if part.is(http.StatusPartialContent); part.body != "N,Text" {
			t.Errorf("the range is %q", part.body)
		}
		none := l.look(at, "Range", "bytes=999-")
		none.refuses(http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE")
		if h := none.header; h.Get("ETag")+h.Get("Content-Disposition")+h.Get("Repr-Digest") != "" {
			t.Errorf("a range that there is not is answered with %v", h)
		}
	}

	link := l.postTo(file+"/links", `{"expires_in":600}`)
	link.is(http.StatusCreated)
	at := link.object()["url"].(string)
	stranger.look(at).is(http.StatusOK)
	stranger.look(file+"/content").refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
	stranger.look(strings.Replace(at, "acme", "globex", 1)).refuses(http.StatusForbidden, "LINK_INVALID")
	stranger.look(strings.Replace(at, "expires=", "expires=9", 1)).refuses(http.StatusForbidden, "LINK_INVALID")
	stranger.look(strings.Replace(at, "expires=", "expires=x", 1)).refuses(http.StatusForbidden, "LINK_INVALID")
	l.postTo(file+"/links", `{"expires_in":604801}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	l.postTo(file+"/links", `{"hours":1}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	other.postTo(file+"/links", `{}`).refuses(http.StatusNotFound, "NOT_FOUND")
	l.pass(10 * time.Minute)
	stranger.look(at).refuses(http.StatusGone, "LINK_EXPIRED")

	l.pass(8 * 24 * time.Hour)
	l.keep()
	l.look(path+"/result").refuses(http.StatusGone, "FILE_EXPIRED")
	l.look(file+"/content").refuses(http.StatusGone, "FILE_EXPIRED")
	l.postTo(file+"/links", `{}`).refuses(http.StatusGone, "FILE_EXPIRED")
	if left, err := os.ReadDir(l.folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left: %v", len(left), err)
	}
}

// TestExport_Canceled_SaysSo: the response does not claim that parts are still being written.
func TestExport_Canceled_SaysSo(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t)
	id := l.postTo("/api/v1/tasks", wanted).object()["id"].(string)
	l.call(http.MethodPost, "/api/v1/tasks/"+id+"/cancel", "").is(http.StatusOK)
	l.look("/api/v1/tasks/"+id+"/result").refuses(http.StatusConflict, "EXPORT_NOT_READY", "was canceled")
}

// TestExport_UTF16WithoutAMark_MediaTypeNamesTheByteOrder: the bytes do not show the byte order.
func TestExport_UTF16WithoutAMark_MediaTypeNamesTheByteOrder(t *testing.T) {
	t.Parallel()
	l, parts := exporting(t)
	body := strings.Replace(wanted, `"format":"csv"`, `"format":"csv","encoding":"utf-16"`, 1)
	id := l.postTo("/api/v1/tasks", body).object()["id"].(string)
	l.write(parts, id)
	l.comes(func() bool { return l.task(id).Status.Done() })
	r := l.look("/api/v1/tasks/" + id + "/result")
	r.is(http.StatusOK)
	r.has("Content-Type", "text/csv; charset=utf-16le")
	if !strings.HasPrefix(r.body, "N\x00,\x00") {
		t.Errorf("the file begins with %q", r.body[:4])
	}
}

// TestAPartialExport: the rows of parts that did not fail can be downloaded.
func TestAPartialExport(t *testing.T) {
	t.Parallel()
	l, parts := exporting(t)
	body := strings.Replace(wanted, "Числа: 1", "v1.2", 1)
	id := l.postTo("/api/v1/tasks", body).object()["id"].(string)
	l.write(parts, id, 1)
	path := "/api/v1/tasks/" + id + "/result"
	l.look(path).refuses(http.StatusConflict, "EXPORT_NOT_READY")
	r := l.look(path + "?partial=true")
	if r.is(http.StatusOK); r.body != "N,Text\n3,'=SUM(A1)\n4,'=SUM(A1)\n5,'=SUM(A1)\n" {
		t.Errorf("the partial file is %q", r.body)
	}
	if name := r.header.Get("Content-Disposition"); !strings.Contains(name, "v1.2-partial.csv") {
		t.Errorf("it is called %s", name)
	}
	if got := l.task(id).Outcome; got != "partial" {
		t.Errorf("outcome %q", got)
	}
}

// TestPackedExports: the headers name the compression.
func TestPackedExports(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t)
	for pack, media := range map[string]string{"gzip": "application/gzip", "zip": "application/zip"} {
		body := strings.Replace(wanted, `"csv"`, `"csv","compression":"`+pack+`"`, 1)
		id := l.postTo("/api/v1/tasks", body).object()["id"].(string)
		r := l.look("/api/v1/tasks/" + id + "/result?partial=true")
		r.is(http.StatusOK)
		r.has("Content-Type", media)
	}
}

// TestExportsThatCannotBe: each answer names the fault and its place.
func TestExportsThatCannotBe(t *testing.T) {
	t.Parallel()
	l, _ := exporting(t)
	for _, c := range [][3]string{
		{`"format":"csv","params":{"Rows":3},"columns":["N","Nn"]`, "INVALID_FIELD", "/columns/1"},
		{`"format":"csv","params":{"Rows":3},"columns":["N","N"]`, "INVALID_FIELD", "/columns/1"},
		{`"format":"csv","params":{"Rows":3},"columns":[]`, "INVALID_FIELD", "/columns"},
		{`"format":"pdf","params":{"Rows":3}`, "INVALID_FIELD", "/format"},
		{`"params":{"Rows":3}`, "INVALID_FIELD", "/format"},
		{`"format":"csv"`, "INVALID_FIELD", "/params/Rows"},
		{`"format":"csv","params":{"Rows":101}`, "INVALID_FIELD", "/params/Rows"},
		{`"format":"csv","params":{"Rows":{}}`, "INVALID_FIELD", "/params/Rows"},
		{`"format":"csv","params":{"Rows":1,"Sum":2}`, "INVALID_FIELD", "/params/Sum"},
		{`"format":"csv","params":{"Rows":1,"rows":2}`, "INVALID_FIELD", "/params/rows"},
		{`"format":"csv","params":[]`, "INVALID_FIELD", "/params"},
		{`"format":"csv","params":{"Rows":3},"encoding":"klingon"`, "INVALID_FIELD", "/encoding"},
		{`"format":"csv","params":{"Rows":3},"encoding":"replacement"`, "INVALID_FIELD", "/encoding"},
		{`"format":"csv","params":{"Rows":3},"encoding":"windows-1251","bom":true`, "INVALID_FIELD", "/bom"},
		{`"format":"xlsx","params":{"Rows":3},"delimiter":";"`, "INVALID_FIELD", "/delimiter"},
		{`"format":"csv","params":{"Rows":3},"delimiter":"x"`, "INVALID_FIELD", "/delimiter"},
		{`"format":"xlsx","params":{"Rows":3},"compression":"gzip"`, "INVALID_FIELD", "/compression"},
		{`"format":"csv","params":{"Rows":3},"rows":[{"N":1}]`, "INVALID_FIELD", "/rows"},
		{`"format":"csv","params":{"Rows":3},"options":{"dedup":"reuse"}`, "INVALID_OPTIONS", "/options/dedup"},
	} {
		body := `{"kind":"numbers.count","type":"export",` + c[0] + `}`
		l.postTo("/api/v1/tasks", body).refuses(http.StatusUnprocessableEntity, c[1], `"pointer":"`+c[2]+`"`)
	}
	l.postTo("/api/v1/tasks", `{"kind":"products.import","type":"export","format":"csv"}`).
		refuses(http.StatusUnprocessableEntity, "KIND_WITHOUT_EXPORT")
	l.postTo("/api/v1/tasks", `{"kind":"numbers.count","rows":[{"N":1}]}`).
		refuses(http.StatusUnprocessableEntity, "KIND_WITHOUT_ROWS")
	l.postTo("/api/v1/tasks", `{"kind":"products.import","format":"csv","rows":[{"Rows":1}]}`).
		refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", `"pointer":"/format"`)
	l.postTo("/api/v1/tasks", `{"kind":"products.import","type":"dance"}`).
		refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", `"pointer":"/type"`)
	l.postTo(previewPath, wanted).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", `"pointer":"/type"`)
	l.nothingLeft()
}
