package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/turns"
)

var (
	//go:embed sql/claim.sql
	claimSQL string
	//go:embed sql/waiting.sql
	waitingSQL string
)

// Stage is the background work that a task waits for, as stored in column work.
type Stage int

// These are the stages at which a Picker claims tasks.
const (
	Reading  Stage = 1 // a file has to be read
	Planning Stage = 2 // the parts of an export have to be planned
	Merging  Stage = 3 // the parts of an export have to be merged
)

// Picker is a source of tasks for one stage of work. It chooses the tenant that has received the least
// work in relation to its weight. Of this tenant it claims the oldest task of the highest priority.
// Store.Picker makes a Picker.
type Picker struct {
	store *Store
	stage Stage
	kinds map[string]bool
	turns *turns.Turns
}

// Picker returns a picker of tasks of the given kinds. A claimed task is in progress until the caller
// calls Leave. While several tenants wait or have tasks in progress, each has at most its share of
// `limit` tasks in progress, rounded up. If `limit` tasks are in progress, a tenant that has none may
// get an extra task in progress. It gets the extra task at once if it has received the least work,
// otherwise after a second. At most twice `limit` tasks are in progress in total.
func (s *Store) Picker(stage Stage, kinds []string, limit int) *Picker {
	p := &Picker{store: s, stage: stage, kinds: map[string]bool{}, turns: turns.New(limit)}
	for _, kind := range kinds {
		p.kinds[kind] = true
	}
	return p
}

// waiting is the first waiting task of a tenant and kind.
type waiting struct {
	turns.Waiting
	num, priority int64
	kind          string
}

// beginning is the number of rows that a tenant is charged for the start of a task. The charge keeps the
// shares fair among tenants with small files, and among tenants whose files have just started.
const beginning = 100

// Next claims the next task for `ttl`. The task is in progress until the caller calls Leave. Next
// returns a nil task if no task waits, or if no tenant with a waiting task may have another task in
// progress.
func (p *Picker) Next(ctx context.Context, ttl time.Duration) (*Task, Claim, error) {
	for p.turns.Free() {
		firsts, err := p.waiting(ctx)
		if err != nil {
			return nil, 0, err
		}
		waits := make([]turns.Waiting, len(firsts))
		for i, w := range firsts {
			waits[i] = w.Waiting
		}
		i := p.turns.Next(waits, beginning)
		if i < 0 {
			break
		}
		t, claim, err := p.store.claim(ctx, claimSQL, ttl, ledger.Args{"num": firsts[i].num, "stage": int(p.stage)})
		if t != nil {
			return t, claim, nil
		}
		p.turns.Leave(firsts[i].Tenant)
		if err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, nil
}

// Charge records that the caller has read or written rows for a tenant with a task in progress.
func (p *Picker) Charge(tenant string, rows int64) { p.turns.Charge(tenant, float64(rows)) }

// Leave records that a task that Next has claimed for a tenant is no longer in progress.
func (p *Picker) Leave(tenant string) { p.turns.Leave(tenant) }

// waiting returns the first waiting task of each tenant, among the kinds of the picker.
func (p *Picker) waiting(ctx context.Context) ([]waiting, error) {
	args := ledger.Args{"stage": int(p.stage), "now": p.store.now().UnixMilli()}
	firsts := map[string]waiting{}
	err := p.store.db.Probe(ctx, func(tx ledger.Tx) error {
		clear(firsts)
		return tx.Query(ctx, waitingSQL, args, func(scan ledger.Scan) error {
			var w waiting
			if err := scan(&w.num, &w.Tenant, &w.kind, &w.priority, &w.Weight); err != nil {
				return err
			}
			if first, known := firsts[w.Tenant]; p.kinds[w.kind] && (!known || w.before(first)) {
				firsts[w.Tenant] = w
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: waiting: %w", err)
	}
	byAge := func(a, b waiting) int { return cmp.Compare(a.num, b.num) }
	return slices.SortedFunc(maps.Values(firsts), byAge), nil
}

// before reports whether Next claims `w` earlier than `other`, a task of the same tenant.
func (w waiting) before(other waiting) bool {
	if w.priority != other.priority {
		return w.priority > other.priority
	}
	return w.num < other.num
}
