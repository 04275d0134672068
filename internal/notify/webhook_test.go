package notify_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWebhook_TaskFails_ReceivesSignedNotifications: one notification comes after the first failure, and
// one at the end. Each has the task at that moment.
func TestWebhook_TaskFails_ReceivesSignedNotifications(t *testing.T) {
	offices(t, func(o *office) {
		all, other := o.webhook("acme", "/all"), o.webhook("globex", "/other")
		ends := o.webhook("acme", "/ends", tasks.TopicFinished)
		task := o.end("acme", nil, events.Finish, events.Failed, events.Error)
		o.deliver()
		o.deliver()
		got := map[string]message{}
		for _, m := range o.inbox.all() {
			got[m.path+" "+strings.TrimPrefix(m.id(), "msg_"+task.ID+"_")] = m
		}
		if len(o.inbox.all()) != 3 || len(got) != 3 {
			o.t.Fatalf("messages = %v, want 3; webhook %s is another tenant's", o.inbox.counts(), other.ID)
		}
		got["/all task_first_failure_1"].verify(o.t, all.Secret)
		got["/ends task_finished_1"].verify(o.t, ends.Secret)
		body := got["/all task_finished_1"].verify(o.t, all.Secret)
		sent := body["data"].(map[string]any)["task"].(map[string]any)
		want := map[string]any{
			"id": task.ID, "tenant": "acme", "kind": "k", "name": "spring", "status": "finished_with_failures",
			"done": true, "outcome": "partial", "round": 1.0, "labels": map[string]any{"campaign": "spring"},
		}
		for name, value := range want {
			if diff := cmp.Diff(value, sent[name]); diff != "" {
				o.t.Errorf("%s: %s", name, diff)
			}
		}
		counts := sent["counts"].(map[string]any)
		if body["type"] != tasks.TopicFinished || counts["total"] != 3.0 || counts["failed"] != 1.0 || counts["error"] != 1.0 {
			o.t.Errorf("body = %v", body)
		}
		d := o.log(ends)
		if log := d.Log(); d.State != notify.StateDelivered || len(log) != 1 || log[0].Status != 204 || log[0].Error != "" {
			o.t.Errorf("delivery = %+v, %+v", d, log)
		}
	})
}

func TestWebhook_ManyDeliverers_ReceivesOnce(t *testing.T) {
	offices(t, func(o *office) {
		o.webhook("acme", "/a")
		o.webhook("acme", "/b", tasks.TopicFinished)
		const n = 40
		for range n {
			o.end("acme", nil, events.Finish, events.Failed)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(o.deliver)
		}
		wg.Wait()
		counts := o.inbox.counts()
		if len(counts) != 3*n {
			o.t.Errorf("%d messages came, want %d", len(counts), 3*n)
		}
		for id, times := range counts {
			if times != 1 {
				o.t.Errorf("%s came %d times", id, times)
			}
		}
	})
}

// TestWebhook_ServerErrors_IsRetriedForThreeDays: after eight failed attempts, a replay starts a new series.
func TestWebhook_ServerErrors_IsRetriedForThreeDays(t *testing.T) {
	offices(t, func(o *office) {
		o.inbox.answers(func(w http.ResponseWriter, _ message) {
			http.Error(w, strings.Repeat("no\x00\xff", 1000), http.StatusInternalServerError)
		})
		w := o.webhook("acme", "/", tasks.TopicFinished)
		o.end("acme", nil, events.Finish)
		begun := o.clock()
		for try := 1; ; try++ {
			o.deliver()
			o.deliver() // too early
			d := o.log(w)
			if d.Tries != try || len(d.Log()) != try {
				o.t.Fatalf("after try %d: %+v", try, d)
			}
			if d.State == notify.StateDead {
				break
			}
			o.now.Store(d.NextAt)
		}
		d := o.log(w)
		took := o.clock().Sub(begun)
		if d.Tries != 8 || took < 60*time.Hour || took > 84*time.Hour {
			o.t.Errorf("given up after %d tries and %v", d.Tries, took)
		}
		last := d.Log()[7]
		if last.Status != 500 || last.Error != "answered 500" || len(last.Response) < 500 || len(last.Response) > 3<<10 {
			o.t.Errorf("attempt = %+v", last)
		}
		o.inbox.answers(nil)
		if _, err := o.Notify.Replay(o.t.Context(), "acme", d.ID); err != nil {
			o.t.Fatal(err)
		}
		o.deliver()
		if d = o.log(w); d.State != notify.StateDelivered || d.Tries != 1 || len(d.Log()) != 9 {
			o.t.Errorf("after the replay: %+v", d)
		}
		for id, times := range o.inbox.counts() {
			if times != 9 {
				o.t.Errorf("%s came %d times, want 9: a repeat keeps its id", id, times)
			}
		}
	})
}

