package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/web"
)

const (
	hooksPath = "/api/v1/webhooks"
	jsonType  = "application/json"
	unknownID = "0193c1f0-0000-7000-8000-000000000000"
)

func (l *lab) postTo(path, body string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, path, body, "Content-Type", jsonType)
}

// hook registers a webhook and returns its id.
func (l *lab) hook(body string) string {
	l.t.Helper()
	r := l.postTo(hooksPath, body)
	r.is(http.StatusCreated)
	return r.object()["id"].(string)
}

// deliver makes the due deliveries, as a worker would.
func (l *lab) deliver() {
	l.t.Helper()
	c := notify.NewDeliverer(l.opt.Notify, l.opt.Events, l.opt.Kinds, notify.DelivererOptions{
		Client: guard.Client(guard.Options{AllowPrivate: true}), Now: l.clock,
	})
	fine(l.t, c.Deliver(l.t.Context()))
}

// TestLifeOfAWebhook registers a webhook, and calls, reads, replays and deletes it.
func TestLifeOfAWebhook(t *testing.T) {
	t.Parallel()
	var code atomic.Int64
	code.Store(http.StatusTeapot)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(code.Load()))
		fmt.Fprint(w, "hello")
	}))
	t.Cleanup(receiver.Close)
	l := newLab(t, func(o *web.Options) { o.AllowPrivate = true })

	made := l.postTo(hooksPath, `{"url":"`+receiver.URL+`","topics":["task.finished"]}`)
	made.is(http.StatusCreated)
	hook := made.object()
	id := hook["id"].(string)
	if secret, _ := hook["secret"].(string); !strings.HasPrefix(secret, "whsec_") || len(secret) < 38 {
		t.Errorf("secret = %q", secret)
	}
	path := hooksPath + "/" + id
	if made.header.Get("Location") != path {
		t.Errorf("Location = %q", made.header.Get("Location"))
	}
	l.look(path).same(`{"id":"` + id + `","url":"` + receiver.URL + `","topics":["task.finished"],"enabled":true,
		"created_at":"2026-03-04T05:06:07.089Z","disabled_at":null,
		"links":{"self":"` + path + `","deliveries":"` + path + `/deliveries"}}`)
	if list, next := l.look(hooksPath).items(); len(list) != 1 || next != "" || list[0]["id"] != id || list[0]["secret"] != nil {
		t.Errorf("list = %v", list)
	}

	task := l.accepted("a.csv", rows(1), "")
	l.split()
	l.move(task, events.Finish, nil, 1)
	l.deliver()
	list, _ := l.look(path + "/deliveries").items()
	if len(list) != 1 {
		t.Fatalf("deliveries = %v", list)
	}
	d := list[0]
	log := d["attempts"].([]any)[0].(map[string]any)
	if d["state"] != "waiting" || d["task_id"] != task || d["topic"] != "task.finished" || d["tries"] != 1.0 ||
		d["next_try_at"] == nil || log["status"] != 418.0 || log["error"] != "answered 418" || log["response"] != "hello" {
		t.Errorf("delivery = %v", d)
	}

	tells(t, l.page("/ops/webhooks"), receiver.URL, "Fails", "answered 418 · 4 Mar 2026, 05:06:07 UTC")
	tells(t, l.look("/ops/webhooks", "Accept", htmlType, "Accept-Language", "ru").body, "Сбой доставки", "ответ 418")

	code.Store(http.StatusOK)
	replay := path + "/deliveries/" + d["id"].(string) + "/replay"
	r := l.postTo(replay, "")
	r.is(http.StatusAccepted)
	l.deliver()
	list, _ = l.look("/api/v1/tasks/" + task + "/deliveries").items()
	if len(list) != 1 || list[0]["state"] != "delivered" || len(list[0]["attempts"].([]any)) != 2 ||
		list[0]["message_id"] != d["message_id"] || list[0]["next_try_at"] != nil {
		t.Errorf("after the replay: %v", list)
	}
	if page := l.page("/ops/webhooks"); strings.Contains(page, "answered 418") || !strings.Contains(page, ">On<") {
		t.Errorf("after a delivery, the page does not say that the webhook is on:\n%s", words(page))
	}
	l.postTo("/api/v1/tasks/"+task+"/deliveries/"+d["id"].(string)+"/replay", "").is(http.StatusAccepted)

	code.Store(http.StatusGone)
	l.deliver()
	for _, again := range []string{replay, "/api/v1/tasks/" + task + "/deliveries/" + d["id"].(string) + "/replay"} {
		l.postTo(again, "").refuses(http.StatusConflict, "WEBHOOK_DISABLED")
	}
	if l.look(path).object()["enabled"] != false {
		t.Error("a webhook that is gone is still enabled")
	}
	l.call(http.MethodDelete, path, "").is(http.StatusNoContent)
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		l.call(method, path, "").refuses(http.StatusNotFound, "NOT_FOUND")
	}
	l.look(path+"/deliveries").refuses(http.StatusNotFound, "NOT_FOUND")
	l.postTo(replay, "").refuses(http.StatusNotFound, "NOT_FOUND")
	l.audited("delete-webhook", "replay", "replay", "create-webhook")
}

