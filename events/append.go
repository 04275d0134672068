package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/paramlist"
)

var (
	//go:embed sql/position.sql
	positionSQL string
	//go:embed sql/add_counts.sql
	addCountsSQL string
	//go:embed sql/finalize.sql
	finalizeSQL string
	//go:embed sql/grow_feed.sql
	growFeedSQL string
)

// Draft is a job to be added to a task.
type Draft struct {
	Row     int             // row number in the file; Append sets it if Chunk.Count is true
	Key     string          // ordering key within the lane of the task; empty if the row has no order
	Params  json.RawMessage // input of the handler
	Score   *int64          // version of the row; nil if none
	RunAt   int64           // unix ms; the row does not run before this time; 0 means at once
	Failure *Failure        // not nil: the row is invalid and ends as failed at once
	Instead *Replacement    // not nil, and Failure is nil: another row replaces the row, which ends as superseded at once
}

// Replacement names the row that replaces another row of its key.
type Replacement struct {
	Failure *Failure        // with CodeSuperseded
	Result  json.RawMessage // names the other row
}

// Chunk is a sequence of rows, in file order, that are added in one transaction.
type Chunk struct {
	Num   int64         // of the task
	Claim int64         // claim of tasks.Picker that permits the append; 0 for an open task
	After int64         // number of rows that the caller has appended before; ErrClaimLost if the task has fewer
	TTL   time.Duration // with Claim: time from the append to the end of the claim
	Rows  []Draft       // in file order
	Count bool          // Append sets the number of each row to its place in the task
	Final bool          // this is the last chunk

	// Unordered makes Append store no hash of the keys (see Lane.Hash), so that no search by key finds the
	// rows. It is set for kinds in which a newer row of a key does not supersede an older one.
	Unordered bool

	Problem any // with Final: the reason why the file could not be read to its end, stored as JSON; else nil

	// Warnings replace the warnings of the task, if Final is true. A warning describes how the file was
	// read, for example with a decimal comma. Nil keeps the warnings of the task.
	Warnings []string

	// First is called at the start of the transaction that adds the chunk, to take locks that must
	// precede the lock of the task. If the transaction is retried, First is called again. Default: none.
	First func(ctx context.Context, tx ledger.Tx) error

	// Also is called in the transaction that adds the chunk, with the total of the task after the
	// chunk. An error rolls back the chunk. If the transaction is retried, Also is called again.
	// Default: none.
	Also func(ctx context.Context, tx ledger.Tx, total int64) error

	names paramlist.Names // names of params for the stored form of the rows
}

// Append adds a chunk and raises the counts of its task. It returns the new total of the task,
// which is also the position at which to resume. It returns ErrClaimLost if the caller no longer
// has the claim, the total is final, or the task has fewer rows than c.After.
func (s *Store) Append(ctx context.Context, c Chunk) (total int64, err error) {
	c.clean()
	total, err = s.append(ctx, c)
	if ledger.NoPartition(err) {
		if _, err = s.partitions.Ensure(ctx, c.Num); err == nil {
			total, err = s.append(ctx, c)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("events: append to task %d: %w", c.Num, err)
	}
	return total, nil
}

// AppendIn is like Append, in a transaction that has just added the task. Before the transaction, the
// caller must call partitions.Store.EnsureAhead. The transaction may still fail for lack of a partition,
// so the caller must run it in partitions.Store.Retry.
func (s *Store) AppendIn(ctx context.Context, tx ledger.Tx, c Chunk) error {
	c.clean()
	if _, err := s.appendIn(ctx, tx, c); err != nil {
		return fmt.Errorf("events: append to task %d: %w", c.Num, err)
	}
	return nil
}

// clean replaces the failures of the rows by the results of Failure.Clean, which the ledger can store.
func (c Chunk) clean() {
	for i, r := range c.Rows {
		if r.Failure != nil {
			f := r.Failure.Clean()
			c.Rows[i].Failure = &f
		}
	}
}

// append adds a chunk in one transaction. With a claim, only its holder adds rows, so append reads the
// total without a lock. It then locks the task only after it has inserted the rows. Transactions that
// update the counts of the task then do not wait for the insert.
func (s *Store) append(ctx context.Context, c Chunk) (total int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) (err error) {
		total, err = s.appendIn(ctx, tx, c)
		return err
	})
	if c.Claim != 0 && ledger.DuplicateKey(err) { // the new holder of the claim has added these rows
		err = fmt.Errorf("%w: %w", ErrClaimLost, err)
	}
	return total, err
}

