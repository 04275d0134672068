package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/take_notices.sql
	takeNoticesSQL string
	//go:embed sql/notices.sql
	noticesSQL string
	//go:embed sql/targets.sql
	targetsSQL string
	//go:embed sql/deliver.sql
	deliverSQL string
	//go:embed sql/sweep_outbox.sql
	sweepOutboxSQL string
)

// Outbox hands out what is to be told of tasks. Package events writes to it in
// the transactions that end tasks and fail rows; Route finds the listeners of
// each notice, exactly once; the deliveries that this makes are claimed, tried
// and noted one by one. Make it with NewOutbox.
type Outbox struct {
	db    *ledger.DB
	now   func() time.Time
	maker string // of webhooks
	seal  *Seal
}

// As returns an outbox whose webhooks are made by a key or person, named by its id.
func (o *Outbox) As(maker string) *Outbox {
	own := *o
	own.maker = maker
	return &own
}

// NewOutbox returns the outbox of db. The caller keeps and closes db.
func NewOutbox(db *ledger.DB, opt Options) *Outbox {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Outbox{db: db, now: opt.Now, seal: opt.Seal}
}

// Listeners is what a program knows of who wants to be told, beside webhooks.
type Listeners struct {
	Kinds     []string            // all kinds of the program
	Callbacks map[string][]string // by topic, the kinds that have a Go callback for it
}

// target is one listener of one notice.
type target struct {
	notice   int64
	lane     Lane
	webhook  *string
	tenant   string
	endpoint string
}

// Route takes about most notices, of the kinds that the program knows and as many of each
// tenant and kind, and makes a delivery for each of their listeners. It returns how many
// notices it took. Whatever happens, a notice is routed once: all is one transaction.
func (o *Outbox) Route(ctx context.Context, l Listeners, most int) (routed int, err error) {
	sources, err := o.sources(ctx, l.Kinds, most)
	if err != nil || len(sources) == 0 {
		return 0, err
	}
	batch := rand.Int64N(1<<62) + 1
	err = o.db.InTx(ctx, func(tx ledger.Tx) error {
		taken, targets, err := o.takeNotices(ctx, tx, l, sources, ledger.Args{
			"batch": batch, "most": max(most/len(sources), 1),
		})
		if routed = len(taken); err != nil || routed == 0 {
			return err
		}
		others, err := ledger.List(ctx, tx, targetsSQL, ledger.Args{
			"batch": batch, "low": slices.Min(taken), "high": slices.Max(taken),
		}, func(scan ledger.Scan, t *target) error {
			return scan(&t.notice, &t.lane, &t.webhook, &t.tenant, &t.endpoint)
		})
		if err != nil {
			return err
		}
		return o.deliver(ctx, tx, append(targets, others...))
	})
	if err != nil {
		return 0, fmt.Errorf("tasks: route: %w", err)
	}
	return routed, nil
}

// source is a tenant and kind that have notices to be routed.
type source struct {
	first        int64 // the oldest notice
	tenant, kind string
}

// sources returns those of known kinds that have waited the longest, at most so many.
func (o *Outbox) sources(ctx context.Context, kinds []string, most int) (out []source, err error) {
	err = o.db.Probe(ctx, func(tx ledger.Tx) error {
		out = out[:0]
		return tx.Query(ctx, noticesSQL, nil, func(scan ledger.Scan) error {
			var s source
			err := scan(&s.first, &s.tenant, &s.kind)
			if slices.Contains(kinds, s.kind) {
				out = append(out, s)
			}
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: notices: %w", err)
	}
	slices.SortFunc(out, func(a, b source) int { return cmp.Compare(a.first, b.first) })
	out = out[:min(len(out), most)]
	slices.SortFunc(out, func(a, b source) int { // routers that meet lock rows in one order
		return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.kind, b.kind))
	})
	return out, nil
}

// takeNotices marks notices of each source as routed, and returns those that Go callbacks
// want as targets.
func (o *Outbox) takeNotices(
	ctx context.Context, tx ledger.Tx, l Listeners, sources []source, args ledger.Args,
) (taken []int64, wanted []target, err error) {
	for _, s := range sources {
		args["tenant"], args["kind"] = s.tenant, s.kind
		err := tx.Query(ctx, takeNoticesSQL, args, func(scan ledger.Scan) error {
			var topic, kind string
			t := target{lane: LaneCallback}
			if err := scan(&t.notice, &t.tenant, &kind, &topic); err != nil {
				return err
			}
			taken = append(taken, t.notice)
			if slices.Contains(l.Callbacks[topic], kind) {
				t.endpoint = endpointOf(kind)
				wanted = append(wanted, t)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return taken, wanted, nil
}

func (o *Outbox) deliver(ctx context.Context, tx ledger.Tx, targets []target) error {
	now := o.now().UnixMilli()
	for _, t := range targets {
		_, err := tx.Exec(ctx, deliverSQL, ledger.Args{
			"id": uuid.Must(uuid.NewV7()).String(), "notice": t.notice, "lane": string(t.lane),
			"webhook": t.webhook, "tenant": t.tenant, "endpoint": t.endpoint, "now": now,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepAtOnce is how many notices one transaction of Sweep removes.
const sweepAtOnce = 1000

// Sweep removes what was told, or given up, longer than keep ago, with its log.
func (o *Outbox) Sweep(ctx context.Context, keep time.Duration) (removed int64, err error) {
	before := o.now().Add(-keep).UnixMilli()
	for {
		n, err := o.db.Writer().Exec(ctx, sweepOutboxSQL, ledger.Args{"before": before, "most": sweepAtOnce})
		if err != nil {
			return removed, fmt.Errorf("tasks: sweep outbox: %w", err)
		}
		if removed += n; n < sweepAtOnce {
			return removed, nil
		}
	}
}

// endpointOf is the endpoint of a kind's callbacks.
func endpointOf(kind string) string { return "kind:" + kind }

// list is names as a statement can look for one of them: ",a,,b,".
func list(names []string) string { return "," + strings.Join(names, ",,") + "," }
