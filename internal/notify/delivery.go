package notify

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

//go:embed sql/delivery.sql
var deliverySQL string

// Attempt is the record of one delivery attempt.
type Attempt struct {
	At       int64  `json:"at"`                 // unix ms
	Status   int    `json:"status,omitempty"`   // of the HTTP response; 0 without one
	Error    string `json:"error,omitempty"`    // the reason for the failure, for users; empty if the recipient accepted
	Duration int64  `json:"duration_ms"`        // of the attempt
	Response string `json:"response,omitempty"` // the first 1 kB of the response
}

// Delivery is a notification to one recipient. Times are in unix milliseconds; 0 means that the
// delivery has not reached this state.
type Delivery struct {
	Num       int64
	ID        string // UUIDv7, the public id
	Webhook   *string
	Tenant    string
	Channel   Channel
	Endpoint  string
	State     string
	Tries     int    // attempts since it was added or replayed
	NextAt    int64  // while it waits: the time of the next attempt
	Attempts  string // one Attempt in JSON per line
	CreatedAt int64
	SettledAt int64

	Notified   int64 `gorm:"column:notice"` // number of the notice
	Topic      string
	Detail     string
	NotifiedAt int64      `gorm:"column:notice_at"`
	Task       tasks.Task `gorm:"embedded;embeddedPrefix:t_"`
}

// Notification returns the notification that is delivered.
func (d *Delivery) Notification() Notification {
	n := Notification{Num: d.Notified, Topic: d.Topic, At: d.NotifiedAt, Task: d.Task}
	if d.Detail != "" && json.Unmarshal([]byte(d.Detail), &n.Seqs) != nil {
		n.Seqs = nil // impossible: package events wrote it
	}
	return n
}

// Log returns the last attempts, at most 16, the oldest first.
func (d *Delivery) Log() []Attempt {
	var out []Attempt
	for line := range strings.Lines(d.Attempts) {
		var a Attempt
		if json.Unmarshal([]byte(line), &a) == nil {
			out = append(out, a)
		}
	}
	return out
}

// delivery reads one delivery, or returns tasks.ErrNotFound.
func (s *Store) delivery(ctx context.Context, where string, args ...any) (d Delivery, err error) {
	list, err := s.deliveries(ctx, " WHERE "+where, args...)
	if err == nil && len(list) == 0 {
		err = tasks.ErrNotFound
	}
	if err != nil {
		return d, err
	}
	return list[0], nil
}

func (s *Store) deliveries(ctx context.Context, tail string, args ...any) (out []Delivery, err error) {
	err = s.db.Read.WithContext(ctx).Raw(ledger.Plain(deliverySQL)+tail, args...).Scan(&out).Error
	return out, err
}

// Delivery returns a tenant's delivery by its id, or tasks.ErrNotFound.
func (s *Store) Delivery(ctx context.Context, tenant, id string) (*Delivery, error) {
	d, err := s.delivery(ctx, "d.id = ? AND d.tenant = ?", id, tenant)
	if err != nil {
		return nil, fmt.Errorf("notify: delivery %q: %w", id, err)
	}
	return &d, nil
}

// DeliveryFilter is a selection of the deliveries of a webhook or, if Webhook is empty, of a task.
type DeliveryFilter struct {
	Webhook string
	TaskNum int64
	Before  int64 // only deliveries with a lower number, for the next page; 0 means all
	Limit   int   // at least 1
}

// Deliveries returns the deliveries that `f` selects, newest first.
func (s *Store) Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error) {
	where, of := " WHERE d.webhook = ?", any(f.Webhook)
	if f.Webhook == "" {
		where, of = " WHERE o.task_num = ?", f.TaskNum
	}
	if f.Before <= 0 {
		f.Before = 1 << 62
	}
	list, err := s.deliveries(ctx, where+" AND d.num < ? ORDER BY d.num DESC LIMIT ?", of, f.Before, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("notify: deliveries: %w", err)
	}
	return list, nil
}
