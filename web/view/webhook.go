package view

import (
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Webhook is a webhook as the contract shows it.
type Webhook struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Topics     []string `json:"topics" schema:"items=Topic"`
	Enabled    bool     `json:"enabled"`
	Secret     string   `json:"secret,omitempty" doc:"Shown once, in the response that creates it."`
	CreatedAt  *string  `json:"created_at" schema:"time"`
	DisabledAt *string  `json:"disabled_at" schema:"time"`
	Links      Links    `json:"links" schema:"ref=Links"`
}

// OfWebhook returns the view of a webhook, without its secret.
func OfWebhook(w *notify.Webhook) Webhook {
	self := "/api/v1/webhooks/" + w.ID
	return Webhook{
		ID: w.ID, URL: w.URL, Topics: w.Subscribed(), Enabled: w.Enabled,
		CreatedAt: textutil.Instant(w.CreatedAt), DisabledAt: textutil.Instant(w.DisabledAt),
		Links: Links{"self": self, "deliveries": self + "/deliveries"},
	}
}

// Delivery is a webhook delivery as the contract shows it.
type Delivery struct {
	ID        string            `json:"id"`
	Channel   notify.Channel    `json:"channel" schema:"enum=webhook|callback_url|callback"`
	WebhookID *string           `json:"webhook_id"`
	TaskID    string            `json:"task_id"`
	Round     int               `json:"round"`
	Topic     string            `json:"topic" schema:"enum=task.finished|task.first_failure|task.progress|export.ready|jobs.exhausted"`
	MessageID string            `json:"message_id"`
	State     string            `json:"state" schema:"enum=waiting|delivered|dead"`
	Tries     int               `json:"tries"`
	NextTryAt *string           `json:"next_try_at" schema:"time"`
	Log       []DeliveryAttempt `json:"attempts"`
	CreatedAt *string           `json:"created_at" schema:"time"`
	SettledAt *string           `json:"settled_at" schema:"time"`
}

// DeliveryAttempt is one attempt of a webhook delivery.
type DeliveryAttempt struct {
	At         *string `json:"at" schema:"time"`
	Status     *int    `json:"status" doc:"HTTP status of the response."`
	Error      *string `json:"error"`
	DurationMS int64   `json:"duration_ms"`
	Response   *string `json:"response"`
}

// OfDelivery returns the view of a webhook delivery.
func OfDelivery(d *notify.Delivery) Delivery {
	n := d.Notification()
	v := Delivery{
		ID: d.ID, Channel: d.Channel, WebhookID: d.Webhook, TaskID: d.Task.ID, Round: d.Task.Round,
		Topic: d.Topic, MessageID: n.ID(), State: d.State, Tries: d.Tries, Log: []DeliveryAttempt{},
		CreatedAt: textutil.Instant(d.CreatedAt), SettledAt: textutil.Instant(d.SettledAt),
	}
	if d.State == notify.StateWaiting {
		v.NextTryAt = textutil.Instant(d.NextAt)
	}
	for _, a := range d.Log() {
		one := DeliveryAttempt{At: textutil.Instant(a.At), DurationMS: a.Duration}
		if a.Status != 0 {
			one.Status = &a.Status
		}
		one.Error, one.Response = textutil.Optional(a.Error), textutil.Optional(a.Response)
		v.Log = append(v.Log, one)
	}
	return v
}
