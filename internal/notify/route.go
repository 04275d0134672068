package notify

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/take_notifications.sql
	takeNotificationsSQL string
	//go:embed sql/sources.sql
	sourcesSQL string
	//go:embed sql/recipients.sql
	recipientsSQL string
	//go:embed sql/insert_delivery.sql
	insertDeliverySQL string
	//go:embed sql/sweep_outbox.sql
	sweepOutboxSQL string
)

// Subscribers holds the kinds of a program, and the kinds that have Go callbacks.
type Subscribers struct {
	Kinds     []string            // all kinds of the program
	Callbacks map[string][]string // by topic, the kinds that have a Go callback for it
}

type recipient struct {
	num      int64 // of the notice
	channel  Channel
	webhook  *string
	tenant   string
	endpoint string
}

// Route routes up to `limit` notices of the program's kinds, at most an equal share for each tenant and
// kind. It adds a delivery for each recipient, and returns the number of routed notices. Route uses one
// transaction, so a notice is routed exactly once.
func (s *Store) Route(ctx context.Context, subs Subscribers, limit int) (routed int, err error) {
	sources, err := s.sources(ctx, subs.Kinds, limit)
	if err != nil || len(sources) == 0 {
		return 0, err
	}
	batch := ledger.NewClaim()
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		taken, recipients, err := s.take(ctx, tx, subs, sources, ledger.Args{
			"batch": batch, "most": max(limit/len(sources), 1),
		})
		if routed = len(taken); err != nil || routed == 0 {
			return err
		}
		others, err := ledger.List(ctx, tx, recipientsSQL, ledger.Args{
			"batch": batch, "low": slices.Min(taken), "high": slices.Max(taken),
		}, func(scan ledger.Scan, r *recipient) error {
			return scan(&r.num, &r.channel, &r.webhook, &r.tenant, &r.endpoint)
		})
		if err != nil {
			return err
		}
		return s.insert(ctx, tx, append(recipients, others...))
	})
	if err != nil {
		return 0, fmt.Errorf("notify: route: %w", err)
	}
	return routed, nil
}

// source is a tenant and kind with notices to route.
type source struct {
	first        int64 // the oldest notice
	tenant, kind string
}

// sources returns up to `limit` sources of the given kinds, in the order of tenant and kind. If
// there are more, it returns the sources that have waited longest.
func (s *Store) sources(ctx context.Context, kinds []string, limit int) (out []source, err error) {
	err = s.db.Probe(ctx, func(tx ledger.Tx) error {
		out = out[:0]
		return tx.Query(ctx, sourcesSQL, nil, func(scan ledger.Scan) error {
			var src source
			err := scan(&src.first, &src.tenant, &src.kind)
			if slices.Contains(kinds, src.kind) {
				out = append(out, src)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("notify: sources: %w", err)
	}
	slices.SortFunc(out, func(a, b source) int { return cmp.Compare(a.first, b.first) })
	out = out[:min(len(out), limit)]
	slices.SortFunc(out, func(a, b source) int { // concurrent routers lock records in the same order
		return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.kind, b.kind))
	})
	return out, nil
}

// take marks notices of each source as routed, and returns their numbers. The result `out` has a
// recipient for each notice that a Go callback receives.
func (s *Store) take(
	ctx context.Context, tx ledger.Tx, subs Subscribers, sources []source, args ledger.Args,
) (taken []int64, out []recipient, err error) {
	for _, src := range sources {
		args["tenant"], args["kind"] = src.tenant, src.kind
		err := tx.Query(ctx, takeNotificationsSQL, args, func(scan ledger.Scan) error {
			var topic, kind string
			r := recipient{channel: ChannelCallback}
			if err := scan(&r.num, &r.tenant, &kind, &topic); err != nil {
				return err
			}
			taken = append(taken, r.num)
			if slices.Contains(subs.Callbacks[topic], kind) {
				r.endpoint = endpointOf(kind)
				out = append(out, r)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return taken, out, nil
}

func (s *Store) insert(ctx context.Context, tx ledger.Tx, recipients []recipient) error {
	now := s.now().UnixMilli()
	for _, r := range recipients {
		_, err := tx.Exec(ctx, insertDeliverySQL, ledger.Args{
			"id": uuid.Must(uuid.NewV7()).String(), "notice": r.num, "channel": string(r.channel),
			"webhook": r.webhook, "tenant": r.tenant, "endpoint": r.endpoint, "now": now,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepAtOnce is how many notices one transaction of Sweep removes.
const sweepAtOnce = 1000

// Sweep removes old notices with their deliveries, and returns the number of these notices. A notice is
// old if its task and all its deliveries ended longer than `keep` ago. Notices that are not routed yet
// stay.
func (s *Store) Sweep(ctx context.Context, keep time.Duration) (removed int64, err error) {
	before := s.now().Add(-keep).UnixMilli()
	for {
		n, err := s.db.Writer().Exec(ctx, sweepOutboxSQL, ledger.Args{"before": before, "most": sweepAtOnce})
		if err != nil {
			return removed, fmt.Errorf("notify: sweep: %w", err)
		}
		if removed += n; n < sweepAtOnce {
			return removed, nil
		}
	}
}

// endpointOf returns the endpoint of a kind's callbacks.
func endpointOf(kind string) string { return "kind:" + kind }
