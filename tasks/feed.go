package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/feeds.sql
	feedsSQL string
	//go:embed sql/claim_feed.sql
	claimFeedSQL string
	//go:embed sql/lock_slots.sql
	lockSlotsSQL string
	//go:embed sql/slots.sql
	slotsSQL string
	//go:embed sql/advance_feed.sql
	advanceFeedSQL string
)

// Feed tells what of an undone task is pushed to the queue, and what is not.
type Feed struct {
	Num          int64
	TaskID       string
	Tenant       string
	Kind         string
	Status       Status
	Total        int64 // rows committed when the feed was read
	TotalIsFinal bool
	Fed          int64 // the last seq pushed
	Unfed        int64 // rows above Fed that wait
	AgainFrom    int64 // Redis was wiped: rows above this seq,
	AgainTo      int64 // up to this one, are to be pushed again
	ClaimedUntil int64 // unix ms; not 0 after a feeder that died before it noted its push
	InRedis      int64 // pushed and not at rest
	Waiting      int64 // the part of InRedis that neither runs nor waits for a retry
	Pushed       int64 // pushed so far, each row once
	Stale        int64 // the part of InRedis that holds its slot for too long to count
	Slots        int64 // of the tenant; 0 is any number
	Window       int64 // of the tenant, per kind; 0 is the service's own
}

// Held is how many slots of its tenant the task takes.
func (f Feed) Held() int64 { return f.InRedis - min(f.Stale, max(f.InRedis, 0)) }

// Again tells whether rows have to be pushed a second time.
func (f Feed) Again() bool { return f.AgainFrom < f.AgainTo }

// Feeds returns the feed of every task that is not done and may run by now, in
// feeding order.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) {
	var out []Feed
	err := s.db.View(ctx, func(tx ledger.Tx) error {
		out = nil
		args := ledger.Args{"now": s.now().UnixMilli()}
		return tx.Query(ctx, feedsSQL, args, func(scan ledger.Scan) error {
			var f Feed
			err := scan(&f.Num, &f.TaskID, &f.Tenant, &f.Kind, &f.Status, &f.Total,
				&f.TotalIsFinal, &f.Fed, &f.Unfed, &f.AgainFrom, &f.AgainTo, &f.ClaimedUntil,
				&f.InRedis, &f.Waiting, &f.Pushed, &f.Stale, &f.Slots, &f.Window)
			out = append(out, f)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: feeds: %w", err)
	}
	return out, nil
}

// ClaimFeed takes the right to push up to room of the next rows of f for ttl.
// It returns a claim of 0 when another feeder has it or has moved on meanwhile,
// or when the tenant's slots are taken; and less room where few are left. After an
// error it is not known whether the claim that is returned was taken.
func (s *Store) ClaimFeed(
	ctx context.Context, f Feed, room int64, ttl time.Duration,
) (claim Claim, granted int64, err error) {
	now := s.now()
	claim = Claim(rand.Int64N(1<<62) + 1)
	var n int64
	err = s.db.InTx(ctx, func(tx ledger.Tx) (err error) {
		n = 0
		granted, err = s.slots(ctx, tx, f, room)
		if err != nil || granted <= 0 {
			return err
		}
		n, err = tx.Exec(ctx, claimFeedSQL, ledger.Args{
			"num": f.Num, "fed": f.Fed, "again_from": f.AgainFrom, "claim": int64(claim),
			"until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(), "room": granted,
		})
		return err
	})
	if err != nil {
		return claim, 0, fmt.Errorf("tasks: claim feed %d: %w", f.Num, err)
	}
	if n == 0 {
		return 0, 0, nil
	}
	return claim, granted, nil
}

// slots tells how much of room the slots of the tenant leave. Rows that are
// pushed again have theirs.
func (s *Store) slots(ctx context.Context, tx ledger.Tx, f Feed, room int64) (int64, error) {
	if f.Slots == 0 || f.Again() {
		return room, nil
	}
	args := ledger.Args{"tenant": f.Tenant, "num": f.Num}
	if _, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": f.Tenant}); err != nil {
		return 0, err
	}
	var slots, taken int64
	err := tx.Query(ctx, slotsSQL, args, func(scan ledger.Scan) error { return scan(&slots, &taken) })
	if err != nil || slots == 0 { // lifted meanwhile
		return room, err
	}
	return min(room, slots-taken), nil
}

// AdvanceFeed notes how far a feeder has come with a claimed feed, in f, and
// that so many rows wait no more; it gives the claim back. A claim that was
// lost meanwhile changes nothing and is ErrClaimLost.
func (s *Store) AdvanceFeed(ctx context.Context, f Feed, claim Claim, waited int64) error {
	return s.giveBack(ctx, f, claim, waited, 0)
}

// DoubtFeed gives a claim back after a push that may or may not have reached
// Redis: the next feeder sees it in Feed.ClaimedUntil.
func (s *Store) DoubtFeed(ctx context.Context, f Feed, claim Claim) error {
	return s.giveBack(ctx, f, claim, 0, 1)
}

func (s *Store) giveBack(ctx context.Context, f Feed, claim Claim, waited, doubt int64) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, advanceFeedSQL, ledger.Args{
			"num": f.Num, "claim": int64(claim), "fed": f.Fed, "again_from": f.AgainFrom,
			"pushed": waited, "doubt": doubt,
		})
		if err == nil && n == 0 {
			return ErrClaimLost
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: advance feed %d: %w", f.Num, err)
	}
	return nil
}
