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

// These conditions replace {which} in feeds.sql.
const (
	// allFeeds selects the feeds of tasks whose start time has come, in feeding order. It leaves
	// out tasks that are on hold or wait for other tasks.
	allFeeds = "WHERE t.run_at <= @now AND t.hold = '' AND t.awaits = 0 ORDER BY t.priority DESC, t.num"

	// fedPage selects a page of the feeds that may have rows in Redis.
	fedPage = "WHERE (f.lane, f.task_num) > (@lane, @after) AND (f.fed > 0 OR f.claim_until > 0)" +
		" AND t.hold = '' AND t.awaits = 0 ORDER BY f.lane, f.task_num LIMIT @most"

	// feedOf selects the feed of one task.
	feedOf = "WHERE f.task_num = @num"

	// feedsOf selects the feeds of some tasks.
	feedsOf = "WHERE f.task_num = ANY (cast(@nums AS bigint[]))"

	// nextOfLane selects the first feeds of a lane that have rows to push, now or later.
	nextOfLane = "WHERE f.lane = @lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)" +
		" AND t.run_at <= @now AND t.hold = '' AND t.awaits = 0 ORDER BY f.rank, f.task_num LIMIT @most"

	// againOfLane selects the first feeds of a lane that have rows to push a second time.
	againOfLane = "WHERE f.lane = @lane AND f.again_from < f.again_to ORDER BY f.rank, f.task_num LIMIT @most"
)

// Feed holds the progress of pushing the rows of a task that is not done: its position and its
// counts.
type Feed struct {
	Num             int64
	TaskID          string
	Tenant          string
	Kind            string
	Status          tasks.Status
	Lane            int64 // 0: none yet
	Rank            int64 // place within the lane; with equal ranks the lower Num comes first
	Reading         bool  // more rows will be added, and later tasks of the lane wait for them
	Total           int64 // rows committed when the feed was read
	TotalIsFinal    bool
	Fed             int64  // the last seq that the feeder has passed
	Unfed           int64  // waiting rows above Fed
	Resubmitted     int64  // resubmitted rows that wait to be pushed, in addition to Unfed
	ResubmittedFrom int64  // seq of the first of these; 0 if there is none
	RepushFrom      int64  // after a loss of Redis, rows above this seq must be pushed again
	RepushTo        int64  // the last seq of the rows that must be pushed again
	Doubted         int64  // number of next waiting rows that an unrecorded push may have brought to Redis
	InRedis         int64  // rows that were pushed and have not ended
	Waiting         int64  // rows of InRedis that neither run nor wait for a retry
	HeldRows        int64  // held rows, which wait in the ledger behind rows of their key
	Pushed          int64  // pushes of rows so far; a second feeding does not count, a push after a resubmission does
	Moved           int64  // last change of a count of the task, or its creation, in unix ms
	Stale           int64  // rows of InRedis that have held their slots for too long: these slots count as free
	Slots           int64  // slots of the tenant; 0 means no limit
	Window          int64  // window of the tenant, per kind; 0 means the window of the service
	TenantPaused    bool   // only rows of a second feeding are pushed
	Hours           string // run hours of the tenant; empty: the whole day
	Closed          bool   // outside of the run hours of the kind or the tenant: only rows of a second feeding are pushed
	Late            bool   // newer rows of a key may have finished: the worker reads the state of each row before it runs
}

// Held returns how many slots of the tenant the task takes.
func (f Feed) Held() int64 { return f.InRedis - min(f.Stale, max(f.InRedis, 0)) }

// NeedsRepush reports whether rows must be pushed a second time, after a loss of Redis.
func (f Feed) NeedsRepush() bool { return f.RepushFrom < f.RepushTo }

// Before reports whether the task of f is fed before the task of another feed of the same lane.
func (f Feed) Before(other Feed) bool {
	return f.Rank < other.Rank || f.Rank == other.Rank && f.Num < other.Num
}

// ResubmittedTo returns the last seq up to which resubmitted rows are pushed now; 0 if no such rows may
// be pushed. Resubmitted rows that follow rows not yet pushed are pushed together with these, in file
// order.
func (f Feed) ResubmittedTo() int64 {
	upTo := f.Fed
	if f.Unfed == 0 {
		upTo = f.Total
	}
	if f.ResubmittedFrom == 0 || f.ResubmittedFrom > upTo {
		return 0
	}
	return upTo
}

// Next returns the greatest number of rows that may be pushed next, apart from resubmitted rows.
func (f Feed) Next() int64 {
	if f.NeedsRepush() {
		return f.RepushTo - f.RepushFrom
	}
	return f.Unfed
}

// FeedOf returns the feed of a task, or nil if the task has none, for example because it is done.
func (s *Store) FeedOf(ctx context.Context, num int64) (*Feed, error) {
	list, err := s.feeds(ctx, s.db.Reader(), feedOf, ledger.Args{"num": num})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// FeedsOf returns the feeds of some tasks, by task number. It leaves out tasks that are done.
func (s *Store) FeedsOf(ctx context.Context, nums []int64) (map[int64]Feed, error) {
	list, err := s.feeds(ctx, s.db.Reader(), feedsOf, ledger.Args{"nums": nums})
	out := make(map[int64]Feed, len(list))
	for _, f := range list {
		out[f.Num] = f
	}
	return out, err
}

// Feeds returns the feeds of the tasks that are not done, in feeding order. It leaves out tasks
// that are on hold, wait for other tasks, or start later. It reads all these feeds, so recurring
// work must not call it.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) {
	return s.feeds(ctx, s.db.Reader(), allFeeds, ledger.Args{})
}

// FedAfter returns up to `limit` feeds that may have rows in Redis, lane by lane, after the feed of the
// argument `last`. It leaves out tasks that are on hold or wait for other tasks.
func (s *Store) FedAfter(ctx context.Context, last Feed, limit int) (out []Feed, err error) {
	err = s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = s.feeds(ctx, tx, fedPage, ledger.Args{"lane": last.Lane, "after": last.Num, "most": limit})
		return err
	})
	return out, err
}

func (s *Store) feeds(ctx context.Context, tx ledger.Tx, which string, args ledger.Args) ([]Feed, error) {
	args["now"] = s.now().UnixMilli()
	text := strings.Replace(feedsSQL, "\n{which}", "\n"+which, 1)
	out, err := ledger.List(ctx, tx, text, args, func(scan ledger.Scan, f *Feed) error {
		err := scan(&f.Num, &f.TaskID, &f.Tenant, &f.Kind, &f.Status, &f.Lane, &f.Rank, &f.Reading, &f.Total,
			&f.TotalIsFinal, &f.Fed, &f.Unfed, &f.Resubmitted, &f.ResubmittedFrom, &f.RepushFrom, &f.RepushTo, &f.Doubted,
			&f.InRedis, &f.Waiting, &f.HeldRows, &f.Pushed, &f.Moved, &f.Stale, &f.Slots, &f.Window, &f.TenantPaused, &f.Hours, &f.Late)
		f.Closed = !s.opens(f.Kind, f.Hours).IsZero()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: feeds: %w", err)
	}
	return out, nil
}
