package ops

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

const hooksPath = "/ops/webhooks"

// opsWebhooksPage holds the data of the page of webhooks.
type opsWebhooksPage struct {
	opsFrame
	Webhooks []opsWebhook
	Topics   []string
	URL      string // entered address
	Secret   string // secret of the webhook that was just made, shown once; "": no webhook was made
	Problem  string
}

// opsWebhook is a webhook with its last attempt to deliver, if that attempt failed.
type opsWebhook struct {
	view.Webhook
	Fault *view.DeliveryAttempt // nil after a successful attempt, and before the first
}

// deliveriesRead is the number of newest deliveries to a webhook that webhookFault searches for the last attempt.
const deliveriesRead = 50

// webhookFault returns the last attempt to deliver to a webhook. It returns nil if that attempt succeeded,
// or before the first attempt.
func (p *Handlers) webhookFault(ctx context.Context, id string) (*view.DeliveryAttempt, error) {
	list, err := p.Notify.Deliveries(ctx, notify.DeliveryFilter{Webhook: id, Limit: deliveriesRead})
	var last notify.Attempt
	for i := range list {
		for _, a := range list[i].Log() {
			if a.At >= last.At {
				last = a
			}
		}
	}
	if err != nil || last.Error == "" {
		return nil, err
	}
	return &view.DeliveryAttempt{At: textutil.Instant(last.At), Error: &last.Error}, nil
}

// opsWebhooks serves GET /ops/webhooks.
func (p *Handlers) opsWebhooks(c *gin.Context) error {
	return p.renderWebhooks(c, http.StatusOK, opsWebhooksPage{})
}

func (p *Handlers) renderWebhooks(c *gin.Context, status int, v opsWebhooksPage) error {
	list, err := p.Notify.Webhooks(c.Request.Context(), request.Tenant(c), 0, notify.MaxWebhooks)
	if err != nil {
		return err
	}
	v.opsFrame, v.Topics = p.opsFrame(c, request.Printer(c).Text("ops.door.webhooks"), hooksPath), notify.WebhookTopics()
	for i := range list {
		fault, err := p.webhookFault(c.Request.Context(), list[i].ID)
		if err != nil {
			return err
		}
		v.Webhooks = append(v.Webhooks, opsWebhook{view.OfWebhook(&list[i]), fault})
	}
	if v.Secret != "" {
		c.Header("Cache-Control", "no-store")
	}
	return p.Render.Page(c, status, "ops_webhooks.html", v)
}

// opsMakeWebhook serves POST /ops/webhooks, which makes a webhook. Only this response shows the secret
// of the webhook.
func (p *Handlers) opsMakeWebhook(c *gin.Context) error {
	form := request.Form(c)
	to := form.Get("url")
	w, err := p.Manage.AddWebhook(c.Request.Context(), &manage.WebhookRequest{URL: &to, Topics: form["topic"]})
	if prob := problem.OfClient(err); prob != nil {
		detail := prob.Localize(string(request.Printer(c))).Detail
		if prob.Code == "INVALID_FIELD" {
			detail = request.Printer(c).Text("ops.hooks.refused")
		}
		return p.renderWebhooks(c, prob.Status, opsWebhooksPage{URL: to, Problem: detail})
	}
	if err != nil {
		return err
	}
	return p.renderWebhooks(c, http.StatusOK, opsWebhooksPage{Secret: w.Secret})
}

// opsDeleteWebhook serves POST /ops/webhooks/{id}/delete.
func (p *Handlers) opsDeleteWebhook(c *gin.Context, w *notify.Webhook) error {
	in := request.Printer(c)
	ask := opsAsk{Do: in.Text("ops.hooks.delete"), Back: hooksPath, marked: hooksPath}
	ask.Title, ask.Text = in.Text("ops.hooks.delete.title"), in.Text("ops.hooks.delete.asks", "url", render.Shown(w.URL))
	return p.confirm(c, ask, func() error {
		if err := p.Manage.DeleteWebhook(c.Request.Context(), w); err != nil {
			return err
		}
		return p.Render.Done(c, hooksPath, "delete-webhook", 1, 1)
	})
}

// opsDeliveriesPage holds the data of the page of deliveries to a webhook. The newest delivery comes
// first.
type opsDeliveriesPage struct {
	opsFrame
	Webhook    view.Webhook
	Deliveries []view.Delivery
	First      bool   // the first page is shown
	Cursor     string // cursor of this page; "" on the first page
	More       string // address of the next page; "" on the last page
}

// opsDeliveries serves GET /ops/webhooks/{id}.
func (p *Handlers) opsDeliveries(c *gin.Context, w *notify.Webhook) error {
	list, next, err := request.Listing[notify.Delivery, view.Delivery]{
		Read: func(ctx context.Context, before int64, limit int) ([]notify.Delivery, error) {
			return p.Notify.Deliveries(ctx, notify.DeliveryFilter{Webhook: w.ID, Before: before, Limit: limit})
		},
		Num: manage.DeliveryNum, View: view.OfDelivery,
	}.Items(c, request.Page)
	if err != nil {
		return err
	}
	v := opsDeliveriesPage{
		opsFrame: p.opsFrame(c, render.Shown(w.URL), hooksPath), Webhook: view.OfWebhook(w), First: request.FirstPage(c), Cursor: c.Query("cursor"),
		Deliveries: list, More: request.MoreAt(hooksPath+"/"+w.ID, next),
	}
	return p.Render.Page(c, http.StatusOK, "ops_deliveries.html", v)
}

// opsReplay serves POST /ops/webhooks/{id}/deliveries/{delivery}/replay. It needs no confirmation,
// because receivers must tolerate repeated deliveries.
func (p *Handlers) opsReplay(c *gin.Context, w *notify.Webhook) error {
	mine := func(d *notify.Delivery) bool { return d.Webhook != nil && *d.Webhook == w.ID }
	if _, err := p.Manage.Replay(c.Request.Context(), c.Param("delivery"), mine); err != nil {
		return err
	}
	return p.Render.Done(c, request.FormPage(c, hooksPath+"/"+url.PathEscape(w.ID), "cursor"), "replay", 1, 1)
}
