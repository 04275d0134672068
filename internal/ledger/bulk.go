package ledger

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
)

// bulker is a Tx that implements Bulk. The Tx of DB.Writer on Postgres does not.
type bulker interface {
	bulk(ctx context.Context, text string, args Args) (done []bool, err error)
}

// Bulk runs a statement for many rows, and reports which rows it changed. The statement runs once for
// all rows on Postgres, and once for each row on SQLite.
//
// Slices among args are columns of the rows. They have the same length, or are empty: an empty
// slice is null in every row. The statement declares these columns in ROWS, each with its type. It
// compares the row id with EACH, and returns the row id at the end:
//
//	UPDATE t AS x SET a = v.names FROM ROWS (ids bigint, names text) AS v
//	WHERE x.id = EACH (ids) AND x.id = v.ids
//	RETURNING x.id AS key
//
// The first column of ROWS is the row id, a bigint above 0. If the caller uses the result, each row
// must have a different row id. INSERT … SELECT can use ROWS, too.
func Bulk(ctx context.Context, tx Tx, text string, args Args) (done []bool, err error) {
	own, ok := tx.(bulker)
	if !ok {
		return nil, fmt.Errorf("ledger: bulk: %w", errAlone)
	}
	return own.bulk(ctx, text, args)
}

// Count returns the number of rows that Bulk has changed.
func Count(done []bool) (n int) {
	for _, ok := range done {
		if ok {
			n++
		}
	}
	return n
}

// noLoopsSQL prevents a plan that compares each row of the table with each row of the arguments.
// Postgres may choose such a plan if its statistics show a small table.
const noLoopsSQL = "SET LOCAL enable_nestloop = off"

func (t pgTx) bulk(ctx context.Context, text string, args Args) (done []bool, err error) {
	s := bulkOf(text)
	keys, _ := args[s.key].([]int64)
	var batch pgx.Batch
	batch.Queue(noLoopsSQL)
	if low, high, ok := dense(keys); ok {
		batch.Queue(t.names.qualify(s.dense), pgx.NamedArgs(s.denseArgs(args, keys, low, high)))
	} else {
		batch.Queue(t.names.qualify(s.postgres), pgx.NamedArgs(args))
	}
	results := t.tx.SendBatch(ctx, &batch)
	defer func() { _ = results.Close() }() // all rows have been read
	if _, err := results.Exec(); err != nil {
		return nil, err
	}
	var n int
	var some []int64
	if err := results.QueryRow().Scan(&n, &some); err != nil {
		return nil, err
	}
	return changedRows(keys, n, some), nil
}

// leastDense and denseSpan are the limits for the function dense.
const (
	leastDense = 64 // fewer keys are searched one by one
	denseSpan  = 4  // dense keys span less than this many times their number
)

// dense returns the least and the greatest row id if there are at least leastDense row ids, and they span
// less than denseSpan times their number. Postgres then reads all rows between these two. A list of row
// ids would take longer to plan, and need an index search for each id.
func dense(keys []int64) (low, high int64, ok bool) {
	if len(keys) < leastDense {
		return 0, 0, false
	}
	low, high = slices.Min(keys), slices.Max(keys)
	return low, high, uint64(high)-uint64(low) < denseSpan*uint64(len(keys))
}

// denseArgs returns the arguments of the statement for dense row ids.
func (s *bulkSQL) denseArgs(args Args, keys []int64, low, high int64) Args {
	args = maps.Clone(args)
	if s.placed {
		for name, v := range args {
			if column, ok := v.([]int64); ok {
				args[name] = spread(column, keys, low, high)
			}
		}
	}
	args["low"], args["high"], args["count"] = low, high, len(keys)
	return args
}

// spread returns a column with each value at the index of its row id, counted from `low`, and 0 at
// the other indexes.
func spread(column, keys []int64, low, high int64) []int64 {
	if len(column) == 0 {
		return column
	}
	out := make([]int64, high-low+1)
	for i, key := range keys {
		out[key-low] = column[i]
	}
	return out
}

// changedRows reports, for each row id, whether its row was changed. The argument `n` is the number of
// changed rows. The argument `some` lists their row ids; it is empty if all were changed.
func changedRows(keys []int64, n int, some []int64) []bool {
	done, is := make([]bool, len(keys)), make(map[int64]bool, len(some))
	for _, key := range some {
		is[key] = true
	}
	for i, key := range keys {
		done[i] = n == len(keys) || is[key]
	}
	return done
}

func (t sqliteTx) bulk(ctx context.Context, text string, args Args) (done []bool, err error) {
	s := bulkOf(text)
	rows := make([][]any, reflect.ValueOf(args[s.key]).Len())
	columns := make([]reflect.Value, len(s.names))
	for j, name := range s.names {
		columns[j] = reflect.ValueOf(args[name])
	}
	for i := range rows {
		rows[i] = make([]any, len(columns))
		for j, c := range columns {
			rows[i][j] = cell(c, i)
		}
	}
	return t.repeat(ctx, s.sqlite, rows)
}

// cell returns the value of an argument in a row: nil for an empty slice, and the argument itself
// if it is no slice.
func cell(c reflect.Value, row int) any {
	switch {
	case c.Kind() != reflect.Slice:
		return c.Interface()
	case c.Len() == 0:
		return nil
	}
	return c.Index(row).Interface()
}
