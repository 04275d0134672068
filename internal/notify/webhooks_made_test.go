package notify_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/tasks"
)

// route adds a delivery for each waiting notification, and returns the deliveries that are due.
func (o *office) route() []notify.DueDelivery {
	o.t.Helper()
	if _, err := o.Notify.Route(o.t.Context(), notify.Subscribers{Kinds: []string{"k"}}, 10); err != nil {
		o.t.Fatal(err)
	}
	due, err := o.Notify.Due(o.t.Context(), nil, 10)
	if err != nil {
		o.t.Fatal(err)
	}
	return due
}

// disableMade disables the webhooks that ann has added.
func (o *office) disableMade(want int64) {
	o.t.Helper()
	if n, err := o.Notify.DisableMade(o.t.Context(), []string{"ann"}); err != nil || n != want {
		o.t.Fatalf("%d webhooks are disabled, want %d: %v", n, want, err)
	}
}

func (o *office) webhookOf(maker string) *notify.Webhook {
	o.t.Helper()
	w, err := o.Notify.As(maker).AddWebhook(o.t.Context(), "acme", o.inbox.url+"/"+maker, []string{tasks.TopicFinished})
	if err != nil {
		o.t.Fatal(err)
	}
	return w
}

func TestDisableMade_WaitingDeliveries_EndWithTheirWebhook(t *testing.T) {
	offices(t, func(o *office) {
		hers, his := o.webhookOf("ann"), o.webhookOf("ben")
		o.inbox.answers(func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusInternalServerError) })
		o.end("acme", nil, events.Finish)
		o.deliver()
		o.disableMade(1)
		if d := o.log(hers); d.State != notify.StateDead || d.SettledAt != o.now.Load() {
			o.t.Errorf("a delivery to a disabled webhook is %s, ended at %d", d.State, d.SettledAt)
		}
		if d := o.log(his); d.State != notify.StateWaiting {
			o.t.Errorf("a delivery to a webhook of another maker is %s", d.State)
		}
		o.pass(time.Hour)
		o.deliver()
		if n := len(o.inbox.all()); n != 3 {
			o.t.Errorf("%d requests, want 2 before and 1 after", n)
		}
	})
}

// TestDisableMade_AttemptInProgress_IsTheLast covers an attempt that ends after the webhook was disabled.
func TestDisableMade_AttemptInProgress_IsTheLast(t *testing.T) {
	offices(t, func(o *office) {
		w := o.webhookOf("ann")
		o.end("acme", nil, events.Finish)
		o.end("acme", nil, events.Finish)
		ends := []string{notify.StateWaiting, notify.StateDelivered}
		var claims []*notify.Claim
		for _, d := range o.route() {
			c, err := o.Notify.Claim(o.t.Context(), d, time.Minute)
			if err != nil || c == nil {
				o.t.Fatal(c, err)
			}
			claims = append(claims, c)
		}
		o.disableMade(1)
		for i, c := range claims {
			if err := o.Notify.Record(o.t.Context(), c, notify.Result{State: ends[i], Next: o.clock()}); err != nil {
				o.t.Fatal(err)
			}
		}
		list, err := o.Notify.Deliveries(o.t.Context(), notify.DeliveryFilter{Webhook: w.ID, Limit: 10})
		if err != nil || len(list) != 2 {
			o.t.Fatal(list, err)
		}
		for i, want := range []string{notify.StateDelivered, notify.StateDead} { // newest first
			if d := list[i]; d.State != want || d.SettledAt == 0 || d.Tries != 1 {
				o.t.Errorf("delivery = %+v, want %s after one attempt", d, want)
			}
		}
	})
}

// TestClaim_WebhookIsDisabled_EndsItsDeliveries covers a delivery that still waits after its webhook was
// disabled.
func TestClaim_WebhookIsDisabled_EndsItsDeliveries(t *testing.T) {
	offices(t, func(o *office) {
		w := o.webhookOf("ann")
		o.end("acme", nil, events.Finish)
		due := o.route()
		if err := o.DB.Write.Exec("UPDATE rollcall.webhooks SET enabled = FALSE").Error; err != nil {
			o.t.Fatal(err)
		}
		if c, err := o.Notify.Claim(o.t.Context(), due[0], time.Minute); err != nil || c != nil {
			o.t.Errorf("a delivery to a disabled webhook is claimed: %v, %v", c, err)
		}
		if d := o.log(w); d.State != notify.StateDead || d.SettledAt == 0 {
			o.t.Errorf("delivery = %+v", d)
		}
	})
}