// audited compares the acts in the audit log, newest first.
func (l *lab) audited(want ...string) {
	l.t.Helper()
	var got []string
	list, _ := l.look("/api/v1/audit").items()
	for _, entry := range list {
		got = append(got, entry["act"].(string))
	}
	if !slices.Equal(got, want) {
		l.t.Errorf("the audit has %v, want %v", got, want)
	}
}

// TestWebhookRefusals tests wrong values of every field.
func TestWebhookRefusals(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	good := `"url":"https://example.com/hook"`
	tests := []struct {
		name, body string
		status     int
		code, says string
	}{
		{"no body", ``, 400, "MALFORMED_JSON", ""},
		{"no object", `[]`, 400, "MALFORMED_JSON", ""},
		{"cut off", `{"url":"https://exa`, 400, "MALFORMED_JSON", ""},
		{"something behind", `{` + good + `} x`, 400, "MALFORMED_JSON", ""},
		{"a member twice", `{` + good + `,` + good + `}`, 400, "MALFORMED_JSON", "twice"},
		{"depth", `{` + good + `,"topics":` + strings.Repeat("[", 10000) + `}`, 400, "MALFORMED_JSON", "deeply"},
		{"bad UTF-8", "{\"url\":\"https://example.com/\xff\"}", 400, "MALFORMED_JSON", ""},
		{"too large", `{"url":"` + strings.Repeat("x", 70<<10) + `"}`, 413, "BODY_TOO_LARGE", ""},
		{"an unknown field", `{` + good + `,"secret":"x"}`, 422, "INVALID_FIELD", `"/secret"`},
		{"no url", `{}`, 422, "INVALID_FIELD", `"/url"`},
		{"null", `{"url":null}`, 422, "INVALID_FIELD", `"/url"`},
		{"a number", `{"url":7}`, 422, "INVALID_FIELD", `"/url"`},
		{"empty", `{"url":""}`, 422, "INVALID_FIELD", `"/url"`},
		{"no scheme", `{"url":"example.com"}`, 422, "INVALID_FIELD", `"/url"`},
		{"a file", `{"url":"file:///etc/passwd"}`, 422, "INVALID_FIELD", `"/url"`},
		{"a user", `{"url":"https://a:b@example.com"}`, 422, "INVALID_FIELD", "password"},
		{"NUL", `{"url":"https://example.com/\u0000"}`, 422, "INVALID_FIELD", `"/url"`},
		{"loopback", `{"url":"http://127.0.0.1/"}`, 422, "INVALID_FIELD", "public"},
		{"loopback in hex", `{"url":"http://0x7f.1/"}`, 422, "INVALID_FIELD", `"/url"`},
		{"IPv6 loopback", `{"url":"http://[::1]/"}`, 422, "INVALID_FIELD", "public"},
		{"mapped", `{"url":"http://[::ffff:10.0.0.1]/"}`, 422, "INVALID_FIELD", "public"},
		{"10/8", `{"url":"http://10.1.2.3/"}`, 422, "INVALID_FIELD", "public"},
		{"metadata", `{"url":"http://169.254.169.254/latest"}`, 422, "INVALID_FIELD", "public"},
		{"localhost", `{"url":"http://localhost:8080/"}`, 422, "INVALID_FIELD", "public"},
		{"no topics", `{` + good + `,"topics":[]}`, 422, "INVALID_FIELD", `"/topics"`},
		{"an unknown topic", `{` + good + `,"topics":["task.finished","task.done"]}`, 422, "INVALID_FIELD", `"/topics/1"`},
		{"a topic twice", `{` + good + `,"topics":["task.finished","task.finished"]}`, 422, "INVALID_FIELD", `"/topics/1"`},
		{"a topic with a comma", `{` + good + `,"topics":["task.finished,task.first_failure"]}`, 422, "INVALID_FIELD", `"/topics/0"`},
		{"topics as text", `{` + good + `,"topics":"task.finished"}`, 422, "INVALID_FIELD", `"/topics"`},
		{"topics of numbers", `{` + good + `,"topics":[1]}`, 422, "INVALID_FIELD", `"/topics`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l.in(t).postTo(hooksPath, tt.body).refuses(tt.status, tt.code, tt.says)
		})
	}
	l.call(http.MethodPost, hooksPath, `{`+good+`}`, "Content-Type", "text/plain").
		refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	if list, _ := l.look(hooksPath).items(); len(list) != 0 {
		t.Errorf("left behind: %v", list)
	}
	l.hook(`{` + good + `}`)
	l.hook(`{"url":"https://example.com/hook","topics":null}`)
}

