package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/turns"
)

var (
	//go:embed sql/due.sql
	dueSQL string
	//go:embed sql/claim_delivery.sql
	claimDeliverySQL string
	//go:embed sql/note_delivery.sql
	noteDeliverySQL string
	//go:embed sql/release_delivery.sql
	releaseDeliverySQL string
	//go:embed sql/disable_webhook.sql
	disableWebhookSQL string
	//go:embed sql/bury_deliveries.sql
	buryDeliveriesSQL string
)

// The states of a delivery.
const (
	DeliveryWaiting   = "waiting"   // to be tried, again or for the first time
	DeliveryDelivered = "delivered" // the listener has it
	DeliveryDead      = "dead"      // given up; a person can replay it
)

// Due is a delivery that may be tried now.
type Due struct {
	turns.Waiting
	Num      int64
	Endpoint string // what shares a fate with it, such as one webhook
	Lane     Lane
	NextAt   int64
}

// Due returns the deliveries that may be tried now, the most overdue first: over HTTP to
// anyone, by callback to the given kinds; of each tenant and endpoint at most so many.
func (o *Outbox) Due(ctx context.Context, kinds []string, most int) (out []Due, err error) {
	callbacks := map[string]bool{}
	for _, kind := range kinds {
		callbacks[endpointOf(kind)] = true
	}
	args := ledger.Args{"now": o.now().UnixMilli(), "most": most}
	err = o.db.Probe(ctx, func(tx ledger.Tx) error {
		out = out[:0]
		return tx.Query(ctx, dueSQL, args, func(scan ledger.Scan) error {
			var d Due
			err := scan(&d.Num, &d.Tenant, &d.Endpoint, &d.Lane, &d.NextAt, &d.Weight)
			if d.Lane != LaneCallback || callbacks[d.Endpoint] {
				out = append(out, d)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: due deliveries: %w", err)
	}
	slices.SortFunc(out, func(a, b Due) int {
		return cmp.Or(cmp.Compare(a.NextAt, b.NextAt), cmp.Compare(a.Num, b.Num))
	})
	return out, nil
}

// Parcel is a delivery that one process has claimed.
type Parcel struct {
	Delivery
	URL    string // over HTTP: where to
	Secret string // over HTTP: what to sign with

	claim Claim
}

// ClaimDelivery takes the right to try a delivery for ttl. It returns nil when
// another process has it, or it is settled. After an error it gives the claim back.
func (o *Outbox) ClaimDelivery(ctx context.Context, d Due, ttl time.Duration) (*Parcel, error) {
	now := o.now()
	p := Parcel{Delivery: Delivery{Num: d.Num}, claim: newClaim()}
	n, err := o.db.Writer().Exec(ctx, claimDeliverySQL, ledger.Args{
		"num": d.Num, "claim": int64(p.claim),
		"until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(),
	})
	if err == nil && n == 0 {
		return nil, nil
	}
	if err == nil {
		err = o.open(ctx, d, &p)
	}
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil // its webhook was deleted
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: claim delivery %d: %w", d.Num, errors.Join(err, o.Release(ctx, &p)))
	}
	return &p, nil
}

// open reads what is to be delivered, and where to.
func (o *Outbox) open(ctx context.Context, d Due, p *Parcel) error {
	delivery, err := o.delivery(ctx, "d.num = ?", d.Num)
	if err != nil {
		return err
	}
	p.Delivery = delivery
	p.URL, p.Secret, err = o.address(ctx, &p.Delivery)
	return err
}

// Outcome is what became of a try.
type Outcome struct {
	Attempt Attempt
	State   string    // DeliveryWaiting for another try
	Next    time.Time // when, with DeliveryWaiting
	Disable bool      // the webhook is gone: nothing more is told to it
}

// keptAttempts is how many attempts of a delivery are kept: two rounds of eight.
const keptAttempts = 16

// Note notes a try under its claim, and gives the claim back. A claim that was
// lost meanwhile changes nothing: someone else has tried, too.
func (o *Outbox) Note(ctx context.Context, p *Parcel, out Outcome) error {
	attempts := append(p.Log(), out.Attempt)
	args := ledger.Args{
		"num": p.Num, "claim": int64(p.claim), "state": out.State, "tries": p.Tries + 1,
		"attempts": lines(attempts[max(0, len(attempts)-keptAttempts):]),
		"next":     p.NextAt, "settled": o.now().UnixMilli(),
	}
	if out.State == DeliveryWaiting {
		args["next"], args["settled"] = out.Next.UnixMilli(), 0
	}
	return o.note(ctx, p, args, out.Disable)
}

// Release gives a claim back without a try, so that another process may go on at once. If
// ctx ends, it goes on for up to a second.
func (o *Outbox) Release(ctx context.Context, p *Parcel) error {
	ctx, cancel := leaving(ctx)
	defer cancel()
	_, err := o.db.Writer().Exec(ctx, releaseDeliverySQL, ledger.Args{"num": p.Num, "claim": int64(p.claim)})
	if err != nil {
		return fmt.Errorf("tasks: release delivery %d: %w", p.Num, err)
	}
	return nil
}

func (o *Outbox) note(ctx context.Context, p *Parcel, args ledger.Args, disable bool) error {
	err := o.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, noteDeliverySQL, args)
		if err != nil || n == 0 || !disable || p.Webhook == nil {
			return err
		}
		gone := ledger.Args{"webhook": *p.Webhook, "now": o.now().UnixMilli()}
		if _, err := tx.Exec(ctx, disableWebhookSQL, gone); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, buryDeliveriesSQL, gone)
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: note delivery %d: %w", p.Num, err)
	}
	return nil
}

// lines is attempts as they are stored.
func lines(attempts []Attempt) string {
	var b strings.Builder
	for _, a := range attempts {
		a.Error, a.Response = textutil.Clean(a.Error), textutil.Clean(a.Response)
		text, err := json.Marshal(a)
		if err == nil { // texts and numbers always encode
			b.Write(append(text, '\n'))
		}
	}
	return b.String()
}