// TestWebhook_Responses_DecideTheState: the log of each delivery has one attempt.
func TestWebhook_Responses_DecideTheState(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc
		state  string
		next   time.Duration // at least
		says   string
	}{
		{"201 is delivered", status(201), notify.StateDelivered, 0, ""},
		{"304 is a redirect", status(304), notify.StateWaiting, 4 * time.Second, "redirect"},
		{"404 is tried again", status(404), notify.StateWaiting, 4 * time.Second, "answered 404"},
		{"429 names its time", status(429, "Retry-After", "3600"), notify.StateWaiting, time.Hour, "answered 429"},
		{"503 with nonsense", status(503, "Retry-After", "soon"), notify.StateWaiting, 4 * time.Second, "answered 503"},
		{"503 with a year", status(503, "Retry-After", "31536000"), notify.StateWaiting, 24 * time.Hour, "answered 503"},
		{"500 cannot ask for time", status(500, "Retry-After", "3600"), notify.StateWaiting, 4 * time.Second, "answered 500"},
		{"410 is for good", status(410), notify.StateDead, 0, "gone"},
		{
			"a redirect inside", status(302, "Location", "http://169.254.169.254/latest/meta-data"),
			notify.StateWaiting, 4 * time.Second, "redirect",
		},
		{"a closed door", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, notify.StateWaiting, 4 * time.Second, "closed"},
		{"a body breaks off", breakOff(502), notify.StateWaiting, 4 * time.Second, "answered 502, then the connection broke"},
		{"a body breaks off, 302", breakOff(302), notify.StateWaiting, 4 * time.Second, "redirect"},
		{"an endless head", func(w http.ResponseWriter, _ *http.Request) {
			for i := range 100 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 4096))
			}
		}, notify.StateWaiting, 4 * time.Second, "header"},
		{"an endless body", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(strings.Repeat("x", 4096))) // until the client closes the connection
			}
		}, notify.StateDelivered, 0, ""},
	}
	offices(t, func(o *office) {
		answers := map[string]http.HandlerFunc{}
		srv := newServer(o.t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server detects a closed connection only after the body was read
			answers[r.URL.Path](w, r)
		})
		hooks := make([]*notify.Webhook, len(tests))
		for i, tt := range tests {
			path := fmt.Sprintf("/%d", i)
			answers[path] = tt.answer
			w, err := o.Notify.AddWebhook(o.t.Context(), "acme", srv+path, []string{tasks.TopicFinished})
			if err != nil {
				o.t.Fatal(err)
			}
			hooks[i] = w
		}
		o.end("acme", nil, events.Finish)
		o.deliver()
		for i, tt := range tests {
			d := o.log(hooks[i])
			if d.State != tt.state || len(d.Log()) != 1 {
				o.t.Errorf("%s: %+v", tt.name, d)
				continue
			}
			says := d.Log()[0].Error
			if !strings.Contains(says, tt.says) || (says == "") != (tt.says == "") {
				o.t.Errorf("%s: %q does not say %q", tt.name, says, tt.says)
			}
			for _, lang := range []string{"ru", "vi", "zh"} {
				if text := words.Translate(lang, "delivery.", says); strings.Contains(text, "then the connection") {
					o.t.Errorf("%s: English words in %s: %q", tt.name, lang, text)
				}
			}
			wait := time.Duration(d.NextAt-o.now.Load()) * time.Millisecond
			if d.State == notify.StateWaiting && (wait < tt.next || wait > max(2*tt.next, 6*time.Second)) {
				o.t.Errorf("%s: next try in %v, want at least %v", tt.name, wait, tt.next)
			}
		}
	})
}

