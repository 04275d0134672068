package schedules

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

//go:embed sql/insert.sql
var insertSQL string

// These are the catch-up policies. They decide which of the missed runs of a schedule start when a
// process can start runs again.
const (
	CatchUpSkip = "skip" // none, if the time is more than five minutes ago
	CatchUpOnce = "once" // the last one
	CatchUpAll  = "all"  // the last hundred, the oldest first
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrTooMany means that the tenant has reached its limit of schedules. The tenant must delete a
	// schedule first, or get a higher limit.
	ErrTooMany = errors.New("too many schedules")

	// ErrChanged means that the schedule has changed since the caller read it, or that another process
	// has started the run. The caller reads the schedule again.
	ErrChanged = errors.New("changed meanwhile")
)

// Schedule is a repeated request for a task. Times are in unix milliseconds; 0 means that a time is
// not set.
type Schedule struct {
	Num       int64 `gorm:"primaryKey"`
	ID        string
	Tenant    string
	Name      string
	Cron      string // five fields, in the form of cron.Parse
	TimeZone  string // IANA name, such as Europe/Berlin
	CatchUp   string // CatchUpSkip, CatchUpOnce or CatchUpAll
	Request   string // JSON, in the form of POST /tasks
	Paused    bool
	CreatedBy string // the actor that added or last resumed the schedule, and creates its tasks
	Maker     string // id of that key or user; empty if unknown
	CreatedAt int64  `gorm:"autoCreateTime:false"`
	UpdatedAt int64  `gorm:"autoUpdateTime:false"`
	Version   int64  // grows with every change by a user

	NextRunAt  int64          // the planned time of the next run; no meaning while paused
	DueAt      int64          // when the next run starts: its planned time, or later after a failure
	LastRunAt  int64          // when the last run was started
	LastTaskID string         // the task of that run
	Problem    *tasks.Problem `gorm:"serializer:json"` // the reason why the next run could not start
	Failures   int            // failed starts since the last run
}

// Options holds the settings of a Store. The zero value works.
type Options struct {
	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

// Store is the store of schedules in the ledger. Make it with New.
type Store struct {
	db    *ledger.DB
	now   func() time.Time
	tasks *tasks.Store
}

// New returns the store of db. The caller closes db.
func New(db *ledger.DB, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{db: db, now: opt.Now, tasks: tasks.New(db, tasks.Options{Now: opt.Now})}
}

// plan sets the next run of a schedule to the first time after now, and clears the failures.
func (s *Store) plan(sc *Schedule) error {
	p, err := cron.Parse(sc.Cron, sc.TimeZone)
	if err != nil {
		return err
	}
	sc.NextRunAt = p.Next(s.now()).UnixMilli()
	sc.DueAt, sc.Failures, sc.Problem = sc.NextRunAt, 0, nil
	return nil
}

// Add adds a schedule of a tenant, and sets the id, times and version of sc. It returns ErrTooMany
// if the tenant has reached its limit, and errors of cron.Parse.
func (s *Store) Add(ctx context.Context, sc *Schedule) error {
	sc.ID, sc.Version = uuid.Must(uuid.NewV7()).String(), 1
	sc.CreatedAt = s.now().UnixMilli()
	sc.UpdatedAt = sc.CreatedAt
	err := s.plan(sc)
	if err == nil {
		err = s.insert(ctx, sc)
	}
	if err != nil {
		return fmt.Errorf("schedules: add: %w", err)
	}
	return nil
}

func (s *Store) insert(ctx context.Context, sc *Schedule) error {
	n, err := s.db.Writer().Exec(ctx, insertSQL, ledger.Args{
		"id": sc.ID, "tenant": sc.Tenant, "name": sc.Name, "cron": sc.Cron,
		"zone": sc.TimeZone, "catch_up": sc.CatchUp, "request": sc.Request,
		"by": sc.CreatedBy, "maker": sc.Maker, "now": sc.CreatedAt, "next": sc.NextRunAt, "most": tasks.MaxSchedules,
	})
	if err == nil && n == 0 {
		err = ErrTooMany
	}
	return err
}

// Get returns a tenant's schedule by its id, or tasks.ErrNotFound.
func (s *Store) Get(ctx context.Context, tenant, id string) (*Schedule, error) {
	sc, err := ledger.Take[Schedule](ctx, s.db, "id = ? AND tenant = ?", id, tenant)
	if err == nil && sc == nil {
		err = tasks.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("schedules: get %q: %w", id, err)
	}
	return sc, nil
}

// List returns up to `limit` schedules of a tenant, newest first. If `before` is not 0, it returns only
// schedules with lower numbers than `before`.
func (s *Store) List(ctx context.Context, tenant string, before int64, limit int) ([]Schedule, error) {
	out, err := ledger.Page[Schedule](s.db.Read.WithContext(ctx).Where("tenant = ?", tenant), before, limit)
	if err != nil {
		return nil, fmt.Errorf("schedules: list: %w", err)
	}
	return out, nil
}

// Change stores the name, time, catch-up policy, request, pause, actor and maker of a schedule that
// the caller has read. It plans the next run from the current time, and drops missed runs. Change
// returns ErrChanged if another caller has changed the schedule since the read, and errors of
// cron.Parse.
func (s *Store) Change(ctx context.Context, sc *Schedule) error {
	now := *sc
	err := s.plan(&now)
	if err == nil {
		now.Version, now.UpdatedAt = sc.Version+1, s.now().UnixMilli()
		err = s.update(ctx, &now, sc.Version)
	}
	if err != nil {
		return fmt.Errorf("schedules: change %q: %w", sc.ID, err)
	}
	*sc = now
	return nil
}

func (s *Store) update(ctx context.Context, sc *Schedule, seen int64) error {
	res := s.db.Write.WithContext(ctx).Model(sc).Where("version = ?", seen).Select(
		"name", "cron", "time_zone", "catch_up", "request", "paused", "created_by", "maker", "updated_at", "version",
		"next_run_at", "due_at", "problem", "failures",
	).Updates(sc)
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrChanged
	}
	return res.Error
}

// Delete removes a tenant's schedule, or returns tasks.ErrNotFound. The tasks of the schedule
// remain.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	res := s.db.Write.WithContext(ctx).Where("id = ? AND tenant = ?", id, tenant).Delete(&Schedule{})
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = tasks.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("schedules: delete %q: %w", id, err)
	}
	return nil
}
