package tasks

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/delivery.sql
var deliverySQL string

// Delivery is a notice on its way to one listener. Times are unix
// milliseconds, 0 where not reached.
type Delivery struct {
	Num       int64
	ID        string // UUIDv7, what the outside knows
	Webhook   *string
	Tenant    string
	Lane      Lane
	Endpoint  string
	State     string
	Tries     int    // since it was made, or replayed
	NextAt    int64  // when it is tried next, while it waits
	Attempts  string // one Attempt of JSON a line
	CreatedAt int64
	SettledAt int64

	NoticeNum int64 `gorm:"column:notice"`
	Topic     string
	Detail    string
	NoticeAt  int64
	Task      Task `gorm:"embedded;embeddedPrefix:t_"`
}

// Notice is what is told.
func (d *Delivery) Notice() Notice {
	n := Notice{Num: d.NoticeNum, Topic: d.Topic, At: d.NoticeAt, Task: d.Task}
	if d.Detail != "" && json.Unmarshal([]byte(d.Detail), &n.Seqs) != nil {
		n.Seqs = nil // cannot be: package events wrote it
	}
	return n
}

// Log is the attempts, oldest first: the last 16.
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

// delivery reads one delivery.
func (o *Outbox) delivery(ctx context.Context, where string, args ...any) (d Delivery, err error) {
	list, err := o.deliveries(ctx, " WHERE "+where, args...)
	if err == nil && len(list) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return d, err
	}
	return list[0], nil
}

func (o *Outbox) deliveries(ctx context.Context, tail string, args ...any) (out []Delivery, err error) {
	err = o.db.Read.WithContext(ctx).Raw(ledger.Plain(deliverySQL)+tail, args...).Scan(&out).Error
	return out, err
}

// Delivery returns a tenant's delivery by its id, or ErrNotFound.
func (o *Outbox) Delivery(ctx context.Context, tenant, id string) (*Delivery, error) {
	d, err := o.delivery(ctx, "d.id = ? AND d.tenant = ?", id, tenant)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: delivery %q: %w", id, err)
	}
	return &d, nil
}

// DeliveryFilter chooses what Deliveries returns: those of a webhook, or those
// of a task.
type DeliveryFilter struct {
	Webhook string
	TaskNum int64
	Before  int64 // only numbers below: the cursor of a page
	Limit   int   // at least 1
}

// Deliveries returns deliveries, newest first.
func (o *Outbox) Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error) {
	where, of := " WHERE d.webhook = ?", any(f.Webhook)
	if f.Webhook == "" {
		where, of = " WHERE o.task_num = ?", f.TaskNum
	}
	if f.Before <= 0 {
		f.Before = 1 << 62
	}
	list, err := o.deliveries(ctx, where+" AND d.num < ? ORDER BY d.num DESC LIMIT ?", of, f.Before, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("tasks: deliveries: %w", err)
	}
	return list, nil
}
