package notify_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/version"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// office is a service with a clock that the test moves, and a receiver of webhooks.
type office struct {
	t *testing.T
	*fixture.Service
	now   *atomic.Int64 // unix ms
	inbox *inbox
}

func offices(t *testing.T, story func(*office), opts ...worker.Option) {
	ledgers.ByTier(t, func(t *testing.T, url string) { story(newOffice(t, url, opts)) })
}

func newOffice(t *testing.T, url string, opts []worker.Option) *office {
	t.Helper()
	o := &office{t: t, now: &atomic.Int64{}, inbox: newInbox(t)}
	o.now.Store(time.Now().UnixMilli())
	o.Service = fixture.New(t, fixture.Options{
		Ledger: url, Now: o.clock, Kinds: fixture.Kinds(worker.Define("k", nothing, opts...)),
	})
	return o
}

func (o *office) clock() time.Time { return time.UnixMilli(o.now.Load()) }

func (o *office) pass(d time.Duration) { o.now.Add(d.Milliseconds()) }

func (o *office) deliverer() *notify.Deliverer {
	return o.delivererWith(guard.Client(guard.Options{AllowPrivate: true, Timeout: time.Minute}))
}

func (o *office) delivererWith(c *http.Client) *notify.Deliverer {
	return notify.NewDeliverer(o.Notify, o.Events, o.Kinds, notify.DelivererOptions{
		Client: c, Now: o.clock, CallbackTimeout: 10 * time.Second,
	})
}

func (o *office) deliver() {
	o.t.Helper()
	if err := o.deliverer().Deliver(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
}

// webhook registers the inbox with a path.
func (o *office) webhook(tenant, path string, topics ...string) *notify.Webhook {
	o.t.Helper()
	w, err := o.Notify.AddWebhook(o.t.Context(), tenant, o.inbox.url+path, topics)
	if err != nil {
		o.t.Fatal(err)
	}
	return w
}

// end adds a task of a tenant, and ends its rows at once, with these statuses.
func (o *office) end(tenant string, tune func(*tasks.Task), ends ...events.Status) *tasks.Task {
	o.t.Helper()
	ctx := o.t.Context()
	t := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: "k", Type: tasks.Import, Status: tasks.Open,
		Name: "spring", Labels: map[string]string{"campaign": "spring"}, Source: tasks.Source{FileID: "f"},
	}
	if tune != nil {
		tune(t)
	}
	if err := o.Tasks.Create(ctx, t, time.Hour); err != nil {
		o.t.Fatal(err)
	}
	_, claim, err := o.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(ctx, time.Minute)
	if err != nil {
		o.t.Fatal(err)
	}
	chunk := events.Chunk{Num: t.Num, Claim: int64(claim), Final: true}
	for i := range ends {
		chunk.Rows = append(chunk.Rows, events.Draft{Row: i + 2, Key: "k", Params: []byte(`{"SKU":"a"}`)})
	}
	if _, err := o.Events.Append(ctx, chunk); err != nil {
		o.t.Fatal(err)
	}
	var moves []events.Move
	for i, to := range ends {
		m := events.Move{
			ID: events.NewID(t.Num, int64(i)+1), Row: i + 2, From: events.Enqueue, To: to, Attempt: 1, FinishedAt: 1,
		}
		if to.Bad() {
			m.Failure = &events.Failure{Code: "BROKEN", Message: "it broke"}
		}
		moves = append(moves, m)
	}
	if _, err := o.Events.Record(ctx, moves); err != nil {
		o.t.Fatal(err)
	}
	return t
}

// log returns the only delivery of a webhook.
func (o *office) log(w *notify.Webhook) *notify.Delivery {
	o.t.Helper()
	return o.only(notify.DeliveryFilter{Webhook: w.ID, Limit: 10})
}

func (o *office) only(f notify.DeliveryFilter) *notify.Delivery {
	o.t.Helper()
	list, err := o.Notify.Deliveries(o.t.Context(), f)
	if err != nil || len(list) != 1 {
		o.t.Fatalf("deliveries = %+v, %v, want one", list, err)
	}
	return &list[0]
}

// message is a request that the inbox has received.
type message struct {
	path   string
	header http.Header
	body   []byte
}

func (m message) id() string { return m.header.Get("Webhook-Id") }

// verify checks the signature as a receiver would, and reads the body. TestWebhook_Signature_IsThatOfTheStandard
// of web/browser checks it with the library of the standard.
func (m message) verify(t *testing.T, secret string) (body map[string]any) {
	t.Helper()
	if err := testenv.VerifyWebhook(secret, m.header, m.body); err != nil {
		t.Errorf("signature: %v", err)
	}
	if got := m.header.Get("User-Agent"); got != "Rollcall-Webhooks/1 Rollcall/"+version.Number() {
		t.Errorf("sender %q", got)
	}
	if err := json.Unmarshal(m.body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// inbox is a receiver of webhook requests. The function `answer` writes the response. If `answer` is nil,
// the response has the status 204.
type inbox struct {
	url string

	mu     sync.Mutex
	got    []message
	answer func(w http.ResponseWriter, m message)
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	srv := httptest.NewServer(http.HandlerFunc(in.receive))
	t.Cleanup(srv.Close)
	in.url = srv.URL
	return in
}

func (in *inbox) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m := message{r.URL.Path, r.Header, body}
	in.mu.Lock()
	in.got = append(in.got, m)
	answer := in.answer
	in.mu.Unlock()
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(w, m)
}

func (in *inbox) answers(f func(w http.ResponseWriter, m message)) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.answer = f
}

func (in *inbox) all() []message {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]message(nil), in.got...)
}

// counts returns how often each message was received.
func (in *inbox) counts() map[string]int {
	out := map[string]int{}
	for _, m := range in.all() {
		out[m.path+" "+m.id()]++
	}
	return out
}

// patient runs a deliverer once. Its callbacks may take the given time.
func (o *office) patient(d time.Duration) {
	o.t.Helper()
	c := notify.NewDeliverer(o.Notify, o.Events, o.Kinds, notify.DelivererOptions{Now: o.clock, CallbackTimeout: d})
	if err := c.Deliver(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
}

// newServer starts a server and returns its address.
func newServer(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}
