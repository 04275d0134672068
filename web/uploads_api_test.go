package web_test

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

const partType = "application/offset+octet-stream"

// begins starts an upload and returns its address.
func (l *lab) begins(name string, size int) string {
	l.t.Helper()
	meta := "filename " + base64.StdEncoding.EncodeToString([]byte(name))
	r := l.call(http.MethodPost, "/api/v1/uploads", "", "Upload-Length", strconv.Itoa(size), "Upload-Metadata", meta)
	r.is(http.StatusCreated)
	return r.header.Get("Location")
}

func (l *lab) continues(at string, offset int, content string) reply {
	l.t.Helper()
	return l.call(http.MethodPatch, at, content, "Upload-Offset", strconv.Itoa(offset), "Content-Type", partType)
}

func TestUpload_InParts_BecomesOneTask(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := rows(5000)
	const half = uploads.MinPart
	at := l.begins("prices.csv", len(text))
	l.continues(at, 0, text[:10]).refuses(http.StatusBadRequest, "PART_TOO_SMALL")
	r := l.continues(at, 0, text[:half])
	if r.is(http.StatusNoContent); r.header.Get("Upload-Offset") != strconv.Itoa(half) {
		t.Errorf("the offset is %q", r.header.Get("Upload-Offset"))
	}
	l.continues(at, 0, text).refuses(http.StatusConflict, "WRONG_OFFSET")
	l.continues(at, half+20, text[half+20:]).refuses(http.StatusConflict, "WRONG_OFFSET")
	if r := l.call(http.MethodHead, at, ""); r.header.Get("Upload-Offset") != strconv.Itoa(half) || r.header.Get("Upload-Length") != strconv.Itoa(len(text)) {
		t.Errorf("HEAD returns %v", r.header)
	}
	id := at[strings.LastIndexByte(at, '/')+1:]
	body := `{"kind":"products.import","upload_id":"` + id + `"}`
	l.postJSON("/tasks", body).refuses(http.StatusConflict, "UPLOAD_INCOMPLETE")
	l.postJSON("/imports/preview", body).refuses(http.StatusConflict, "UPLOAD_INCOMPLETE")
	l.continues(at, half, text[half:]+"x").refuses(http.StatusRequestEntityTooLarge, "FILE_TOO_LARGE")
	if got := l.look(at).object()["offset"]; got != float64(len(text)) {
		l.continues(at, half, text[half:]).is(http.StatusNoContent)
	}
	if counts := l.postJSON("/imports/preview", body).object()["counts"].(map[string]any); counts["total"] != 5000.0 {
		t.Errorf("the preview counts %v", counts)
	}
	made := l.postJSON("/tasks", body)
	made.is(http.StatusAccepted)
	first := made.object()
	again := l.postJSON("/tasks", body).object()
	if first["id"] != again["id"] || first["name"] != "prices.csv" || again["deduplicated"] != nil {
		t.Errorf("the upload is %v and %v, deduplicated %v", first["id"], again["id"], again["deduplicated"])
	}
	l.postJSON("/tasks", `{"kind":"products.import","rows":[{}],"upload_id":"`+id+`"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	l.split()
	if now := l.task(first["id"].(string)); now.Total != 5000 {
		t.Errorf("the task has %d rows, want 5000", now.Total)
	}
	l.call(http.MethodDelete, at, "").is(http.StatusNoContent)
	l.look(at).refuses(http.StatusNotFound, "UPLOAD_NOT_FOUND")
	l.look("/api/v1/tasks/" + first["id"].(string) + "/result").is(http.StatusOK)
}

func TestUpload_OfAnotherTenantOrTooOld_IsNotFound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, mine := l.member("default", access.Operator)
	_, other := l.member("acme", access.Admin)
	at := l.as(mine).begins("a.csv", 5)
	for _, r := range []reply{
		l.as(other).look(at), l.as(other).continues(at, 0, "12345"), l.as(other).call(http.MethodDelete, at, ""),
	} {
		r.refuses(http.StatusNotFound, "UPLOAD_NOT_FOUND")
	}
	l.pass(13 * time.Hour)
	l.as(mine).continues(at, 0, "12345").refuses(http.StatusNotFound, "UPLOAD_NOT_FOUND")
}

func TestUpload_WrongHeaders_AreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, tt := range []struct {
		header []string
		status int
		code   string
	}{
		{nil, http.StatusBadRequest, "INVALID_FIELD"},
		{[]string{"Upload-Length", "-1"}, http.StatusBadRequest, "INVALID_FIELD"},
		{[]string{"Upload-Length", "0"}, http.StatusUnprocessableEntity, "EMPTY_FILE"},
		{[]string{"Upload-Length", "999999999999"}, http.StatusRequestEntityTooLarge, "FILE_TOO_LARGE"},
		{[]string{"Upload-Length", "1", "Upload-Metadata", "filename ?"}, http.StatusBadRequest, "INVALID_FIELD"},
	} {
		l.call(http.MethodPost, "/api/v1/uploads", "", tt.header...).refuses(tt.status, tt.code)
	}
	at := l.begins("a.csv", 5)
	l.call(http.MethodPatch, at, "12345", "Content-Type", partType).refuses(http.StatusBadRequest, "INVALID_FIELD")
	l.call(http.MethodPatch, at, "12345", "Upload-Offset", "0", "Content-Type", "text/csv").refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	l.call(http.MethodPatch, at, "12345", "Upload-Offset", "0", "Content-Type", partType, "Content-Encoding", "gzip").
		refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_ENCODING")
}

func TestMappings_OfATenant_AreListedAndDeleted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.remembered()
	items := l.look("/api/v1/mappings").object()["items"].([]any)
	if len(items) != 1 || items[0].(map[string]any)["mapping"].(map[string]any)["Kode"] != "SKU" {
		t.Fatalf("the list is %v", items)
	}
	l.call(http.MethodDelete, "/api/v1/mappings/"+id, "").is(http.StatusNoContent)
	l.call(http.MethodDelete, "/api/v1/mappings/"+id, "").refuses(http.StatusNotFound, "NOT_FOUND")
}

// remembered adds a mapping of the tenant and returns its id.
func (l *lab) remembered() string {
	l.t.Helper()
	id, tenant := uuid.NewString(), l.tenant
	if tenant == "" {
		tenant = "default"
	}
	fine(l.t, l.db.Write.Exec(`INSERT INTO rollcall.mappings (id, tenant, kind, print, name, headings, fields, made_by, task_id, confirmed, used_at)
		VALUES (?, ?, 'products.import', 'p', 'Shop', '["Kode"]', '{"Kode":"SKU"}', 'ann', 't', TRUE, 1000)`, id, tenant).Error)
	return id
}

func TestUpload_TooManyOrNoRoom_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for range 100 {
		l.begins("a.csv", 5)
	}
	l.call(http.MethodPost, "/api/v1/uploads", "", "Upload-Length", "1").refuses(http.StatusConflict, "TOO_MANY_UPLOADS")
	l.call(http.MethodPost, "/imports", form(field("kind", "products.import"), file("a.csv", rows(1))), "Content-Type", multipartType,
		"Accept", htmlType).is(http.StatusConflict)
	fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Bytes: 60}))
	l.call(http.MethodPost, "/api/v1/uploads", "", "Upload-Length", "61").refuses(http.StatusTooManyRequests, "STORAGE_QUOTA")
}

// TestWizard_UploadThatIsNotWholeOrUnreadable_SaysSo opens the pages of an incomplete upload, and
// of one that cannot be read with its options.
func TestWizard_UploadThatIsNotWholeOrUnreadable_SaysSo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	half := strings.TrimPrefix(l.begins("a.csv", 5), "/api/v1/uploads/")
	post := func(path, body string) reply {
		return l.call(http.MethodPost, path, body, "Content-Type", formType, "Accept", htmlType)
	}
	post("/imports", "kind=products.import&upload="+unknownID).is(http.StatusNotFound)
	post("/imports", "kind=products.import&upload="+half).is(http.StatusConflict)
	fine(t, l.db.Write.Exec("UPDATE rollcall.uploads SET kind = 'products.import' WHERE id = ?", half).Error)
	post("/imports/"+half, "act=look").is(http.StatusConflict)
	l.look("/imports/"+half, "Accept", htmlType).is(http.StatusConflict)
	l.look("/imports/"+half+"/check", "Accept", htmlType).is(http.StatusConflict)

	sent := l.call(http.MethodPost, "/imports", form(field("kind", "products.import"), file("a.csv", rows(1))), "Content-Type", multipartType,
		"Accept", htmlType)
	at := strings.TrimSuffix(sent.header.Get("Location"), "/check")
	post(at, "act=look&header_row=9").is(http.StatusSeeOther)
	l.look(at+"/check", "Accept", htmlType).is(http.StatusUnprocessableEntity)
	if page := l.look(at, "Accept", htmlType); page.status != http.StatusOK || !strings.Contains(string(page.body), `role="alert"`) {
		t.Errorf("the columns of a file without headings: %d %s", page.status, page.body)
	}
}

// TestUpload_OtherFileWithTheKey_IsRefused: an upload that reuses an idempotency key with another size
// or other metadata is rejected.
func TestUpload_OtherFileWithTheKey_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	begin := func(size, meta string) reply {
		return l.call(http.MethodPost, "/api/v1/uploads", "", "Upload-Length", size, "Upload-Metadata", meta, "Idempotency-Key", "k1")
	}
	first := begin("10", "filename YS5jc3Y=,sha256 AAAA")
	first.is(http.StatusCreated)
	if again := begin("10", "filename YS5jc3Y=,sha256 AAAA"); again.header.Get("Location") != first.header.Get("Location") {
		t.Errorf("the same upload once more: %d %v", again.status, again.header)
	}
	begin("11", "filename YS5jc3Y=,sha256 AAAA").refuses(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
	begin("10", "filename YS5jc3Y=,sha256 BBBB").refuses(http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REUSED")
}

// TestUpload_ThatWaits_CountsAgainstTheQuota: an upload counts with its announced size, before its bytes have
// arrived.
func TestUpload_ThatWaits_CountsAgainstTheQuota(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	before, err := l.opt.Tasks.Used(t.Context(), "default")
	fine(t, err)
	l.begins("a.csv", 1000)
	after, err := l.opt.Tasks.Used(t.Context(), "default")
	fine(t, err)
	if after.Bytes != before.Bytes+1000 {
		t.Errorf("%d bytes are used, want 1000 more than %d", after.Bytes, before.Bytes)
	}

	// A task counts the file of its upload once.
	text := rows(3)
	at := l.begins("b.csv", len(text))
	l.continues(at, 0, text).is(http.StatusNoContent)
	fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Bytes: after.Bytes + int64(len(text)) + 10}))
	l.postJSON("/tasks", `{"kind":"products.import","upload_id":"`+at[strings.LastIndexByte(at, '/')+1:]+`"}`).is(http.StatusAccepted)
}

// TestUpload_FileOfAnExistingTask_IsDeletedAtOnce: the response to a duplicate is the existing task, also
// when the request is repeated, and the bytes of the upload are deleted.
func TestUpload_FileOfAnExistingTask_IsDeletedAtOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := rows(3)
	prepare := func(dedup string) (string, string, string) {
		at := l.begins("a.csv", len(text))
		l.continues(at, 0, text).is(http.StatusNoContent)
		id := at[strings.LastIndexByte(at, '/')+1:]
		return at, id, `{"kind":"products.import","upload_id":"` + id + `","options":{"dedup":"` + dedup + `"}}`
	}
	_, _, body := prepare("reuse")
	first := l.postJSON("/tasks", body).object()
	_, id, body := prepare("reuse")
	for range 2 {
		if twin := l.postJSON("/tasks", body).object(); twin["id"] != first["id"] || twin["deduplicated"] != true {
			t.Errorf("the task is %v, deduplicated %v; want %v", twin["id"], twin["deduplicated"], first["id"])
		}
	}
	var file string
	fine(t, l.db.Read.Raw("SELECT file_id FROM rollcall.uploads WHERE id = ?", id).Scan(&file).Error)
	if _, err := l.opt.Files.Get(t.Context(), file); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("Get of the file of a duplicate = %v, want ErrNotFound", err)
	}
	at, _, body := prepare("reject")
	l.postJSON("/tasks", body).refuses(http.StatusConflict, "DUPLICATE_FILE")
	l.look(at).is(http.StatusOK)
	l.postJSON("/tasks", strings.Replace(body, "reject", "none", 1)).is(http.StatusAccepted)
}

// TestUpload_DeletedBeforeItsTask_IsNotFound: no task is added without its file.
func TestUpload_DeletedBeforeItsTask_IsNotFound(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := rows(3)
	at := l.begins("a.csv", len(text))
	l.continues(at, 0, text).is(http.StatusNoContent)
	id := at[strings.LastIndexByte(at, '/')+1:]
	// A trigger ends the upload between the check of the request and its commit.
	fine(t, l.db.Write.Exec(`CREATE TRIGGER rollcall.ends AFTER INSERT ON tasks BEGIN UPDATE uploads SET expires_at = 0; END`).Error)
	l.postJSON("/tasks", `{"kind":"products.import","upload_id":"`+id+`"}`).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	if n := len(l.look("/api/v1/tasks").object()["items"].([]any)); n != 0 {
		t.Errorf("%d tasks were added", n)
	}
}

// TestWizard_MatchesCannotBeStored_StartsTheImport: an error after the task was added is no failure.
func TestWizard_MatchesCannotBeStored_StartsTheImport(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := strings.Replace(rows(1), "SKU", "Zz", 1)
	sent := l.call(http.MethodPost, "/imports", form(field("kind", "products.import"), file("a.csv", text)), "Content-Type", multipartType,
		"Accept", htmlType)
	at := strings.TrimSuffix(sent.header.Get("Location"), "/check")
	post := func(body string) reply {
		return l.call(http.MethodPost, at, body, "Content-Type", formType, "Accept", htmlType)
	}
	post("act=next&remember=1&map%3AZz=SKU").is(http.StatusSeeOther)
	fine(t, l.db.Write.Exec("DROP TABLE rollcall.mappings").Error)
	started := post("act=start")
	if to := started.header.Get("Location"); started.status != http.StatusSeeOther || !strings.HasPrefix(to, "/tasks/") {
		t.Errorf("the start of an import: %d, %q", started.status, to)
	}
}

// TestWizard_NoRoomForTheFile_IsRefused: a file of the page counts in the quota of bytes.
func TestWizard_NoRoomForTheFile_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Bytes: 60}))
	l.call(http.MethodPost, "/imports", form(field("kind", "products.import"), file("a.csv", rows(9))), "Content-Type", multipartType,
		"Accept", htmlType).is(http.StatusTooManyRequests)
	l.nothingLeft()
}
