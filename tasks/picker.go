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

// Stage is the background work that a task waits for: the column work.
type Stage int

// The stages.
const (
	Reading  Stage = 1 // a file has to be read
	Planning Stage = 2 // the parts of an export have to be planned
	Merging  Stage = 3 // the parts of an export have to be merged
)

// Picker claims the tasks that a process works on at one stage. Tenants take turns: the tenant that
// got the least for its weight is next. Of its tasks, Picker claims the oldest one of the highest
// priority. Make a Picker with Store.Picker.
type Picker struct {
	store *Store
	stage Stage
	kinds map[string]bool
	turns *turns.Turns
}

// Picker returns a picker of tasks of the given kinds with a number of places. While several tenants
// wait, each holds at most its share of the places. A new tenant gets a place within a second even if
// all are taken, up to twice the number.
func (s *Store) Picker(stage Stage, kinds []string, places int) *Picker {
	p := &Picker{store: s, stage: stage, kinds: map[string]bool{}, turns: turns.New(places)}
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

// beginning is the charge for the start of a task, in rows. It keeps turns fair among files of a few
// rows, and among tenants whose files have just started.
const beginning = 100

// Next claims the next task for ttl, and takes a place for it until Leave. It returns nil if no task
// waits or no place is free.
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

// Charge counts rows that were read or written for a tenant that holds a place.
func (p *Picker) Charge(tenant string, rows int64) { p.turns.Charge(tenant, float64(rows)) }

// Leave frees a place that Next took for a tenant.
func (p *Picker) Leave(tenant string) { p.turns.Leave(tenant) }

// waiting returns the first task of each tenant that waits and has a kind of the picker.
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

// before reports whether a task comes before another of its tenant.
func (w waiting) before(other waiting) bool {
	if w.priority != other.priority {
		return w.priority > other.priority
	}
	return w.num < other.num
}
