package web

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// hooksDoor is the page of webhooks.
const hooksDoor = "/ops/webhooks"

// opsWebhooksPage is the webhooks of a tenant.
type opsWebhooksPage struct {
	opsFrame
	Webhooks []view.Webhook
	Topics   []string
	URL      string // that was entered
	Secret   string // of the webhook that was just made, or "": this is shown once
	Problem  string
}

// opsWebhooks serves GET /ops/webhooks.
func (p *pages) opsWebhooks(c *gin.Context) error {
	return p.renderWebhooks(c, http.StatusOK, opsWebhooksPage{})
}

func (p *pages) renderWebhooks(c *gin.Context, status int, v opsWebhooksPage) error {
	list, err := p.opt.Notify.Webhooks(c.Request.Context(), p.tenant(c), 0, notify.MaxWebhooks)
	if err != nil {
		return err
	}
	v.opsFrame, v.Topics = p.opsFrame(c, tongueOf(c).say("ops.door.webhooks"), hooksDoor), notify.WebhookTopics()
	v.Webhooks = view.All(list, view.OfWebhook)
	if v.Secret != "" {
		c.Header("Cache-Control", "no-store")
	}
	return p.render(c, status, "ops_webhooks.html", v)
}

// opsMakeWebhook serves POST /ops/webhooks. Its answer alone shows the secret.
func (p *pages) opsMakeWebhook(c *gin.Context) error {
	form := formOf(c)
	to := form.Get("url")
	w, err := p.makeWebhook(c, &webhookRequest{URL: &to, Topics: form["topic"]})
	if prob := problem.OfClient(err); prob != nil {
		told := prob.Localize(string(tongueOf(c))).Detail
		if prob.Code == "INVALID_FIELD" {
			told = tongueOf(c).say("ops.hooks.refused")
		}
		return p.renderWebhooks(c, prob.Status, opsWebhooksPage{URL: to, Problem: told})
	}
	if err != nil {
		return err
	}
	return p.renderWebhooks(c, http.StatusOK, opsWebhooksPage{Secret: w.Secret})
}

// opsDeleteWebhook serves POST /ops/webhooks/{id}/delete.
func (p *pages) opsDeleteWebhook(c *gin.Context, w *notify.Webhook) error {
	in := tongueOf(c)
	ask := opsAsk{Do: in.say("ops.hooks.delete"), Back: hooksDoor, door: hooksDoor}
	ask.Title, ask.Text = in.say("ops.hooks.delete.title"), in.say("ops.hooks.delete.asks", "url", shown(w.URL))
	return p.confirmed(c, ask, func() error {
		if err := p.dropWebhook(c); err != nil {
			return err
		}
		return p.done(c, hooksDoor, "delete-webhook", 1, 1)
	})
}

// opsDeliveriesPage is what was told to a webhook, newest first.
type opsDeliveriesPage struct {
	opsFrame
	Webhook    view.Webhook
	Deliveries []view.Delivery
	First      bool   // the newest are shown
	More       string // where the list goes on, or ""
}

// opsDeliveries serves GET /ops/webhooks/{id}.
func (p *pages) opsDeliveries(c *gin.Context, w *notify.Webhook) error {
	limit, before, err := page(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	list, err := p.opt.Notify.Deliveries(ctx, notify.DeliveryFilter{Webhook: w.ID, Before: before, Limit: limit + 1})
	if err != nil {
		return err
	}
	v := opsDeliveriesPage{
		opsFrame: p.opsFrame(c, shown(w.URL), hooksDoor), Webhook: view.OfWebhook(w), First: before == 0,
	}
	list, next := cut(list, limit, deliveryNum)
	v.Deliveries, v.More = view.All(list, view.OfDelivery), moreAt(hooksDoor+"/"+w.ID, next)
	return p.render(c, http.StatusOK, "ops_deliveries.html", v)
}

// opsReplay serves POST /ops/webhooks/{id}/deliveries/{delivery}/replay, which
// needs no confirmation: the listener has to bear repetitions.
func (p *pages) opsReplay(c *gin.Context, w *notify.Webhook) error {
	mine := func(d *notify.Delivery) bool { return d.Webhook != nil && *d.Webhook == w.ID }
	if _, err := p.replayOne(c, mine); err != nil {
		return err
	}
	return p.done(c, hooksDoor+"/"+url.PathEscape(w.ID), "replay", 1, 1)
}
