package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/insert_schedule.sql
var insertScheduleSQL string

// MaxSchedules is how many schedules a tenant may have that has no limit of its own.
const MaxSchedules = 100

// What becomes of runs whose time passed while nobody could start them.
const (
	CatchUpSkip = "skip" // nothing, if it is over five minutes ago
	CatchUpOnce = "once" // the last of them is run
	CatchUpAll  = "all"  // the last hundred of them are run, the oldest first
)

// Errors that callers may test for with errors.Is.
var (
	// ErrTooManySchedules means the tenant has as many as it may have. It must delete one
	// first.
	ErrTooManySchedules = errors.New("too many schedules")

	// ErrChanged means somebody has changed the schedule since it was read, or
	// has started the run. Read it again.
	ErrChanged = errors.New("changed meanwhile")
)

// Schedule is a request for a task that is made again and again. Times are unix
// milliseconds, 0 if there is none.
type Schedule struct {
	Num       int64 `gorm:"primaryKey"`
	ID        string
	Tenant    string
	Name      string
	Cron      string // five fields, as cron.Parse reads them
	TimeZone  string // of the IANA
	CatchUp   string // CatchUpSkip, CatchUpOnce or CatchUpAll
	Request   string // JSON, as POST /tasks takes it
	Paused    bool
	CreatedBy string // the credential that made it, or resumed it last; its tasks have it, too
	Maker     string // id of the key or person that did so; empty: not known
	CreatedAt int64  `gorm:"autoCreateTime:false"`
	UpdatedAt int64  `gorm:"autoUpdateTime:false"`
	Version   int64  // grows with every change that a person makes

	NextRunAt  int64    // what the next run is planned for; means nothing while paused
	DueAt      int64    // when it is tried: then, or later after a failure
	LastRunAt  int64    // when a run was started last
	LastTaskID string   // the task that it made
	Problem    *Problem `gorm:"serializer:json"` // why the next run could not be started
	Failures   int      // how often it could not
}

// Schedules keeps schedules, and starts their runs once each. Make it with
// NewSchedules.
type Schedules struct {
	db    *ledger.DB
	now   func() time.Time
	tasks *Store
}

// NewSchedules returns the schedules of db. The caller keeps and closes db.
func NewSchedules(db *ledger.DB, opt Options) *Schedules {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Schedules{db: db, now: opt.Now, tasks: New(db, opt)}
}

// plan sets when a schedule runs next, from now on.
func (s *Schedules) plan(sc *Schedule) error {
	p, err := cron.Parse(sc.Cron, sc.TimeZone)
	if err != nil {
		return err
	}
	sc.NextRunAt = p.Next(s.now()).UnixMilli()
	sc.DueAt, sc.Failures, sc.Problem = sc.NextRunAt, 0, nil
	return nil
}

// Add adds a schedule of a tenant, and sets its id, times and version. Errors
// are those of cron.Parse, and ErrTooManySchedules.
func (s *Schedules) Add(ctx context.Context, sc *Schedule) error {
	sc.ID, sc.Version = uuid.Must(uuid.NewV7()).String(), 1
	sc.CreatedAt = s.now().UnixMilli()
	sc.UpdatedAt = sc.CreatedAt
	err := s.plan(sc)
	if err == nil {
		err = s.insert(ctx, sc)
	}
	if err != nil {
		return fmt.Errorf("tasks: add schedule: %w", err)
	}
	return nil
}

func (s *Schedules) insert(ctx context.Context, sc *Schedule) error {
	n, err := s.db.Writer().Exec(ctx, insertScheduleSQL, ledger.Args{
		"id": sc.ID, "tenant": sc.Tenant, "name": sc.Name, "cron": sc.Cron,
		"zone": sc.TimeZone, "catch_up": sc.CatchUp, "request": sc.Request,
		"by": sc.CreatedBy, "maker": sc.Maker, "now": sc.CreatedAt, "next": sc.NextRunAt, "most": MaxSchedules,
	})
	if err == nil && n == 0 {
		err = ErrTooManySchedules
	}
	return err
}

// Get returns a tenant's schedule by its id, or ErrNotFound.
func (s *Schedules) Get(ctx context.Context, tenant, id string) (*Schedule, error) {
	sc, err := ledger.Take[Schedule](ctx, s.db, "id = ? AND tenant = ?", id, tenant)
	if err == nil && sc == nil {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: schedule %q: %w", id, err)
	}
	return sc, nil
}

// List returns up to limit of a tenant's schedules, newest first, of numbers
// below before; 0 means all.
func (s *Schedules) List(ctx context.Context, tenant string, before int64, limit int) ([]Schedule, error) {
	out, err := ledger.Page[Schedule](s.db.Read.WithContext(ctx).Where("tenant = ?", tenant), before, limit)
	if err != nil {
		return nil, fmt.Errorf("tasks: schedules: %w", err)
	}
	return out, nil
}

// Change writes the name, time, catch-up, request, pause and maker of a schedule that
// was read before, unless somebody has changed it since: ErrChanged. From now on
// it runs by its plan; what it missed before is forgotten. Errors are those of
// cron.Parse, too.
func (s *Schedules) Change(ctx context.Context, sc *Schedule) error {
	now := *sc
	err := s.plan(&now)
	if err == nil {
		now.Version, now.UpdatedAt = sc.Version+1, s.now().UnixMilli()
		err = s.update(ctx, &now, sc.Version)
	}
	if err != nil {
		return fmt.Errorf("tasks: change schedule %q: %w", sc.ID, err)
	}
	*sc = now
	return nil
}

func (s *Schedules) update(ctx context.Context, sc *Schedule, seen int64) error {
	res := s.db.Write.WithContext(ctx).Model(sc).Where("version = ?", seen).Select(
		"name", "cron", "time_zone", "catch_up", "request", "paused", "created_by", "maker", "updated_at", "version",
		"next_run_at", "due_at", "problem", "failures",
	).Updates(sc)
	if res.Error == nil && res.RowsAffected == 0 {
		return ErrChanged
	}
	return res.Error
}

// Delete removes a tenant's schedule, or returns ErrNotFound. Its tasks stay.
func (s *Schedules) Delete(ctx context.Context, tenant, id string) error {
	res := s.db.Write.WithContext(ctx).Where("id = ? AND tenant = ?", id, tenant).Delete(&Schedule{})
	err := res.Error
	if err == nil && res.RowsAffected == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("tasks: delete schedule %q: %w", id, err)
	}
	return nil
}
