package web_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestKindsThatCannotBeUsed tests a kind that takes no rows, and one that was removed.
func TestKindsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	bare := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("mails.send",
			func(context.Context, *worker.Job[struct{}]) error { return nil })))
	})
	bare.postForm(field("kind", "mails.send"), file("a.csv", rows(1))).refuses(422, "KIND_WITHOUT_ROWS")

	row := "/api/v1/events/" + id + ".2"
	undo := fmt.Sprintf(`{"act_id":%q}`, l.review(id, "skip", `{"filter":{}}`).object()["act_id"])
	tag := l.look(row).header.Get("ETag")
	fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET kind = 'gone'").Error)
	l.call(http.MethodPatch, row, `{"params":{"Price":"2"}}`, "Content-Type", jsonType, "If-Match", tag).
		refuses(409, "UNKNOWN_KIND")
	for act, body := range map[string]string{
		"undo": undo, "resubmit": `{"filter":{}}`, "skip": `{"filter":{}}`, "repair": `{"filter":{},"patch":{"set":{"Price":"1"}}}`,
	} {
		l.review(id, act, body).refuses(409, "UNKNOWN_KIND")
	}
	l.call(http.MethodPost, previewPath, form(field("kind", "products.import")), "Content-Type", multipartType).
		refuses(400, "FILE_MISSING")
	l.call(http.MethodPost, previewPath, form(file("a.csv", rows(1))), "Content-Type", multipartType).
		refuses(422, "KIND_MISSING")
	l.call(http.MethodPost, previewPath, form(field("kind", "x"), file("a.csv", rows(1))), "Content-Type", multipartType).
		refuses(422, "UNKNOWN_KIND")
}

// TestBulkActionsThatMakeNoSense: such requests are refused before a row is read.
func TestBulkActionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	path := "/api/v1/tasks/" + id
	l.postTo(path+"/repair", `{"filter":{}}`).refuses(422, "INVALID_FIELD", "patch")
	l.postTo(path+"/repair", `{"filter":{},"patch":{"set":{"Aisle":"1"}}}`).refuses(422, "INVALID_CELL")
	l.postTo(path+"/skip", `{}`).refuses(422, "INVALID_FIELD", "filter")
	for _, name := range []string{"status", "code", "column", "key", "q", "resolution"} {
		l.postTo(path+"/skip", `{"filter":{"`+name+`":""}}`).refuses(422, "INVALID_FIELD", `"pointer":"/filter/`+name+`"`, "Omit it")
		if name != "key" {
			l.postTo(path+"/skip", `{"filter":{"`+name+`":" "}}`).refuses(422, "INVALID_FIELD", `"pointer":"/filter/`+name+`"`, "Omit it")
		}
	}
	l.postTo(path+"/skip", `{"filter":{"code":1}}`).refuses(422, "INVALID_FIELD", "filter")
	l.postTo(path+"/skip", `{"filter":{"codes":"X"}}`).refuses(422, "INVALID_FIELD", "codes")
	l.postTo(path+"/skip", `{"filter":{"code":null},"dry_run":true}`).is(200)

	other := l.accepted("b.csv", wrong, "")
	l.split()
	act := l.postTo("/api/v1/tasks/"+other+"/repair", `{"filter":{},"patch":{"set":{"Price":"x"}}}`).object()["act_id"]
	l.postTo("/api/v1/tasks/"+other+"/cancel", "").is(http.StatusOK)
	l.postTo("/api/v1/tasks/"+other+"/undo", fmt.Sprintf(`{"act_id":%q}`, act)).refuses(409, "WRONG_STATUS")
	l.postTo("/api/v1/tasks/"+other+"/repair", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).refuses(409, "WRONG_STATUS")
}

// TestFilesByTheirTag: a file is not sent if the client has it, or if the requested range lies outside.
func TestFilesByTheirTag(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	file := l.look("/api/v1/tasks/" + id).object()["source"].(map[string]any)["file_id"].(string)
	path := "/api/v1/files/" + file + "/content"
	l.look(path, "If-None-Match", l.look(path).header.Get("ETag")).is(http.StatusNotModified)
	l.look(path, "Range", "bytes=9999-").refuses(http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE")
	l.look("/imports").is(http.StatusSeeOther)
}

// TestCorrectionsOnThePage: the form shows what it did not accept.
func TestCorrectionsOnThePage(t *testing.T) {
	t.Parallel()
	l, id := reviewed(t)
	send := func(media, body string) reply {
		return l.call(http.MethodPost, "/tasks/"+id+"/corrections", body, "Content-Type", media)
	}
	send("text/plain", "x").is(http.StatusUnsupportedMediaType)
	send(multipartType, form(file("a.csv", rows(1)))).is(http.StatusUnprocessableEntity)
	same := l.edited(id)
	r := send(multipartType, form(file("a.csv", same)))
	r.is(http.StatusSeeOther)
	tells(t, l.look(r.header.Get("Location"), "Accept", htmlType).body, "The corrected file has no changes", "Prefer to correct it in Excel?")
	wrong := send(multipartType, form(file("a.pdf", "%PDF-1.7")))
	tells(t, wrong.body, "The corrected file was not accepted. Nothing was changed.", "Choose another file", "Prefer to correct it in Excel?")
	still := send(multipartType, form(file("a.csv", l.edited(id, "B;b;x;", "B;b;y;"))))
	still.is(http.StatusOK)
	r = send(multipartType, form(file("a.csv", l.edited(id, "B;b;y;", "B;b;7;"))))
	r.is(http.StatusSeeOther)
	tells(t, l.look(r.header.Get("Location"), "Accept", htmlType).body, "1 row runs again. Unchanged: 4.")
}

// TestUnknownFieldsOfAForm: a misspelt field is an error.
func TestUnknownFieldsOfAForm(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.postForm(field("kind", "products.import"), field("option", `{"dedup":"reject"}`), file("a.csv", rows(1))).
		refuses(422, "INVALID_FIELD", `"pointer":"/option"`)
	l.nothingLeft()
}
