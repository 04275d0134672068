package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/add_feed.sql
var addFeedSQL string

// ErrParent means that the parent cannot have a child. The tenant has no such task, the task is
// done or being canceled, or it has ten ancestors.
var ErrParent = errors.New("the parent does not exist or cannot have children")

// Terms holds the conditions under which a task is added. The zero value has no condition.
type Terms struct {
	Keep   time.Duration // retention after the task is done, in whole ms
	Once   Dedup
	Quotas bool // reject a task above a quota of its tenant with a *QuotaError or *PriorityError

	// Also is called in the transaction that adds the task, after the task was added. It is not called
	// if another task has the deduplication key, so that no task is added. An error rolls back the task.
	// If the transaction is retried, Also is called again. Default: none.
	Also func(ctx context.Context, tx ledger.Tx) error
}

// Dedup holds the rules that decide whether a task is a duplicate.
type Dedup struct {
	Key    string        // deduplication key; "" means none
	Window time.Duration // tasks that were created longer ago do not count
	Ended  bool          // also count done tasks with outcome success or partial
	Anyway bool          // the task is added in any case, and takes the key if it is free
}

// Create adds `t`, which must have ID, Tenant, Kind, Type and Status. It sets the number, times and
// version of the task. If the task with ParentID cannot have a child, Create returns ErrParent. For
// After it returns the errors of Follow. To add a task with counts, the caller uses CreateOnce or
// CreateIn, and adds the counted events in the same transaction.
func (s *Store) Create(ctx context.Context, t *Task, keep time.Duration) error {
	_, err := s.CreateOnce(ctx, t, Terms{Keep: keep})
	return err
}

// CreateOnce is like Create, under the given terms. If another task has the deduplication key,
// CreateOnce adds no task and returns the other task as `old`. Otherwise `old` is nil. With Dedup.Anyway,
// CreateOnce always adds the task, but without the key if another task has it.
func (s *Store) CreateOnce(ctx context.Context, t *Task, terms Terms) (old *Task, err error) {
	err = s.db.GormTx(ctx, func(tx ledger.Gorm) error {
		old, err = s.create(tx, t, terms)
		return err
	})
	return old, err
}

// CreateIn is like CreateOnce, in a transaction that the caller has begun on the database of the
// ledger. After an error the caller must roll back the transaction.
func (s *Store) CreateIn(tx ledger.Gorm, t *Task, terms Terms) (old *Task, err error) {
	return s.create(tx, t, terms)
}

// CreateHeld is like CreateOnce for a task to which the caller adds rows later. The terms must not
// have a deduplication key. CreateHeld returns a claim on the task for `ttl`. If the claim expires,
// ClaimAbandoned gives the task to another process.
func (s *Store) CreateHeld(ctx context.Context, t *Task, terms Terms, ttl time.Duration) (Claim, error) {
	claim := Claim(ledger.NewClaim())
	err := s.db.GormTx(ctx, func(tx ledger.Gorm) error {
		if _, err := s.create(tx, t, terms); err != nil {
			return err
		}
		return tx.Model(t).Select("split_claim", "split_until").Updates(map[string]any{
			"split_claim": int64(claim), "split_until": s.now().Add(ttl).UnixMilli(),
		}).Error
	})
	if err != nil {
		return 0, err
	}
	return claim, nil
}

func (s *Store) create(tx ledger.Gorm, t *Task, terms Terms) (old *Task, err error) {
	t.begin(s.now(), terms.Keep)
	for range createTries {
		old, err = s.insert(tx, t, terms.Once)
		if err != nil || old != nil || t.Num != 0 {
			break
		}
	}
	if err == nil && old == nil {
		err = s.addRelated(tx, t)
	}
	if err == nil && old == nil {
		err = s.applyTerms(tx, t, terms)
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: create: %w", err)
	}
	return old, nil
}

// applyTerms checks the quotas and calls terms.Also for a task that was just added.
func (s *Store) applyTerms(tx ledger.Gorm, t *Task, terms Terms) error {
	if terms.Quotas {
		if err := s.checkQuotas(tx, t.Tenant, t.Priority); err != nil {
			return err
		}
	}
	if terms.Also == nil {
		return nil
	}
	own, err := s.db.Join(tx)
	if err != nil {
		return err
	}
	return terms.Also(tx.Statement.Context, own)
}

// begin sets the initial values of a new task.
func (t *Task) begin(now time.Time, keep time.Duration) {
	t.Num, t.CreatedAt, t.Keep = 0, now.UnixMilli(), keep.Milliseconds()
	t.ExpiresAt = t.CreatedAt + t.Keep
	t.Round, t.Version = 1, 1
	t.setEmpty()
}

// addRelated stores the parent, the feed and the field After of an inserted task. It returns
// errKeyMoves if no task was inserted.
func (s *Store) addRelated(tx ledger.Gorm, t *Task) error {
	if t.Num == 0 {
		return errKeyMoves
	}
	own, err := s.db.Join(tx)
	if err != nil {
		return err
	}
	if err := s.Adopt(tx.Statement.Context, own, t); err != nil {
		return err
	}
	err = tx.Exec(ledger.Plain(addFeedSQL), map[string]any{"num": t.Num, "now": s.now().UnixMilli()}).Error
	if err == nil {
		err = s.Follow(tx.Statement.Context, own, t)
	}
	return err
}

// insert adds the record of `t`. If another task has the deduplication key and once.Anyway is true,
// insert adds `t` without the key. If once.Anyway is false, it returns the other task, or nil with
// t.Num 0 if the other task has lost the key meanwhile.
func (s *Store) insert(tx ledger.Gorm, t *Task, once Dedup) (old *Task, err error) {
	if once.Key == "" {
		return nil, tx.Create(t).Error
	}
	t.DedupKey = &once.Key
	own, err := s.db.Join(tx)
	if err != nil {
		return nil, err
	}
	if err := s.releaseKey(tx.Statement.Context, own, once); err != nil {
		return nil, err
	}
	made := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(t)
	if made.Error != nil || made.RowsAffected == 1 {
		return nil, made.Error
	}
	t.Num = 0
	if once.Anyway {
		t.DedupKey = nil
		return nil, tx.Create(t).Error
	}
	var found []Task
	err = tx.Where("dedup_key = ?", once.Key).Limit(1).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// setEmpty replaces nil maps and lists, which would be stored as null, with empty ones.
func (t *Task) setEmpty() {
	if t.Labels == nil {
		t.Labels = map[string]string{}
	}
	if t.Options == nil {
		t.Options = map[string]any{}
	}
	if t.After == nil {
		t.After = []string{}
	}
	if t.Warnings == nil {
		t.Warnings = []string{}
	}
	if t.Columns == nil {
		t.Columns = []Column{}
	}
}

// Children returns the children of the task with number `num` that are not done, oldest first.
func (s *Store) Children(ctx context.Context, num int64) ([]Task, error) {
	var out []Task
	err := s.db.Read.WithContext(ctx).
		Where("parent > 0 AND parent = ? AND finished_at = 0", num).Order("num").Find(&out).Error
	if err != nil {
		return nil, fmt.Errorf("tasks: children of %d: %w", num, err)
	}
	return out, nil
}
