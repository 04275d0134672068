package web

import "github.com/rollcall-dev/rollcall/internal/notify"

// webhookView is a webhook as the contract shows it.
type webhookView struct {
	ID         string            `json:"id"`
	URL        string            `json:"url"`
	Topics     []string          `json:"topics" schema:"items=Topic"`
	Enabled    bool              `json:"enabled"`
	Secret     string            `json:"secret,omitempty" doc:"Shown once, when it is made."`
	CreatedAt  *string           `json:"created_at" schema:"time"`
	DisabledAt *string           `json:"disabled_at" schema:"time"`
	Links      map[string]string `json:"links" schema:"ref=Links"`
}

func viewWebhook(w *notify.Webhook) webhookView {
	self := "/api/v1/webhooks/" + w.ID
	return webhookView{
		ID: w.ID, URL: w.URL, Topics: w.Subscribed(), Enabled: w.Enabled,
		CreatedAt: instant(w.CreatedAt), DisabledAt: instant(w.DisabledAt),
		Links: map[string]string{"self": self, "deliveries": self + "/deliveries"},
	}
}

// deliveryView is a delivery as the contract shows it.
type deliveryView struct {
	ID        string         `json:"id"`
	Lane      notify.Channel `json:"lane" schema:"enum=webhook|callback_url|callback"`
	WebhookID *string        `json:"webhook_id"`
	TaskID    string         `json:"task_id"`
	Round     int            `json:"round"`
	Topic     string         `json:"topic" schema:"enum=task.finished|task.first_failure|export.ready|jobs.exhausted"`
	MessageID string         `json:"message_id"`
	State     string         `json:"state" schema:"enum=waiting|delivered|dead"`
	Tries     int            `json:"tries"`
	NextTryAt *string        `json:"next_try_at" schema:"time"`
	Log       []attemptView  `json:"attempts"`
	CreatedAt *string        `json:"created_at" schema:"time"`
	SettledAt *string        `json:"settled_at" schema:"time"`
}

type attemptView struct {
	At         *string `json:"at" schema:"time"`
	Status     *int    `json:"status" doc:"Of the answer."`
	Error      *string `json:"error"`
	DurationMS int64   `json:"duration_ms"`
	Response   *string `json:"response"`
}

func viewDelivery(d *notify.Delivery) deliveryView {
	n := d.Notification()
	v := deliveryView{
		ID: d.ID, Lane: d.Channel, WebhookID: d.Webhook, TaskID: d.Task.ID, Round: d.Task.Round,
		Topic: d.Topic, MessageID: n.ID(), State: d.State, Tries: d.Tries, Log: []attemptView{},
		CreatedAt: instant(d.CreatedAt), SettledAt: instant(d.SettledAt),
	}
	if d.State == notify.StateWaiting {
		v.NextTryAt = instant(d.NextAt)
	}
	for _, a := range d.Log() {
		one := attemptView{At: instant(a.At), DurationMS: a.Duration}
		if a.Status != 0 {
			one.Status = &a.Status
		}
		one.Error, one.Response = optional(a.Error), optional(a.Response)
		v.Log = append(v.Log, one)
	}
	return v
}
