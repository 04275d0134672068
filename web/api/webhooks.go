package api

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// createWebhook serves POST /webhooks. Only this response contains the secret.
func (s *Handlers) createWebhook(c *gin.Context) error {
	w, err := s.Manage.AddWebhook(c.Request.Context(), request.Body[manage.WebhookRequest](c))
	if err != nil {
		return err
	}
	v := view.OfWebhook(w)
	v.Secret = w.Secret
	request.IdempotentOf(c).Hide()
	c.Header("Location", "/api/v1/webhooks/"+w.ID)
	request.JSON(c, http.StatusCreated, v)
	return nil
}

// listWebhooks serves GET /webhooks.
func (s *Handlers) listWebhooks(c *gin.Context) error {
	return request.Listing[notify.Webhook, view.Webhook]{
		Read: func(ctx context.Context, before int64, limit int) ([]notify.Webhook, error) {
			return s.Notify.Webhooks(ctx, request.Tenant(c), before, limit)
		},
		Num: func(w *notify.Webhook) int64 { return w.Num }, View: view.OfWebhook,
	}.Serve(c, s.Cursors.ListPage)
}

// getWebhook serves GET /webhooks/{id}.
func (s *Handlers) getWebhook(c *gin.Context, w *notify.Webhook) error {
	request.JSON(c, http.StatusOK, view.OfWebhook(w))
	return nil
}

// deleteWebhook serves DELETE /webhooks/{id}.
func (s *Handlers) deleteWebhook(c *gin.Context, w *notify.Webhook) error {
	if err := s.Manage.DeleteWebhook(c.Request.Context(), w); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// listWebhookDeliveries serves GET /webhooks/{id}/deliveries.
func (s *Handlers) listWebhookDeliveries(c *gin.Context, w *notify.Webhook) error {
	return s.listDeliveries(c, notify.DeliveryFilter{Webhook: w.ID})
}

// listTaskDeliveries serves GET /tasks/{id}/deliveries: the deliveries to webhooks, to the task's
// callback URL, and to the Go callbacks of its kind.
func (s *Handlers) listTaskDeliveries(c *gin.Context, t *tasks.Task) error {
	return s.listDeliveries(c, notify.DeliveryFilter{TaskNum: t.Num})
}

func (s *Handlers) listDeliveries(c *gin.Context, f notify.DeliveryFilter) error {
	return request.Listing[notify.Delivery, view.Delivery]{
		Read: func(ctx context.Context, before int64, limit int) ([]notify.Delivery, error) {
			f.Before, f.Limit = before, limit
			return s.Notify.Deliveries(ctx, f)
		},
		Num: manage.DeliveryNum, View: view.OfDelivery,
	}.Serve(c, s.Cursors.ListPage)
}

// replayWebhookDelivery serves POST /webhooks/{id}/deliveries/{delivery}/replay.
func (s *Handlers) replayWebhookDelivery(c *gin.Context, w *notify.Webhook) error {
	return s.replay(c, func(d *notify.Delivery) bool { return d.Webhook != nil && *d.Webhook == w.ID })
}

// replayTaskDelivery serves POST /tasks/{id}/deliveries/{delivery}/replay.
func (s *Handlers) replayTaskDelivery(c *gin.Context, t *tasks.Task) error {
	return s.replay(c, func(d *notify.Delivery) bool { return d.Task.Num == t.Num })
}

// replay retries a delivery and answers with the delivery. The function `belongs` reports whether the path
// names the parent of the delivery.
func (s *Handlers) replay(c *gin.Context, belongs func(*notify.Delivery) bool) error {
	d, err := s.Manage.Replay(c.Request.Context(), c.Param("delivery"), belongs)
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusAccepted, view.OfDelivery(d))
	return nil
}

// createCallbackSecret serves POST /webhooks/callback-secret. It gives the tenant a new secret, with which
// the service signs requests to callback URLs.
func (s *Handlers) createCallbackSecret(c *gin.Context) error {
	if _, err := s.Manage.Note(c.Request.Context(), "callback-secret", request.Tenant(c), nil, 1); err != nil {
		return err
	}
	secret, err := s.Notify.NewCallbackSecret(c.Request.Context(), request.Tenant(c))
	if err != nil {
		return err
	}
	request.IdempotentOf(c).Hide()
	request.JSON(c, http.StatusCreated, view.Secret{Secret: secret})
	return nil
}