// TestWebhook_ServerHangs_AttemptTimesOut: the server reads the request and sends no response.
func TestWebhook_ServerHangs_AttemptTimesOut(t *testing.T) {
	offices(t, func(o *office) {
		srv := newServer(o.t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server detects a closed connection only after the body was read
			<-r.Context().Done()
		})
		w, err := o.Notify.AddWebhook(o.t.Context(), "acme", srv, []string{tasks.TopicFinished})
		if err != nil {
			o.t.Fatal(err)
		}
		o.end("acme", nil, events.Finish)
		c := o.delivererWith(guard.Client(guard.Options{AllowPrivate: true, Timeout: 50 * time.Millisecond}))
		if err := c.Deliver(o.t.Context()); err != nil {
			o.t.Fatal(err)
		}
		d := o.log(w)
		if log := d.Log(); d.State != notify.StateWaiting || log[0].Error != "no answer within 50ms" {
			o.t.Errorf("delivery = %+v", d)
		}
	})
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// breakOff sends a status and less of the body than the header promises.
func breakOff(code int) http.HandlerFunc {
	return status(code, "Content-Length", "10")
}

// TestWebhook_Gone_IsDisabledWithItsDeliveries: the deliveries cannot be replayed.
func TestWebhook_Gone_IsDisabledWithItsDeliveries(t *testing.T) {
	offices(t, func(o *office) {
		w := o.webhook("acme", "/")
		o.inbox.answers(func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusInternalServerError) })
		o.end("acme", nil, events.Failed)
		o.deliver()
		o.inbox.answers(func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusGone) })
		o.end("acme", nil, events.Finish)
		o.deliver()
		o.end("acme", nil, events.Finish)
		o.deliver()
		got, err := o.Notify.Webhook(o.t.Context(), "acme", w.ID)
		if err != nil || got.Enabled || got.DisabledAt == 0 {
			o.t.Errorf("webhook = %+v, %v", got, err)
		}
		list, err := o.Notify.Deliveries(o.t.Context(), notify.DeliveryFilter{Webhook: w.ID, Limit: 10})
		if err != nil || len(list) != 3 {
			o.t.Fatalf("deliveries = %+v, %v", list, err)
		}
		for _, d := range list {
			if d.State != notify.StateDead {
				o.t.Errorf("delivery is %s", d.State)
			}
		}
		if n := len(o.inbox.all()); n != 3 {
			o.t.Errorf("%d requests, want 3", n)
		}
		if _, err := o.Notify.Replay(o.t.Context(), "acme", list[0].ID); err == nil {
			o.t.Error("a disabled webhook was replayed")
		}
	})
}

func TestWebhook_OneHangs_OthersReceive(t *testing.T) {
	offices(t, func(o *office) {
		o.webhook("acme", "/hang", tasks.TopicFinished)
		for range 60 {
			o.end("acme", nil, events.Finish)
		}
		if n, err := o.Notify.Route(o.t.Context(), notify.Subscribers{Kinds: []string{"k"}}, 100); err != nil || n != 60 {
			o.t.Fatal(n, err)
		}
		o.pass(time.Second) // so that the notification of globex is the newest
		o.webhook("globex", "/well")
		o.end("globex", nil, events.Finish)
		over, arrived := make(chan struct{}), make(chan struct{})
		o.inbox.answers(func(_ http.ResponseWriter, m message) {
			if m.path == "/well" {
				close(arrived)
				return
			}
			<-over
		})
		var wg sync.WaitGroup
		wg.Go(func() {
			c := o.delivererWith(guard.Client(guard.Options{AllowPrivate: true, Timeout: time.Minute}))
			if err := c.Deliver(o.t.Context()); err != nil {
				o.t.Error(err)
			}
		})
		<-arrived
		close(over)
		o.inbox.answers(nil)
		wg.Wait()
		if n := len(o.inbox.counts()); n != 61 {
			o.t.Errorf("%d messages arrived, want 61", n)
		}
	})
}

func TestWebhook_PrivateAddressInLedger_IsNotReached(t *testing.T) {
	offices(t, func(o *office) {
		port := o.inbox.url[strings.LastIndex(o.inbox.url, ":"):]
		var hooks []*notify.Webhook
		for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "169.254.169.254"} {
			w, err := o.Notify.AddWebhook(o.t.Context(), "acme", "http://"+host+port, []string{tasks.TopicFinished})
			if err != nil {
				o.t.Fatal(err)
			}
			hooks = append(hooks, w)
		}
		o.end("acme", nil, events.Finish)
		c := notify.NewDeliverer(o.Notify, o.Events, o.Kinds, notify.DelivererOptions{Now: o.clock})
		if err := c.Deliver(o.t.Context()); err != nil {
			o.t.Fatal(err)
		}
		for _, w := range hooks {
			d := o.log(w)
			if log := d.Log(); d.State != notify.StateWaiting || len(log) != 1 || log[0].Error != guard.ErrNotPublic.Error() {
				o.t.Errorf("%s: %s, %+v", w.URL, d.State, log)
			}
		}
		if n := len(o.inbox.all()); n != 0 {
			o.t.Errorf("%d requests arrived", n)
		}
	})
}

