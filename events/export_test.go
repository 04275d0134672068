package events

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/paramlist"
)

// Slip records moves without a check of the transitions, which the statements must make themselves.
// It returns the number of moves made.
func (s *Store) Slip(ctx context.Context, moves ...Move) (n int, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		for i := range moves {
			moves[i].at = i
		}
		made, err := s.record(ctx, tx, moves, len(moves))
		n = 0
		for _, m := range made {
			if m {
				n++
			}
		}
		return err
	})
	return n, err
}

// errCrash ends a transaction, as the end of the process would.
var errCrash = errors.New("crash before the commit")

// Crash makes moves and then rolls their transaction back.
func (s *Store) Crash(ctx context.Context, moves ...Move) error {
	first, err := unique(moves)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if _, err := s.record(ctx, tx, first, len(moves)); err != nil {
			return err
		}
		return errCrash
	})
	if errors.Is(err, errCrash) {
		return nil
	}
	return err
}

// ListSQL returns the statement that List runs for a filter.
func (s *Store) ListSQL(ctx context.Context, num int64, f Filter) string {
	var out []Event
	q := s.where(ctx, num, f).Session(&gorm.Session{DryRun: true}).Order("id").Limit(f.Limit).Find(&out).Statement
	if s.db.Pool != nil {
		return s.db.Read.Dialector.Explain(q.SQL.String(), q.Vars...)
	}
	return logger.ExplainSQL(q.SQL.String(), nil, "'", q.Vars...)
}

// These are the statements whose plans are checked.
var (
	NewerSQL, NewerVersionSQL, OvertakenSQL, ForgetRunnersSQL = newerSQL, newerVersionSQL, overtakenSQL, forgetRunnersSQL
	KeyBeforeSQL, KeyBehindSQL                                = keyBeforeSQL, keyBehindSQL

	CheckpointedSQL, ValuesSQL = checkpointedSQL, valuesSQL
)

// StraySQL and StatesSQL are the statements of lost rows.
var StraySQL, StatesSQL = straySQL, statesSQL

// StoredAndBack stores params with the member names of the given objects. It returns the stored
// form, and the params read back from it.
func StoredAndBack(params string, of ...string) (stored, back string) {
	var n paramlist.Names
	for _, object := range of {
		n = n.With(object)
	}
	stored = n.Stored(params)
	return stored, ParamsOf(n.JSON(), stored)
}
