package access

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/any.sql
	anySQL string
	//go:embed sql/note_keyed.sql
	noteKeyedSQL string
)

// Any reports whether an API key was ever created, or a person recorded. From then on, a request
// without a credential has no rights, even if all keys are revoked or deleted. A result of false may be
// up to one second old.
func (s *Store) Any(ctx context.Context) (bool, error) {
	now := s.now().UnixMilli()
	age := now - s.noneAt.Load()
	if s.any.Load() || age >= 0 && age < fresh.Milliseconds() {
		return s.any.Load(), nil
	}
	_, err := s.once(ctx, "any", func(ctx context.Context) (any, error) {
		return s.AnyNow(ctx)
	})
	return s.any.Load(), err
}

// AnyNow is like Any, but always reads the ledger before it returns false.
func (s *Store) AnyNow(ctx context.Context) (bool, error) {
	if s.any.Load() {
		return true, nil
	}
	now, n := s.now().UnixMilli(), int64(0)
	if _, err := ledger.Row(ctx, s.db.Reader(), anySQL, nil, &n); err != nil {
		return false, fmt.Errorf("access: any key: %w", err)
	}
	if n == 0 {
		s.noneAt.Store(now)
		return s.any.Load(), nil
	}
	s.any.Store(true)
	return true, nil
}

// NoteKeyed records that API keys exist, if any do. Any then returns true even after all keys were
// deleted. The caller calls NoteKeyed before it deletes API keys.
func (s *Store) NoteKeyed(ctx context.Context) error {
	if _, err := s.db.Writer().Exec(ctx, noteKeyedSQL, nil); err != nil {
		return fmt.Errorf("access: note that there are keys: %w", err)
	}
	return nil
}
