package lanes

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/fed_back.sql
	fedBackSQL string
	//go:embed sql/back_fewer.sql
	backFewerSQL string
)

// Pushed is a resubmitted row that was pushed, with the number of the attempt for which it was
// resubmitted.
type Pushed struct {
	Seq     int64
	Attempt int
}

// NotePushed records that resubmitted rows were pushed while Generations.Redis was the argument `redis`.
// A row that was resubmitted again meanwhile still counts as waiting. If the mark has changed since, all
// rows still count as waiting.
func (s *Store) NotePushed(ctx context.Context, num int64, redis string, rows []Pushed) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error { return notePushed(ctx, tx, num, redis, rows) })
	if err != nil {
		return fmt.Errorf("lanes: resubmitted rows of %d are fed: %w", num, err)
	}
	return nil
}

func notePushed(ctx context.Context, tx ledger.Tx, num int64, redis string, rows []Pushed) error {
	seqs, attempts := make([]int64, len(rows)), make([]int16, len(rows))
	for i, r := range rows {
		seqs[i], attempts[i] = r.Seq, int16(r.Attempt)
	}
	args := ledger.Args{"num": num, "redis": redis, "seqs": seqs, "attempts": attempts}
	done, err := ledger.Bulk(ctx, tx, fedBackSQL, args)
	if n := ledger.Count(done); err == nil && n > 0 {
		_, err = tx.Exec(ctx, backFewerSQL, ledger.Args{"num": num, "rows": n})
	}
	return err
}
