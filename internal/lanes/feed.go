package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

//go:embed sql/feeds.sql
var feedsSQL string

// Which feeds are read: {which} in feeds.sql.
const (
	// allFeeds are those of tasks that may run by now, in feeding order.
	allFeeds = "WHERE t.run_at <= @now AND t.hold = '' AND t.awaits = 0 ORDER BY t.priority DESC, t.num"

	// fedPage selects a page of the feeds that may have rows in Redis.
	fedPage = "WHERE (f.lane, f.task_num) > (@lane, @after) AND (f.fed > 0 OR f.claim_until > 0)" +
		" AND t.hold = '' AND t.awaits = 0 ORDER BY f.lane, f.task_num LIMIT @most"

	// feedOf is that of one task.
	feedOf = "WHERE f.task_num = @num"

	// feedsOf are those of some tasks.
	feedsOf = "WHERE f.task_num = ANY (cast(@nums AS bigint[]))"

	// nextOfLane are the first of a lane that have rows to push, or will have.
	nextOfLane = "WHERE f.lane = @lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)" +
		" AND t.run_at <= @now AND t.hold = '' AND t.awaits = 0 ORDER BY f.rank, f.task_num LIMIT @most"

	// againOfLane are the first of a lane whose rows a lost Redis held.
	againOfLane = "WHERE f.lane = @lane AND f.again_from < f.again_to ORDER BY f.rank, f.task_num LIMIT @most"
)

// Feed holds which rows of an unfinished task were pushed to the queue, and which were not.
type Feed struct {
	Num          int64
	TaskID       string
	Tenant       string
	Kind         string
	Status       tasks.Status
	Lane         int64 // 0: none yet
	Rank         int64 // within the lane; of equal ones the lower Num comes first
	Reading      bool  // rows will come, and later tasks of the lane wait for them
	Total        int64 // rows committed when the feed was read
	TotalIsFinal bool
	Fed          int64 // the last seq pushed
	Unfed        int64 // rows above Fed that wait
	Back         int64 // rows that were resubmitted and wait, besides
	BackFrom     int64 // the seq of the first of them; 0 if there is none
	AgainFrom    int64 // Redis was wiped: rows above this seq,
	AgainTo      int64 // up to this one, are to be pushed again
	Doubted      int64 // the next rows that wait, of which a push that was not noted may have brought some to Redis
	InRedis      int64 // pushed and not at rest
	Waiting      int64 // the part of InRedis that neither runs nor waits for a retry
	HeldRows     int64 // rows up to Fed that wait in the ledger, for Redis has enough of their key
	Pushed       int64 // pushed so far, each row once
	Moved        int64 // when a count of the task changed last, or it was made, in unix ms
	Stale        int64 // the part of InRedis that holds its slot for too long to count
	Slots        int64 // of the tenant; 0 is any number
	Window       int64 // of the tenant, per kind; 0 is the service's own
	TenantPaused bool  // nothing of the tenant is to be pushed but what has to be again
	Late         bool  // newer rows of a key may have finished: the worker reads the state of each row before it runs
}

// Held returns how many slots of its tenant the task takes.
func (f Feed) Held() int64 { return f.InRedis - min(f.Stale, max(f.InRedis, 0)) }

// Again reports whether rows have to be pushed a second time.
func (f Feed) Again() bool { return f.AgainFrom < f.AgainTo }

// Before reports whether f is fed before another feed of its lane.
func (f Feed) Before(other Feed) bool {
	return f.Rank < other.Rank || f.Rank == other.Rank && f.Num < other.Num
}

// BackTo returns up to which seq the rows that were resubmitted are to be pushed now, 0 if none: those
// behind rows that wait still are pushed with these, in their order.
func (f Feed) BackTo() int64 {
	upTo := f.Fed
	if f.Unfed == 0 {
		upTo = f.Total
	}
	if f.BackFrom == 0 || f.BackFrom > upTo {
		return 0
	}
	return upTo
}

// Next returns the greatest number of rows that may be pushed next.
func (f Feed) Next() int64 {
	if f.Again() {
		return f.AgainTo - f.AgainFrom
	}
	return f.Unfed
}

// FeedOf returns the feed of a task; nil if it is done.
func (s *Store) FeedOf(ctx context.Context, num int64) (*Feed, error) {
	list, err := s.feeds(ctx, s.db.Reader(), feedOf, ledger.Args{"num": num})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FeedsOf returns the unfinished feeds of some tasks, by their numbers.
func (s *Store) FeedsOf(ctx context.Context, nums []int64) (map[int64]Feed, error) {
	list, err := s.feeds(ctx, s.db.Reader(), feedsOf, ledger.Args{"nums": nums})
	out := make(map[int64]Feed, len(list))
	for _, f := range list {
		out[f.Num] = f
	}
	return out, err
}

// Feeds returns the feed of every task that is not done and may run by now, in feeding
// order. It reads all of them: no loop calls it.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) {
	return s.feeds(ctx, s.db.Reader(), allFeeds, ledger.Args{})
}

// FedAfter returns up to most feeds that may have rows in Redis, lane by lane, from behind
// last on.
func (s *Store) FedAfter(ctx context.Context, last Feed, most int) (out []Feed, err error) {
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = s.feeds(ctx, tx, fedPage, ledger.Args{"lane": last.Lane, "after": last.Num, "most": most})
		return err
	})
	return out, err
}

func (s *Store) feeds(ctx context.Context, tx ledger.Tx, which string, args ledger.Args) ([]Feed, error) {
	args["now"] = s.now().UnixMilli()
	text := strings.Replace(feedsSQL, "\n{which}", "\n"+which, 1)
	out, err := ledger.List(ctx, tx, text, args, func(scan ledger.Scan, f *Feed) error {
		return scan(&f.Num, &f.TaskID, &f.Tenant, &f.Kind, &f.Status, &f.Lane, &f.Rank, &f.Reading, &f.Total,
			&f.TotalIsFinal, &f.Fed, &f.Unfed, &f.Back, &f.BackFrom, &f.AgainFrom, &f.AgainTo, &f.Doubted,
			&f.InRedis, &f.Waiting, &f.HeldRows, &f.Pushed, &f.Moved, &f.Stale, &f.Slots, &f.Window, &f.TenantPaused, &f.Late)
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: feeds: %w", err)
	}
	return out, nil
}
