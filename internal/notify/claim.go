package notify

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

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/turns"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/due.sql
	dueSQL string
	//go:embed sql/claim_delivery.sql
	claimDeliverySQL string
	//go:embed sql/record_attempt.sql
	recordAttemptSQL string
	//go:embed sql/release_delivery.sql
	releaseDeliverySQL string
	//go:embed sql/disable_webhook.sql
	disableWebhookSQL string
	//go:embed sql/fail_deliveries.sql
	failDeliveriesSQL string
)

// These are the states of a delivery.
const (
	StateWaiting   = "waiting"   // it will be attempted
	StateDelivered = "delivered" // the recipient has accepted it
	StateDead      = "dead"      // its attempts are used up, or its webhook is disabled; a user can replay it if the webhook is enabled
)

// DueDelivery is a delivery that may be attempted now.
type DueDelivery struct {
	turns.Waiting
	Num      int64
	Endpoint string // a webhook, the callback URLs of a tenant, or the callbacks of a kind
	Channel  Channel
	NextAt   int64 // unix ms
}

// Due returns the deliveries that may be attempted now, the most overdue first. It returns
// deliveries over HTTP, and callbacks of the given kinds. It returns up to `limit` deliveries of
// each tenant and endpoint.
func (s *Store) Due(ctx context.Context, kinds []string, limit int) (out []DueDelivery, err error) {
	callbacks := map[string]bool{}
	for _, kind := range kinds {
		callbacks[endpointOf(kind)] = true
	}
	args := ledger.Args{"now": s.now().UnixMilli(), "most": limit}
	err = s.db.Probe(ctx, func(tx ledger.Tx) error {
		out = out[:0]
		return tx.Query(ctx, dueSQL, args, func(scan ledger.Scan) error {
			var d DueDelivery
			err := scan(&d.Num, &d.Tenant, &d.Endpoint, &d.Channel, &d.NextAt, &d.Weight)
			if d.Channel != ChannelCallback || callbacks[d.Endpoint] {
				out = append(out, d)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("notify: due deliveries: %w", err)
	}
	slices.SortFunc(out, func(a, b DueDelivery) int {
		return cmp.Or(cmp.Compare(a.NextAt, b.NextAt), cmp.Compare(a.Num, b.Num))
	})
	return out, nil
}

// Claim is a delivery that one process has claimed.
type Claim struct {
	Delivery
	URL    string // over HTTP: the recipient's address
	Secret string // over HTTP: the signing secret

	token int64
}

// Claim claims a delivery for the duration `ttl`. It returns nil if another process has the claim, or if
// the delivery has ended or is not due. It also returns nil if the webhook was deleted or disabled. After
// an error it releases the claim.
func (s *Store) Claim(ctx context.Context, d DueDelivery, ttl time.Duration) (*Claim, error) {
	now := s.now()
	c := Claim{Delivery: Delivery{Num: d.Num}, token: ledger.NewClaim()}
	n, err := s.db.Writer().Exec(ctx, claimDeliverySQL, ledger.Args{
		"num": d.Num, "claim": c.token,
		"until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(),
	})
	if err == nil && n == 0 {
		return nil, nil
	}
	if err == nil {
		err = s.load(ctx, d, &c)
	}
	if errors.Is(err, tasks.ErrNotFound) {
		return nil, nil // a user has deleted the webhook
	}
	if errors.Is(err, ErrDisabled) { // after the delivery was added
		_, err = s.db.Writer().Exec(ctx, failDeliveriesSQL, ledger.Args{"webhook": *c.Webhook, "now": now.UnixMilli()})
		if err == nil {
			return nil, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("notify: claim delivery %d: %w", d.Num, errors.Join(err, s.Release(ctx, &c)))
	}
	return &c, nil
}

// load reads a claimed delivery, its address and its signing secret.
func (s *Store) load(ctx context.Context, d DueDelivery, c *Claim) error {
	delivery, err := s.delivery(ctx, "d.num = ?", d.Num)
	if err != nil {
		return err
	}
	c.Delivery = delivery
	c.URL, c.Secret, err = s.address(ctx, &c.Delivery)
	return err
}

// Result is the outcome of one delivery attempt.
type Result struct {
	Attempt Attempt
	State   string    // StateWaiting for another attempt
	Next    time.Time // in StateWaiting: the time of the next attempt
	Disable bool      // disables the webhook, since its server answered 410 Gone
}

// keptAttempts is how many attempts of a delivery are kept: the first eight, and the eight of one replay.
const keptAttempts = 16

// Record stores the result of a delivery attempt and releases the claim. If another process has claimed
// the delivery meanwhile, Record is a no-op.
func (s *Store) Record(ctx context.Context, c *Claim, res Result) error {
	attempts := append(c.Log(), res.Attempt)
	args := ledger.Args{
		"num": c.Num, "claim": c.token, "state": res.State, "tries": c.Tries + 1,
		"attempts": lines(attempts[max(0, len(attempts)-keptAttempts):]),
		"next":     c.NextAt, "settled": s.now().UnixMilli(),
	}
	if res.State == StateWaiting {
		args["next"], args["settled"] = res.Next.UnixMilli(), 0
	}
	return s.record(ctx, c, args, res.Disable)
}

// Release releases a claim without a delivery attempt, so that another process can continue at once.
// After the end of ctx, Release continues for up to a second.
func (s *Store) Release(ctx context.Context, c *Claim) error {
	ctx, cancel := ledger.ReleaseContext(ctx)
	defer cancel()
	_, err := s.db.Writer().Exec(ctx, releaseDeliverySQL, ledger.Args{"num": c.Num, "claim": c.token})
	if err != nil {
		return fmt.Errorf("notify: release delivery %d: %w", c.Num, err)
	}
	return nil
}

func (s *Store) record(ctx context.Context, c *Claim, args ledger.Args, disable bool) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, recordAttemptSQL, args)
		if err != nil || n == 0 || !disable || c.Webhook == nil {
			return err
		}
		gone := ledger.Args{"webhook": *c.Webhook, "now": s.now().UnixMilli()}
		if _, err := tx.Exec(ctx, disableWebhookSQL, gone); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, failDeliveriesSQL, gone)
		return err
	})
	if err != nil {
		return fmt.Errorf("notify: record delivery %d: %w", c.Num, err)
	}
	return nil
}

// lines returns the stored form of delivery attempts: each of them is one line of JSON.
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