// TestWebhookLists tests pages, and wrong parameters.
func TestWebhookLists(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var want []string
	for i := range 50 {
		want = append([]string{l.hook(fmt.Sprintf(`{"url":"https://example.com/%d"}`, i))}, want...)
	}
	l.postTo(hooksPath, `{"url":"https://example.com/more"}`).refuses(http.StatusConflict, "TOO_MANY_WEBHOOKS")
	var got []string
	for at := ""; ; {
		list, next := l.look(hooksPath + "?limit=20&cursor=" + at).items()
		for _, item := range list {
			got = append(got, item["id"].(string))
		}
		if at = next; at == "" {
			break
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("pages = %v, want %v", got, want)
	}
	one := hooksPath + "/" + want[0]
	for _, path := range []string{hooksPath, one + "/deliveries"} {
		for _, query := range []string{"limit=0", "limit=501", "limit=1000000000", "limit=x", "topic=a"} {
			l.look(path+"?"+query).refuses(http.StatusBadRequest, "INVALID_PARAMETER")
		}
		l.look(path+"?cursor=x").refuses(http.StatusBadRequest, "BAD_CURSOR")
	}
	for _, path := range []string{hooksPath + "/x", hooksPath + "/" + unknownID, hooksPath + "/%00", one + "/nothing"} {
		if r := l.look(path); r.status != 404 && r.status != 400 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	l.postTo(one+"/deliveries/"+unknownID+"/replay", "").refuses(http.StatusNotFound, "NOT_FOUND")
	l.call(http.MethodPut, one, "{}").refuses(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
}

// TestWebhooksOfOthers: webhooks of another tenant cannot be read, deleted or replayed. Webhooks
// receive nothing about other tenants.
func TestWebhooksOfOthers(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.AllowPrivate = true })
	receiver := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(receiver.Close)
	mine := l.hook(`{"url":"` + receiver.URL + `"}`)
	task := l.accepted("a.csv", rows(1), "")
	l.split()
	l.move(task, events.Finish, nil, 1)
	l.deliver()
	list, _ := l.look(hooksPath + "/" + mine + "/deliveries").items()
	delivery := list[0]["id"].(string)

	opt := l.opt
	opt.Tenant = "stranger"
	other := *l
	srv := httptest.NewServer(web.New(opt))
	t.Cleanup(srv.Close)
	other.url = srv.URL
	theirs := other.hook(`{"url":"` + receiver.URL + `"}`)
	if list, _ := other.look(hooksPath).items(); len(list) != 1 || list[0]["id"] != theirs {
		t.Errorf("a stranger sees %v", list)
	}
	for _, path := range []string{
		hooksPath + "/" + mine, hooksPath + "/" + mine + "/deliveries", "/api/v1/tasks/" + task + "/deliveries",
	} {
		other.look(path).refuses(http.StatusNotFound, "NOT_FOUND")
	}
	other.call(http.MethodDelete, hooksPath+"/"+mine, "").refuses(http.StatusNotFound, "NOT_FOUND")
	for _, path := range []string{hooksPath + "/" + mine, hooksPath + "/" + theirs, "/api/v1/tasks/" + task} {
		other.postTo(path+"/deliveries/"+delivery+"/replay", "").refuses(http.StatusNotFound, "NOT_FOUND")
	}
	if list, _ := other.look(hooksPath + "/" + theirs + "/deliveries").items(); len(list) != 0 {
		t.Errorf("a stranger was told: %v", list)
	}
}

// TestCallbackURL: the end of an import is sent to the URL that its options name.
func TestCallbackURL(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(receiver.Close)
	l := newLab(t, func(o *web.Options) { o.AllowPrivate = true })
	for _, url := range []string{"x", "file:///x", "http://a:b@example.com", `http://\u0000`} {
		l.upload("a.csv", rows(1), `{"callback_url":"`+url+`"}`).
			refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "/options/callback_url")
	}
	l.upload("a.csv", rows(1), `{"callback_url":7}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "callback_url")
	l.nothingLeft()
	task := l.accepted("a.csv", rows(1), `{"callback_url":"`+receiver.URL+`"}`)
	l.split()
	l.move(task, events.Finish, nil, 1)
	l.deliver()
	list, _ := l.look("/api/v1/tasks/" + task + "/deliveries").items()
	if hits.Load() != 1 || len(list) != 1 || list[0]["channel"] != "callback_url" || list[0]["webhook_id"] != nil {
		t.Errorf("%d hits, deliveries %v", hits.Load(), list)
	}
	r := l.postTo(hooksPath+"/callback-secret", "")
	r.is(http.StatusCreated)
	again := l.postTo(hooksPath+"/callback-secret", "").object()["secret"]
	if first := r.object()["secret"]; first == again || !strings.HasPrefix(again.(string), "whsec_") {
		t.Errorf("secrets %v and %v", first, again)
	}
	l.audited("callback-secret", "callback-secret")

	strict := newLab(t)
	strict.upload("a.csv", rows(1), `{"callback_url":"http://169.254.169.254/"}`).
		refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "public")
}
