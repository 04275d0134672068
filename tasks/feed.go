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
	//go:embed sql/advance_feed.sql
	advanceFeedSQL string
	//go:embed sql/lock_feed.sql
	lockFeedSQL string
	//go:embed sql/recount_feed.sql
	recountFeedSQL string
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
	Fed          int64 // the last seq looked at
	Unfed        int64 // rows above Fed that wait to be pushed
	Rebuilt      bool  // Redis was wiped: a pushed row may have run before
	ClaimedUntil int64 // unix ms
	InRedis      int64 // pushed and not at rest
}

// Feeds returns the feed of every task that is not done, in feeding order.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) {
	var out []Feed
	err := s.db.View(ctx, func(tx ledger.Tx) error {
		out = nil
		return tx.Query(ctx, feedsSQL, nil, func(scan ledger.Scan) error {
			var f Feed
			err := scan(&f.Num, &f.TaskID, &f.Tenant, &f.Kind, &f.Status, &f.Total,
				&f.TotalIsFinal, &f.Fed, &f.Unfed, &f.Rebuilt, &f.ClaimedUntil, &f.InRedis)
			out = append(out, f)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: feeds: %w", err)
	}
	return out, nil
}

// ClaimFeed takes the right to push the next rows of f for ttl. It returns 0
// when another feeder has it, or has moved on meanwhile.
func (s *Store) ClaimFeed(ctx context.Context, f Feed, ttl time.Duration) (Claim, error) {
	now := s.now()
	claim := Claim(rand.Int64N(1<<62) + 1)
	var n int64
	err := s.db.InTx(ctx, func(tx ledger.Tx) (err error) {
		n, err = tx.Exec(ctx, claimFeedSQL, ledger.Args{
			"num": f.Num, "fed": f.Fed, "claim": int64(claim),
			"until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(),
		})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("tasks: claim feed %d: %w", f.Num, err)
	}
	if n == 0 {
		return 0, nil
	}
	return claim, nil
}

// Pushed is how far a feeder has come with a claimed feed.
type Pushed struct {
	Fed  int64 // the last seq looked at
	Rows int64 // how many were pushed
	All  bool  // every row up to Feed.Total has been looked at
}

// AdvanceFeed notes what was pushed and gives the claim back. A claim that was
// lost meanwhile changes nothing and is ErrClaimLost.
func (s *Store) AdvanceFeed(ctx context.Context, f Feed, claim Claim, p Pushed) error {
	advance := advanceFeed
	if f.Rebuilt && p.All {
		advance = recountFeed
	}
	args := ledger.Args{"num": f.Num, "claim": int64(claim), "fed": p.Fed}
	err := s.db.InTx(ctx, func(tx ledger.Tx) error { return advance(ctx, tx, args, p.Rows) })
	if err != nil {
		return fmt.Errorf("tasks: advance feed %d: %w", f.Num, err)
	}
	return nil
}

func advanceFeed(ctx context.Context, tx ledger.Tx, args ledger.Args, rows int64) error {
	n, err := tx.Exec(ctx, advanceFeedSQL, ledger.Args{
		"num": args["num"], "claim": args["claim"], "fed": args["fed"], "pushed": rows,
	})
	return claimed(n, err)
}

func recountFeed(ctx context.Context, tx ledger.Tx, args ledger.Args, _ int64) error {
	n, err := tx.Exec(ctx, lockFeedSQL, ledger.Args{"num": args["num"], "claim": args["claim"]})
	if err := claimed(n, err); err != nil {
		return err
	}
	num, fed := args["num"].(int64), args["fed"].(int64)
	_, err = tx.Exec(ctx, recountFeedSQL, ledger.Args{
		"num": num, "claim": args["claim"], "fed": fed,
		"low": num<<32 + fed, "high": (num + 1) << 32,
	})
	return err
}

func claimed(n int64, err error) error {
	if err == nil && n == 0 {
		return ErrClaimLost
	}
	return err
}