// appendIn is like append, in the transaction of the caller.
func (s *Store) appendIn(ctx context.Context, tx ledger.Tx, c Chunk) (total int64, err error) {
	if c.First != nil {
		if err := c.First(ctx, tx); err != nil {
			return 0, err
		}
	}
	place := s.grow
	if c.Claim != 0 {
		place = s.position
	}
	c.names = namesOf(c.Rows)
	total, lane, err := place(ctx, tx, &c)
	if err != nil {
		return 0, err
	}
	if c.Unordered {
		lane = Lane{}
	}
	base := total - int64(len(c.Rows))
	if base < c.After { // the ledger was set back: rows in between are missing
		return 0, ErrClaimLost
	}
	c.numberRows(base)
	if err := s.insert(ctx, tx, c, lane, base); err != nil {
		return 0, err
	}
	if c.Claim != 0 {
		got, _, err := s.grow(ctx, tx, &c)
		if err == nil && got != total { // impossible: only the holder of the claim adds rows
			err = ErrClaimLost
		}
		if err != nil {
			return 0, err
		}
	}
	if err := s.finishChunk(ctx, tx, c); err != nil || c.Also == nil {
		return total, err
	}
	return total, c.Also(ctx, tx, total)
}

// finishChunk adds the invalid rows of a chunk to the error groups, and writes the notice of a first
// failure. It cancels the task if more rows are bad than its MaxFailures. After the last chunk it calls
// seal, which makes the total of the task final.
func (s *Store) finishChunk(ctx context.Context, tx ledger.Tx, c Chunk) error {
	if err := s.groups(ctx, tx, c.badChanges()); err != nil {
		return err
	}
	if err := s.noticeBad(ctx, tx, c.Num, &delta{bad: len(c.badChanges())}); err != nil {
		return err
	}
	if !c.Final {
		return nil
	}
	return s.seal(ctx, tx, c)
}

// position returns the total that the task will have after the chunk, and the lane of the task. If the task
// has stored names of params, position sets c.names to them.
func (s *Store) position(ctx context.Context, tx ledger.Tx, c *Chunk) (int64, Lane, error) {
	total, lane, names := int64(-1), Lane{}, ""
	_, err := ledger.Row(ctx, tx, positionSQL, ledger.Args{"num": c.Num, "claim": c.Claim},
		&total, &lane.Tenant, &lane.Kind, &names)
	if err == nil && total < 0 {
		err = ErrClaimLost
	}
	if names != "" {
		c.names = paramlist.Parse(names)
	}
	return total + int64(len(c.Rows)), lane, err
}

// grow raises the counts of the task, extends the claim, and returns the new total and the lane of the
// task. If the task has no stored names of params, grow stores c.names. Otherwise it sets c.names to the
// names of the task.
func (s *Store) grow(ctx context.Context, tx ledger.Tx, c *Chunk) (int64, Lane, error) {
	superseded := c.superseded()
	failed := int64(len(c.badChanges())) + superseded
	enqueue := int64(len(c.Rows)) - failed
	now := s.now()
	total, lane, names := int64(-1), Lane{}, ""
	_, err := ledger.Row(ctx, tx, addCountsSQL, ledger.Args{
		"num": c.Num, "claim": c.Claim, "enqueue": enqueue, "failed": failed, "superseded": superseded,
		"until": now.Add(c.TTL).UnixMilli(), "now": now.UnixMilli(), "names": c.names.JSON(),
	}, &total, &lane.Tenant, &lane.Kind, &names)
	if err != nil {
		return 0, lane, err
	}
	if total < 0 {
		return 0, lane, ErrClaimLost
	}
	c.names = paramlist.Parse(names)
	_, err = tx.Exec(ctx, growFeedSQL, ledger.Args{"num": c.Num, "enqueue": enqueue})
	return total, lane, err
}

// numberRows sets the row numbers to the positions of the rows in the task, from base+1 on, if c.Count
// is true.
func (c Chunk) numberRows(base int64) {
	for i := range c.Rows {
		if c.Count {
			c.Rows[i].Row = int(base) + i + 1
		}
	}
}

func (c Chunk) superseded() (n int64) {
	for _, r := range c.Rows {
		if r.Failure == nil && r.Instead != nil {
			n++
		}
	}
	return n
}

// badChanges returns the changes by which the invalid rows of the chunk become Failed.
func (c Chunk) badChanges() []change {
	var out []change
	for _, r := range c.Rows {
		if r.Failure != nil {
			out = append(out, change{
				num: c.Num, row: r.Row, to: Failed, code: r.Failure.Code, col: r.Failure.Column,
			})
		}
	}
	return out
}
