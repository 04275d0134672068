package partitions

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/partitions.sql
	partitionsSQL string
	//go:embed sql/numbers.sql
	numbersSQL string
	//go:embed sql/rotate.sql
	rotateSQL string
	//go:embed sql/skip_block.sql
	skipBlockSQL string
	//go:embed sql/sweep_purged.sql
	sweepPurgedSQL string
)

// roomSQL creates the partition of a block, with a function that a migration has defined.
const roomSQL = "SELECT rollcall.events_room(@block)"

// blockBits is the number of bits of a task number within its block. A block is a range of 65,536 task
// numbers. On Postgres, the events of a block share a partition. Task numbers are below 2^31, so there are
// at most 32,768 blocks. At 65,536 tasks a day, they last for 89 years.
const (
	blockBits = 16
	lastBlock = 1<<(31-blockBits) - 1
	ahead     = 2 // partitions that are created in advance
)

// sweepChunk is the maximum number of events that one statement deletes on SQLite.
const sweepChunk = 2000

// Partition is a table that holds the events of one block. Postgres only.
type Partition struct {
	Block    int64
	Attached bool  // false if the table is left over from an interrupted drop
	Pending  bool  // the detach of the partition was interrupted
	Next     int64 // the first task number after the partition
	Kept     bool  // a task of its block is not purged
}

func (p Partition) name() string { return fmt.Sprintf("rollcall.events_b%d", p.Block) }

// List returns the partitions of events, oldest first; none on SQLite.
func (s *Store) List(ctx context.Context) ([]Partition, error) {
	if s.db.Pool == nil {
		return nil, nil
	}
	out, err := ledger.List(ctx, s.db.Reader(), partitionsSQL, nil, func(scan ledger.Scan, p *Partition) error {
		return scan(&p.Block, &p.Attached, &p.Pending, &p.Next, &p.Kept)
	})
	if err != nil {
		return nil, fmt.Errorf("partitions: %w", err)
	}
	return out, nil
}

// Ensure ensures that a partition exists for the events of the task with the number `num`, and
// reports whether it created the partition. A repeated call is harmless. On SQLite it is a no-op.
//
// events.Store.Append calls Ensure if the partition is missing. A caller that adds events in its
// own transaction must call Ensure before the transaction, or EnsureIn in it.
func (s *Store) Ensure(ctx context.Context, num int64) (made bool, err error) {
	if s.db.Pool == nil || num>>blockBits > lastBlock {
		return false, nil
	}
	if _, err = ledger.Row(ctx, s.db.Writer(), roomSQL, ledger.Args{"block": num >> blockBits}, &made); err != nil {
		return false, fmt.Errorf("partitions: room for task %d: %w", num, err)
	}
	return made, nil
}

// Prepare creates the next partitions in advance. Once per period, it moves the numbers of tasks to the
// next block, so that a partition with old tasks gets no new ones. It does not move them if 60,000 of the
// 65,536 numbers of the block are used. Prepare returns the number of created partitions. On SQLite it is
// a no-op.
func (s *Store) Prepare(ctx context.Context, period time.Duration) (made int, err error) {
	if s.db.Pool == nil {
		return 0, nil
	}
	next, err := s.next(ctx, period)
	if err != nil {
		return 0, fmt.Errorf("partitions: prepare partitions: %w", err)
	}
	for i := range int64(ahead + 1) {
		created, err := s.Ensure(ctx, next+i<<blockBits)
		if err != nil {
			return made, err
		}
		if created {
			made++
		}
	}
	return made, nil
}

// next returns the number of the next task. If a period is over, this number is the first of a new
// block. next creates the partition of the block before the number is used.
func (s *Store) next(ctx context.Context, period time.Duration) (num int64, err error) {
	if _, err = ledger.Row(ctx, s.db.Reader(), numbersSQL, nil, &num); err != nil {
		return 0, err
	}
	if _, err := s.Ensure(ctx, num+1<<blockBits); err != nil {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		var due int64
		now := s.now()
		_, err := ledger.Row(ctx, tx, rotateSQL, ledger.Args{
			"now": now.UnixMilli(), "before": now.Add(-period).UnixMilli(),
		}, &due)
		if err != nil || due == 0 {
			return err
		}
		_, err = ledger.Row(ctx, tx, skipBlockSQL, ledger.Args{"block": num >> blockBits}, &num)
		return err
	})
	return num, err
}

// Drop removes the events of purged tasks. On Postgres it drops partitions that hold only such
// events. The drop of a partition takes a few milliseconds, at any size. Events of a purged task
// stay until all tasks of its block are purged. On SQLite it deletes rows, in short transactions.
// Drop returns the number of removed partitions or, on SQLite, of removed rows.
func (s *Store) Drop(ctx context.Context) (gone int64, err error) {
	if s.db.Pool == nil {
		return s.sweepPurged(ctx)
	}
	list, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	var num int64
	if _, err = ledger.Row(ctx, s.db.Reader(), numbersSQL, nil, &num); err != nil {
		return 0, fmt.Errorf("partitions: discard: %w", err)
	}
	for _, p := range list {
		if p.Kept || p.Next > num {
			continue
		}
		if err := s.drop(ctx, p); err != nil {
			return gone, fmt.Errorf("partitions: drop partition %s: %w", p.name(), err)
		}
		gone++
	}
	return gone, nil
}

// drop detaches a partition from the table `events` without blocking other statements, and then
// drops the partition.
func (s *Store) drop(ctx context.Context, p Partition) error {
	how := " CONCURRENTLY"
	if p.Pending {
		how = " FINALIZE"
	}
	if p.Attached {
		_, err := s.db.Writer().Exec(ctx, "ALTER TABLE rollcall.events DETACH PARTITION "+p.name()+how, nil)
		if err != nil {
			return err
		}
	}
	_, err := s.db.Writer().Exec(ctx, "DROP TABLE "+p.name(), nil)
	return err
}

func (s *Store) sweepPurged(ctx context.Context) (gone int64, err error) {
	for {
		n, err := s.db.Writer().Exec(ctx, sweepPurgedSQL, ledger.Args{"most": sweepChunk})
		if gone += n; err != nil {
			return gone, fmt.Errorf("partitions: delete those of purged tasks: %w", err)
		}
		if n < sweepChunk {
			return gone, nil
		}
	}
}