// TestCallbackURL_TaskEnds_ReceivesSignedNotification: the URL receives no other topic. The secret is that
// of the tenant.
func TestCallbackURL_TaskEnds_ReceivesSignedNotification(t *testing.T) {
	offices(t, func(o *office) {
		secret, err := o.Notify.NewCallbackSecret(o.t.Context(), "acme")
		if err != nil {
			o.t.Fatal(err)
		}
		to := func(t *tasks.Task) { t.CallbackURL = o.inbox.url + "/mine" }
		task := o.end("acme", to, events.Failed)
		o.end("acme", nil, events.Failed)
		o.end("globex", to, events.Finish) // globex has no secret yet
		o.deliver()
		got := o.inbox.all()
		if len(got) != 2 {
			o.t.Fatalf("%d messages, want 2", len(got))
		}
		for _, m := range got {
			if strings.Contains(m.id(), task.ID) {
				m.verify(o.t, secret)
			} else if m.header.Get("Webhook-Signature") == "" {
				o.t.Error("not signed")
			}
		}
		if d := o.only(notify.DeliveryFilter{TaskNum: task.Num, Limit: 5}); d.State != notify.StateDelivered || d.Channel != notify.ChannelCallbackURL {
			o.t.Errorf("delivery = %+v", d)
		}
	})
}

// TestClaim_ProcessDies_AnotherDelivers: another process claims the delivery when the claim has expired.
// The result of the first process comes too late.
func TestClaim_ProcessDies_AnotherDelivers(t *testing.T) {
	offices(t, func(o *office) {
		w := o.webhook("acme", "/", tasks.TopicFinished)
		o.end("acme", nil, events.Finish)
		l := notify.Subscribers{Kinds: []string{"k"}}
		if n, err := o.Notify.Route(o.t.Context(), l, 10); err != nil || n != 1 {
			o.t.Fatal(n, err)
		}
		due, err := o.Notify.Due(o.t.Context(), nil, 10)
		if err != nil || len(due) != 1 {
			o.t.Fatal(due, err)
		}
		dead, err := o.Notify.Claim(o.t.Context(), due[0], 10*time.Second)
		if err != nil || dead == nil {
			o.t.Fatal(dead, err)
		}
		if again, err := o.Notify.Claim(o.t.Context(), due[0], time.Second); err != nil || again != nil {
			o.t.Fatalf("claimed twice: %v, %v", again, err)
		}
		o.deliver()
		if n := len(o.inbox.all()); n != 0 {
			o.t.Fatalf("%d messages under another's claim", n)
		}
		o.pass(11 * time.Second)
		o.deliver()
		if err := o.Notify.Record(o.t.Context(), dead, notify.Result{State: notify.StateDead}); err != nil {
			o.t.Error(err)
		}
		if d := o.log(w); d.State != notify.StateDelivered || len(o.inbox.all()) != 1 {
			o.t.Errorf("delivery = %+v, %d messages", d, len(o.inbox.all()))
		}
	})
}

// TestSweep_OldDeliveries_AreRemoved: deliveries of unfinished tasks, and waiting deliveries, stay.
func TestSweep_OldDeliveries_AreRemoved(t *testing.T) {
	offices(t, func(o *office) {
		w := o.webhook("acme", "/", tasks.TopicFinished)
		o.end("acme", nil, events.Finish)
		o.deliver()
		o.inbox.answers(func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusInternalServerError) })
		o.end("acme", nil, events.Finish)
		o.deliver()
		for _, want := range []struct {
			age  time.Duration
			left int
		}{{0, 2}, {time.Hour, 1}} {
			o.pass(want.age)
			if _, err := o.Notify.Sweep(o.t.Context(), time.Minute); err != nil {
				o.t.Fatal(err)
			}
			list, err := o.Notify.Deliveries(o.t.Context(), notify.DeliveryFilter{Webhook: w.ID, Limit: 9})
			if err != nil || len(list) != want.left {
				o.t.Errorf("after %v: %d deliveries, %v, want %d", want.age, len(list), err, want.left)
			}
		}
	})
}
