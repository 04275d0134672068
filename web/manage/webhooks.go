package manage

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// WebhookRequest is the body of POST /webhooks.
type WebhookRequest struct {
	URL    *string  `json:"url"`
	Topics []string `json:"topics"`
}

// AddWebhook registers a webhook and adds an audit entry.
func (s *Service) AddWebhook(ctx context.Context, req *WebhookRequest) (*notify.Webhook, error) {
	if err := s.checkWebhook(req); err != nil {
		return nil, err
	}
	w, err := s.Notify.As(auth.Caller(ctx).Key).AddWebhook(ctx, auth.Tenant(ctx), *req.URL, req.Topics)
	if err != nil {
		return nil, err
	}
	if _, err := s.Note(ctx, "create-webhook", w.ID, nil, 1); err != nil {
		return nil, err
	}
	return w, nil
}

func (s *Service) checkWebhook(req *WebhookRequest) error {
	if req.URL == nil {
		return problem.BadField("url", "The field url is missing: it is the address of the recipient.")
	}
	if err := s.CheckAddress(*req.URL); err != nil {
		return problem.BadField("url", "url cannot be used: "+err.Error()+".")
	}
	if req.Topics != nil && len(req.Topics) == 0 {
		return problem.BadField("topics", "Name at least one topic, or leave topics out for all but task.progress.")
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

// DeleteWebhook deletes a webhook and adds an audit entry.
func (s *Service) DeleteWebhook(ctx context.Context, w *notify.Webhook) error {
	if _, err := s.Note(ctx, "delete-webhook", w.ID, nil, 1); err != nil {
		return err
	}
	return s.Notify.DeleteWebhook(ctx, auth.Tenant(ctx), w.ID)
}

// DeliveryNum returns the number by which lists of deliveries are sorted.
func DeliveryNum(d *notify.Delivery) int64 { return d.Num }

// Replay retries a delivery and adds an audit entry. It returns problem.ErrNotFound if the function `belongs`
// returns false for the delivery.
func (s *Service) Replay(
	ctx context.Context, id string, belongs func(*notify.Delivery) bool,
) (*notify.Delivery, error) {
	d, err := s.Notify.Delivery(ctx, auth.Tenant(ctx), id)
	if err != nil {
		return nil, err
	}
	if !belongs(d) {
		return nil, problem.ErrNotFound
	}
	if d, err = s.Notify.Replay(ctx, auth.Tenant(ctx), d.ID); err != nil {
		return nil, err
	}
	if _, err := s.Note(ctx, "replay", d.ID, nil, 1); err != nil {
		return nil, err
	}
	s.Wake(ctx, notify.Topic)
	return d, nil
}
