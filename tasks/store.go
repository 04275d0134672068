package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/has_file.sql
var hasFileSQL string

// Store is the store of tasks in the ledger. Create it with New.
type Store struct {
	db    *ledger.DB
	now   func() time.Time
	actor string // of acts in the audit log

	witness  *ledger.Witness
	recounts *recounts
	hours    *runHours
}

// Options holds the settings of a Store. The zero value is valid.
type Options struct {
	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Hours holds the run hours of kinds, by name. Default: the whole day.
	Hours map[string]cron.Hours
}

// New returns a store on `db`, which the caller keeps and closes.
func New(db *ledger.DB, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{
		db: db, now: opt.Now, witness: ledger.NewWitness(db),
		recounts: &recounts{all: recount[[]Backlog]{now: opt.Now}}, hours: &runHours{kinds: opt.Hours},
	}
}

// DB returns the ledger of the store.
func (s *Store) DB() *ledger.DB { return s.db }

// Now returns the time of the store.
func (s *Store) Now() time.Time { return s.now() }

// Witness returns the counter of commits. By this counter, a process detects that the database has lost
// commits.
func (s *Store) Witness() *ledger.Witness { return s.witness }

// NewID returns a new id for a task, a UUIDv7.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Get returns a tenant's task by its id. It returns ErrNotFound if the tenant has no such task, and
// ErrExpired if the task was purged. For an erased task it returns ErrNotFound while Sweep still deletes
// the rows.
func (s *Store) Get(ctx context.Context, tenant, id string) (*Task, error) {
	t, err := s.find(ctx, "id = ? AND tenant = ?", id, tenant)
	if err != nil {
		return nil, fmt.Errorf("tasks: get %q: %w", id, err)
	}
	return t, nil
}

// find reads the task that a condition selects. It returns the same errors as Get.
func (s *Store) find(ctx context.Context, where string, args ...any) (*Task, error) {
	t, err := ledger.Take[Task](ctx, s.db, where, args...)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, ErrNotFound
	case t.Sweep == LeftRows:
		return nil, ErrNotFound
	case t.PurgedAt > 0:
		return nil, ErrExpired
	}
	return t, nil
}

// Filter is a selection of tasks for List. A condition with its zero value selects all tasks.
type Filter struct {
	Status string
	Kind   string
	Except string // type to leave out
	Before int64  // only numbers below: the cursor of a page
	Limit  int    // default 50
}

// List returns a tenant's tasks, newest first, without purged tasks.
func (s *Store) List(ctx context.Context, tenant string, f Filter) ([]Task, error) {
	q := s.db.Read.WithContext(ctx).Where("tenant = ? AND purged_at = 0", tenant)
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Kind != "" {
		q = q.Where("kind = ?", f.Kind)
	}
	if f.Except != "" {
		q = q.Where("type <> ?", f.Except)
	}
	if f.Limit <= 0 {
		f.Limit = 50
	}
	out, err := ledger.Page[Task](q, f.Before, f.Limit)
	if err != nil {
		return nil, fmt.Errorf("tasks: list: %w", err)
	}
	return out, nil
}

// HasFile reports whether a task or a part of an export refers to a file that is not marked as
// deleted. The sweep of the blob store deletes only files for which HasFile returns false.
func (s *Store) HasFile(ctx context.Context, fileID string) (bool, error) {
	var n int64
	_, err := ledger.Row(ctx, s.db.Reader(), hasFileSQL, ledger.Args{"file": fileID}, &n)
	if err != nil {
		return false, fmt.Errorf("tasks: has file: %w", err)
	}
	return n > 0, nil
}
