package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/guard"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// webhookRequest is the body of POST /webhooks.
type webhookRequest struct {
	URL    *string  `json:"url"`
	Topics []string `json:"topics"`
}

// createWebhook serves POST /webhooks. Its answer is the only one that shows
// the secret.
func (s *Server) createWebhook(c *gin.Context) error {
	w, err := s.makeWebhook(c, taken[webhookRequest](c))
	if err != nil {
		return err
	}
	v := view.OfWebhook(w)
	v.Secret = w.Secret
	idempotentRequestOf(c).hide()
	c.Header("Location", "/api/v1/webhooks/"+w.ID)
	c.JSON(http.StatusCreated, v)
	return nil
}

// makeWebhook registers an address, and notes who did.
func (s *Server) makeWebhook(c *gin.Context, req *webhookRequest) (*notify.Webhook, error) {
	if err := s.checkWebhook(req); err != nil {
		return nil, err
	}
	w, err := s.opt.Notify.As(caller(c).Key).AddWebhook(c.Request.Context(), s.tenant(c), *req.URL, req.Topics)
	if err != nil {
		return nil, err
	}
	if _, err := s.noteDeed(c, "create-webhook", w.ID, nil, 1); err != nil {
		return nil, err
	}
	return w, nil
}

func (s *Server) checkWebhook(req *webhookRequest) error {
	if req.URL == nil {
		return problem.BadField("url", "The field url is missing: it says where to send.")
	}
	if err := s.checkAddress(*req.URL); err != nil {
		return problem.BadField("url", "url cannot be used: "+err.Error()+".")
	}
	if req.Topics != nil && len(req.Topics) == 0 {
		return problem.BadField("topics", "Name at least one topic, or leave topics out for all of them.")
	}
	for i, topic := range req.Topics {
		place := fmt.Sprintf("topics.%d", i)
		if !slices.Contains(notify.WebhookTopics(), topic) {
			return problem.BadField(place, fmt.Sprintf("There is no topic %.100q. Known: %s.", topic,
				strings.Join(notify.WebhookTopics(), ", ")))
		}
		if slices.Contains(req.Topics[:i], topic) {
			return problem.BadField(place, fmt.Sprintf("The topic %s occurs twice.", topic))
		}
	}
	return nil
}

// checkAddress tells what is wrong with an address to send to, as far as its
// text shows it.
func (s *Server) checkAddress(url string) error {
	if !textutil.Storable(url) {
		return errors.New("it is not plain text")
	}
	return guard.CheckURL(url, s.opt.AllowPrivate)
}

// listWebhooks serves GET /webhooks.
func (s *Server) listWebhooks(c *gin.Context) error {
	return listing[notify.Webhook, view.Webhook]{
		read: func(ctx context.Context, before int64, limit int) ([]notify.Webhook, error) {
			return s.opt.Notify.Webhooks(ctx, s.tenant(c), before, limit)
		},
		num: func(w *notify.Webhook) int64 { return w.Num }, view: view.OfWebhook,
	}.serve(s, c)
}

// getWebhook serves GET /webhooks/{id}.
func (s *Server) getWebhook(c *gin.Context, w *notify.Webhook) error {
	c.JSON(http.StatusOK, view.OfWebhook(w))
	return nil
}

// dropWebhook deletes the webhook of a request, and notes who did.
func (s *Server) dropWebhook(c *gin.Context) error {
	w, err := s.webhookOf(c)
	if err == nil {
		_, err = s.noteDeed(c, "delete-webhook", w.ID, nil, 1)
	}
	if err != nil {
		return err
	}
	return s.opt.Notify.DeleteWebhook(c.Request.Context(), s.tenant(c), w.ID)
}

// deleteWebhook serves DELETE /webhooks/{id}.
func (s *Server) deleteWebhook(c *gin.Context) error {
	if err := s.dropWebhook(c); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

// listWebhookDeliveries serves GET /webhooks/{id}/deliveries.
func (s *Server) listWebhookDeliveries(c *gin.Context, w *notify.Webhook) error {
	return s.listDeliveries(c, notify.DeliveryFilter{Webhook: w.ID})
}

// listTaskDeliveries serves GET /tasks/{id}/deliveries: to webhooks, to the
// task's callback URL, and to the Go callbacks of its kind.
func (s *Server) listTaskDeliveries(c *gin.Context, t *tasks.Task) error {
	return s.listDeliveries(c, notify.DeliveryFilter{TaskNum: t.Num})
}

func (s *Server) listDeliveries(c *gin.Context, f notify.DeliveryFilter) error {
	return listing[notify.Delivery, view.Delivery]{
		read: func(ctx context.Context, before int64, limit int) ([]notify.Delivery, error) {
			f.Before, f.Limit = before, limit
			return s.opt.Notify.Deliveries(ctx, f)
		},
		num: deliveryNum, view: view.OfDelivery,
	}.serve(s, c)
}

func deliveryNum(d *notify.Delivery) int64 { return d.Num }

// replayWebhookDelivery serves POST /webhooks/{id}/deliveries/{delivery}/replay.
func (s *Server) replayWebhookDelivery(c *gin.Context, w *notify.Webhook) error {
	return s.replay(c, func(d *notify.Delivery) bool { return d.Webhook != nil && *d.Webhook == w.ID })
}

// replayTaskDelivery serves POST /tasks/{id}/deliveries/{delivery}/replay.
func (s *Server) replayTaskDelivery(c *gin.Context, t *tasks.Task) error {
	return s.replay(c, func(d *notify.Delivery) bool { return d.Task.Num == t.Num })
}

// replay has a delivery tried again, and answers with it.
func (s *Server) replay(c *gin.Context, belongs func(*notify.Delivery) bool) error {
	d, err := s.replayOne(c, belongs)
	if err != nil {
		return err
	}
	c.JSON(http.StatusAccepted, view.OfDelivery(d))
	return nil
}

// replayOne has a delivery tried again, if it belongs where the address says.
func (s *Server) replayOne(
	c *gin.Context, belongs func(*notify.Delivery) bool,
) (*notify.Delivery, error) {
	ctx := c.Request.Context()
	d, err := s.opt.Notify.Delivery(ctx, s.tenant(c), c.Param("delivery"))
	if err != nil {
		return nil, err
	}
	if !belongs(d) {
		return nil, problem.ErrNotFound
	}
	if d, err = s.opt.Notify.Replay(ctx, s.tenant(c), d.ID); err != nil {
		return nil, err
	}
	if _, err := s.noteDeed(c, "replay", d.ID, nil, 1); err != nil {
		return nil, err
	}
	s.ringFor(ctx, notify.Topic)
	return d, nil
}

// createCallbackSecret serves POST /webhooks/callback-secret: a new secret for
// the tenant's callback URLs, in place of the one before.
func (s *Server) createCallbackSecret(c *gin.Context) error {
	if _, err := s.noteDeed(c, "callback-secret", s.tenant(c), nil, 1); err != nil {
		return err
	}
	secret, err := s.opt.Notify.NewCallbackSecret(c.Request.Context(), s.tenant(c))
	if err != nil {
		return err
	}
	idempotentRequestOf(c).hide()
	c.JSON(http.StatusCreated, view.Secret{Secret: secret})
	return nil
}
