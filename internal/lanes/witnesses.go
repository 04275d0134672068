package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/witnesses.sql
	witnessesSQL string
	//go:embed sql/drop_witness.sql
	dropWitnessSQL string
)

// Witnessed holds the number of commits that a witness has counted in the ledger. A witness is a
// counter of the commits of a process.
type Witnessed struct {
	Name    string
	Commits int64
	Idle    time.Duration // since the last commit, by the time of the ledger
}

// Witnesses returns the number of commits of each witness in the ledger.
func (s *Store) Witnesses(ctx context.Context) ([]Witnessed, error) {
	now := s.db.Now()
	out, err := ledger.List(ctx, s.db.Reader(), witnessesSQL, nil, func(scan ledger.Scan, w *Witnessed) error {
		var at int64
		err := scan(&w.Name, &w.Commits, &at)
		w.Idle = now.Sub(time.UnixMilli(at))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: witnesses: %w", err)
	}
	return out, nil
}

// DropWitness deletes the commit counter of a process, unless the counter has changed since `w` was
// read.
func (s *Store) DropWitness(ctx context.Context, w Witnessed) error {
	_, err := s.db.Writer().Exec(ctx, dropWitnessSQL, ledger.Args{"name": w.Name, "commits": w.Commits})
	if err != nil {
		return fmt.Errorf("lanes: drop witness: %w", err)
	}
	return nil
}
