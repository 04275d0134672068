package lanes

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/claim_lane.sql
	claimLaneSQL string
	//go:embed sql/note_lane.sql
	noteLaneSQL string
	//go:embed sql/doubt_feed.sql
	doubtFeedSQL string
)

// Pick is a selection of the rows that a feeder will push next. Feeds holds their tasks in feeding order,
// and Room the number of rows over all these tasks. If Feeds is empty and Held is false, the feeder
// pushes no rows.
type Pick struct {
	Feeds []Feed
	Room  int64
	Reach int64 // the rows to push are among this many next rows of each task; less than Room means Room
	Held  bool  // the feeder will push held rows, and Pick has no tasks
}

func (p Pick) empty() bool { return len(p.Feeds) == 0 && !p.Held }

// LaneClaim is the right to push the next rows of some tasks of a lane.
type LaneClaim struct {
	Claim tasks.Claim
	Lane  int64
	Feeds []Feed // in the order of the push
	Room  int64  // the most rows that may be pushed, over all feeds
	Reach int64  // these rows are among this many next rows of each task

	Held    bool // the claim is for held rows
	HasHeld bool // the lane has held rows
	Doubted bool // Redis may have some of the held rows
}

// None reports whether the claim is empty.
func (g LaneClaim) None() bool { return len(g.Feeds) == 0 && !g.Held }

// ErrSetBack means that the ledger lacks commits of this process.
var ErrSetBack = ledger.ErrSetBack

// errNothing rolls back the transaction of ClaimLane or ClaimTask if the claim would be empty.
var errNothing = errors.New("there is nothing to claim")

// ClaimLane claims the right to push rows of a lane for `ttl`. The function `pick` selects from the first
// tasks of the lane. ClaimLane may call `pick` more than once, and uses the last result. The returned
// claim is empty if `pick` selects nothing, or if another feeder has claimed the lane or is claiming
// slots of the tenant. It is also empty if Generations.Redis differs from the argument `redis`. Another
// Redis is then in use, and workers drop jobs with the older mark. After an error the claim may exist,
// except after ErrSetBack.
func (s *Store) ClaimLane(
	ctx context.Context, redis string, lane int64, ttl time.Duration, pick func(Heads) Pick,
) (g LaneClaim, err error) {
	var heads Heads
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		heads, err = s.readHeads(ctx, tx, lane)
		return err
	})
	if err != nil || pick(heads).empty() {
		return LaneClaim{}, err
	}
	claim := tasks.Claim(ledger.NewClaim())
	err = s.witness.InTx(ctx, func(tx ledger.Tx) (err error) {
		if g, err = s.claimLane(ctx, tx, LaneClaim{Claim: claim, Lane: lane}, ttl, pick); err == nil {
			err = stillMarked(ctx, tx, redis)
		}
		return err
	})
	if errors.Is(err, errNothing) {
		return LaneClaim{}, nil
	}
	if err != nil {
		return g, fmt.Errorf("lanes: claim lane: %w", err)
	}
	return g, nil
}

func (s *Store) claimLane(
	ctx context.Context, tx ledger.Tx, g LaneClaim, ttl time.Duration, pick func(Heads) Pick,
) (LaneClaim, error) {
	if err := s.lockLane(ctx, tx, &g, ttl); err != nil {
		return g, err
	}
	if err := s.db.InOrder(ctx, tx); err != nil {
		return g, err
	}
	heads, err := s.readHeads(ctx, tx, g.Lane)
	if err == nil && heads.slots > 0 { // claims for the slots of one tenant are serialized
		var locked bool
		if locked, err = tasks.LockSlots(ctx, tx, heads.tenant); locked {
			err = s.setLeft(ctx, tx, g.Lane, &heads)
		} else if err == nil {
			err = errNothing
		}
	}
	if err != nil {
		return g, err
	}
	p := pick(heads)
	if p.empty() {
		return g, errNothing
	}
	g.Feeds, g.Room, g.Reach, g.Held = p.Feeds, p.Room, max(p.Reach, p.Room), p.Held
	_, err = tx.Exec(ctx, noteLaneSQL, ledger.Args{"lane": g.Lane, "nums": numbered(p.Feeds), "room": g.Room, "reach": g.Reach})
	return g, err
}

// stillMarked returns errNothing if Generations.Redis differs from the argument `redis`. The caller has
// locked the lane, so a Rebuild that starts later waits until the claim is stored, and then ends the
// claim.
func stillMarked(ctx context.Context, tx ledger.Tx, redis string) error {
	var m Generations
	if _, err := ledger.Row(ctx, tx, marksSQL, nil, &m.Redis, &m.Cancels); err != nil {
		return err
	}
	if m.Redis != redis {
		return errNothing
	}
	return nil
}

// lockLane claims a lane. It returns errNothing while another claim of the lane is valid. If an
// earlier claim has expired, it marks the rows of that claim as possibly pushed.
func (s *Store) lockLane(ctx context.Context, tx ledger.Tx, g *LaneClaim, ttl time.Duration) error {
	var claimed string
	var room, reach int64
	now := s.now()
	found, err := ledger.Row(ctx, tx, claimLaneSQL, ledger.Args{
		"lane": g.Lane, "claim": int64(g.Claim), "until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(),
	}, &claimed, &room, &reach, &g.Doubted, &g.HasHeld)
	if err != nil {
		return err
	}
	if !found {
		return errNothing
	}
	var nums []int64
	for num := range strings.SplitSeq(strings.Trim(claimed, ","), ",") {
		if n, err := strconv.ParseInt(num, 10, 64); err == nil {
			nums = append(nums, n)
		}
	}
	if claimed == numbered(nil) { // held rows
		g.Doubted = true
		if _, err := tx.Exec(ctx, doubtHeldSQL, ledger.Args{"lane": g.Lane}); err != nil {
			return err
		}
	}
	if len(nums) == 0 {
		return nil
	}
	if err := feedrow.Lock(ctx, tx, nums); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, doubtFeedSQL, ledger.Args{"nums": nums, "room": room, "reach": reach})
	return err
}

// numbered returns the numbers of the tasks of feeds, in the form ",7,8,".
func numbered(feeds []Feed) string {
	out := []byte{','}
	for _, f := range feeds {
		out = append(strconv.AppendInt(out, f.Num, 10), ',')
	}
	return string(out)
}
