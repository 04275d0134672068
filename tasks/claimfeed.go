package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/claim_feed.sql
	claimFeedSQL string
	//go:embed sql/lock_slots.sql
	lockSlotsSQL string
	//go:embed sql/slots.sql
	slotsSQL string
	//go:embed sql/advance_feed.sql
	advanceFeedSQL string
)

// Grant is the right to push the next rows of some feeds.
type Grant struct {
	Claim Claim
	Feeds []Feed // in the order in which they are to be pushed
	Room  int64  // the most rows that may be pushed, of all together
}

// ErrSetBack means that the ledger lacks commits of this process.
var ErrSetBack = ledger.ErrSetBack

// errGap means that a feed of a claim is not to be had.
var errGap = errors.New("a feed is another's")

// ClaimFeeds takes the right to push up to room of the next rows of feeds, all
// of one tenant, for ttl. It grants the first of them: those that fit into the
// room and the slots that the tenant has left, up to one that another feeder
// has, or has moved on with meanwhile. So there may be none. After an error it
// is not known whether what is returned was granted. ErrSetBack means that the ledger
// lacks commits of this process: nothing was granted.
func (s *Store) ClaimFeeds(
	ctx context.Context, feeds []Feed, room int64, ttl time.Duration,
) (Grant, error) {
	g := Grant{Claim: newClaim(), Feeds: feeds}
	for len(g.Feeds) > 0 {
		var fit []Feed
		got := 0
		err := s.witness.InTx(ctx, func(tx ledger.Tx) (err error) {
			if g.Room, err = s.slots(ctx, tx, g.Feeds, room); err != nil {
				return err
			}
			fit = fitting(g.Feeds, g.Room)
			got, err = s.claimFeeds(ctx, tx, Grant{g.Claim, fit, g.Room}, ttl)
			return err
		})
		if !errors.Is(err, errGap) {
			return granted(g, fit, err)
		}
		g.Feeds = fit[:got] // nothing was taken
	}
	return Grant{}, nil
}

// granted is the answer to a claim that has no gap.
func granted(g Grant, fit []Feed, err error) (Grant, error) {
	if err != nil {
		return g, fmt.Errorf("tasks: claim feeds: %w", err)
	}
	g.Feeds = fit
	return g, nil
}

// fitting are the first feeds whose rows fit into room; those of the last may do
// so in part.
func fitting(feeds []Feed, room int64) []Feed {
	for i, f := range feeds {
		if room <= 0 {
			return feeds[:i]
		}
		room -= f.Next()
	}
	return feeds
}

// claimFeeds takes all feeds of g, or tells how many come before the first that is
// not to be had, with errGap.
func (s *Store) claimFeeds(ctx context.Context, tx ledger.Tx, g Grant, ttl time.Duration) (int, error) {
	now, left := s.now(), g.Room
	list := make([]ledger.Args, len(g.Feeds))
	for i, f := range g.Feeds {
		room := min(f.Next(), left)
		if i == len(g.Feeds)-1 {
			room = left
		}
		left -= room
		list[i] = ledger.Args{
			"num": f.Num, "fed": f.Fed, "again_from": f.AgainFrom, "back": f.Back, "doubted": f.Doubted,
			"claim": int64(g.Claim),
			"until": now.Add(ttl).UnixMilli(), "now": now.UnixMilli(), "room": room,
		}
	}
	taken, err := youngestFirst(ctx, tx, claimFeedSQL, list)
	if err != nil {
		return 0, err
	}
	if gap := slices.Index(taken, 0); gap >= 0 {
		return gap, errGap
	}
	return len(taken), nil
}

// youngestFirst runs a statement for each of some feeds, in the order in which
// the tasks of a group of outcomes are ended, so that the two never wait for
// each other crosswise. It tells what was touched in the order of list.
func youngestFirst(ctx context.Context, tx ledger.Tx, text string, list []ledger.Args) ([]int64, error) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Compare(list[b]["num"].(int64), list[a]["num"].(int64))
	})
	sorted := make([]ledger.Args, len(list))
	for k, i := range order {
		sorted[k] = list[i]
	}
	n, err := ledger.ExecEach(ctx, tx, text, sorted)
	if err != nil {
		return nil, err
	}
	touched := make([]int64, len(list))
	for k, i := range order {
		touched[i] = n[k]
	}
	return touched, nil
}

// slots tells how much of room the slots of the tenant leave. Rows that are
// pushed again have theirs.
func (s *Store) slots(ctx context.Context, tx ledger.Tx, feeds []Feed, room int64) (int64, error) {
	first := feeds[0]
	if first.Slots == 0 || first.Again() {
		return room, nil
	}
	nums := make([]string, len(feeds))
	for i, f := range feeds {
		nums[i] = strconv.FormatInt(f.Num, 10)
	}
	args := ledger.Args{"tenant": first.Tenant, "nums": "," + strings.Join(nums, ",") + ","}
	if _, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": first.Tenant}); err != nil {
		return 0, err
	}
	var slots, taken int64
	_, err := ledger.Row(ctx, tx, slotsSQL, args, &slots, &taken)
	if err != nil || slots == 0 { // lifted meanwhile
		return room, err
	}
	return min(room, slots-taken), nil
}

// Step is how far a feeder has come with a feed that it has claimed.
type Step struct {
	Feed    Feed  // Fed and AgainFrom are the new ones
	Waited  int64 // rows that wait no more
	Doubted int64 // the next rows that may have reached Redis all the same: the next Feed.Doubted
}

// WholeRoom doubts as many rows as the claim had room for.
const WholeRoom = -1

// AdvanceFeeds notes steps of claimed feeds and gives the claim back, all in one
// transaction. Of a feed whose claim was lost meanwhile nothing changes: that
// is ErrClaimLost, and the others are noted.
func (s *Store) AdvanceFeeds(ctx context.Context, claim Claim, steps []Step) error {
	list := make([]ledger.Args, len(steps))
	for i, one := range steps {
		list[i] = ledger.Args{
			"num": one.Feed.Num, "claim": int64(claim), "fed": one.Feed.Fed,
			"again_from": one.Feed.AgainFrom, "pushed": one.Waited, "doubted": one.Doubted,
		}
	}
	var noted []int64
	err := s.db.InTx(ctx, func(tx ledger.Tx) (err error) {
		noted, err = youngestFirst(ctx, tx, advanceFeedSQL, list)
		return err
	})
	if err == nil && slices.Contains(noted, 0) {
		err = ErrClaimLost
	}
	if err != nil {
		return fmt.Errorf("tasks: advance feeds: %w", err)
	}
	return nil
}
