package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

var (
	//go:embed sql/shape_today.sql
	shapeTodaySQL string
	//go:embed sql/shape_narrow.sql
	shapeNarrowSQL string
	//go:embed sql/shape_split.sql
	shapeSplitSQL string
	//go:embed sql/end_today.sql
	endTodaySQL string
	//go:embed sql/end_narrow.sql
	endNarrowSQL string
)

// These are the numbers of rows of the bench row-shape.
const (
	shapeRows   = 200_000
	shapeGroup  = 500   // rows that end in one commit
	shapeWindow = 5_000 // rows that run at once and end in any order
)

// shape is a way to store rows and their outcomes.
type shape struct {
	name        string
	tables, end string
	narrow      bool // outcomes are in a table of their own
	split       bool // the table of outcomes has a row for each row from the beginning
	bare        bool // values are stored without the names of their columns
}

// shapes lists the compared shapes. The ledger has the shape "today, bare".
var shapes = []shape{
	{name: "today", tables: shapeTodaySQL, end: endTodaySQL},
	{name: "today, bare", tables: shapeTodaySQL, end: endTodaySQL, bare: true},
	{name: "split", tables: shapeSplitSQL, end: endSplitSQL(), narrow: true, split: true},
	{name: "narrow", tables: shapeNarrowSQL, end: endNarrowSQL, narrow: true},
	{name: "narrow, bare", tables: shapeNarrowSQL, end: endNarrowSQL, narrow: true, bare: true},
}

// endSplitSQL returns endTodaySQL for the table of states.
func endSplitSQL() string {
	return strings.Replace(endTodaySQL, "UPDATE shape AS", "UPDATE shape_states AS", 1)
}

// shapeFigures lists the measured values of a shape.
var shapeFigures = []struct{ name, unit string }{
	{"rows added", "rows/s"},
	{"ended, beside a snapshot", "rows/s"},
	{"disk", "B/row"},
	{"log", "B/row"},
	{"vacuum", "ms"},
}

// benchRowShape compares ways to store rows and outcomes in Postgres alone, without queue and counts.
func benchRowShape(ctx context.Context, l *lab, runs int) ([]figure, error) {
	values := make([][][]float64, len(shapes))
	for range runs {
		for i, s := range shapes {
			one, err := l.shape(ctx, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			values[i] = append(values[i], one)
		}
	}
	var out []figure
	for j, of := range shapeFigures {
		for i, s := range shapes {
			out = append(out, figureOf("row-shape, "+of.name+", "+s.name, of.unit, column(values[i], j)))
		}
	}
	return out, nil
}

func column(rows [][]float64, j int) (out []float64) {
	for _, row := range rows {
		out = append(out, row[j])
	}
	return out
}

// shape measures one shape in its own database.
func (l *lab) shape(ctx context.Context, s shape) ([]float64, error) {
	defer l.leave(len(l.cleanup))
	db, err := ledger.Open(ctx, testenv.Postgres(l), ledger.Options{})
	if err != nil {
		return nil, err
	}
	l.Cleanup(func() { _ = db.Close() })
	if _, err := db.Pool.Exec(ctx, s.tables); err != nil {
		return nil, err
	}
	before, err := walOf(ctx, db.Pool)
	if err != nil {
		return nil, err
	}
	added, err := timed(func() error { return s.add(ctx, db.Pool) })
	if err != nil {
		return nil, err
	}
	ended, err := timed(func() error { return s.endAll(ctx, db) })
	if err != nil {
		return nil, err
	}
	after, err := walOf(ctx, db.Pool)
	if err != nil {
		return nil, err
	}
	var size float64
	const ask = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('shape', 'shape_states') AND relkind = 'r'"
	if err := db.Pool.QueryRow(ctx, ask).Scan(&size); err != nil {
		return nil, err
	}
	vacuum, err := timed(func() error { return s.vacuum(ctx, db.Pool) })
	return []float64{shapeRows / added, shapeRows / ended, size / shapeRows, (after - before) / shapeRows, vacuum * 1000}, err
}

// timed returns how many seconds f takes.
func timed(f func() error) (float64, error) {
	begun := time.Now()
	err := f()
	return time.Since(begun).Seconds(), err
}

func walOf(ctx context.Context, pool *pgxpool.Pool) (bytes float64, err error) {
	err = pool.QueryRow(ctx, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8").Scan(&bytes)
	return bytes, err
}

// add adds the rows, in chunks of the size that the splitter uses.
func (s shape) add(ctx context.Context, pool *pgxpool.Pool) error {
	const chunk = 5_000
	for first := 0; first < shapeRows; first += chunk {
		rows, states := make([][]any, chunk), make([][]any, chunk)
		for i := range rows {
			rows[i], states[i] = s.row(first+i), []any{int64(first + i + 1), "enqueue"}
		}
		columns := []string{"id", "row", "key", "params", "key_hash"}
		if !s.narrow {
			columns = append(columns, "status")
		}
		if _, err := pool.CopyFrom(ctx, pgx.Identifier{"shape"}, columns, pgx.CopyFromRows(rows)); err != nil {
			return err
		}
		if !s.split {
			continue
		}
		_, err := pool.CopyFrom(ctx, pgx.Identifier{"shape_states"}, []string{"id", "status"}, pgx.CopyFromRows(states))
		if err != nil {
			return err
		}
	}
	return nil
}

func (s shape) row(i int) []any {
	d := wideRow(i)
	params := string(d.Params)
	if s.bare {
		var values []string
		for range 10 {
			values = append(values, fmt.Sprintf("value%07d", i))
		}
		text, _ := json.Marshal(values) // texts always encode
		params = string(text)
	}
	out := []any{int64(i + 1), d.Row, d.Key, params, int64(i+1) * 0x9E3779B97F4A7C}
	if !s.narrow {
		out = append(out, "enqueue")
	}
	return out
}

// endAll ends all rows over two connections, in the order in which many workers would end them.
// Meanwhile, a third connection holds a snapshot for a second at a time.
func (s shape) endAll(ctx context.Context, db *ledger.DB) error {
	ids := make([]int64, shapeRows)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for some := range slices.Chunk(ids, shapeWindow) {
		random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	}
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for watching.Err() == nil {
			_ = hold(watching, db.Pool) // the snapshot only hinders the vacuum
		}
	}()
	defer func() { stop(); <-watched }()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for some := range slices.Chunk(ids, shapeGroup) {
		slices.Sort(some)
		g.Go(func() error {
			return db.InTx(ctx, func(tx ledger.Tx) error {
				done, err := ledger.Bulk(ctx, tx, s.end, ledger.Args{"ids": some, "now": times(len(some))})
				if n := ledger.Count(done); err == nil && n != len(some) {
					err = fmt.Errorf("%d of %d rows have ended", n, len(some))
				}
				return err
			})
		})
	}
	return g.Wait()
}

func times(n int) []int64 { return slices.Repeat([]int64{time.Now().UnixMilli()}, n) }

// hold holds a snapshot for a second.
func hold(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		var n int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM rollcall.tasks").Scan(&n); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
		return nil
	})
}

func (s shape) vacuum(ctx context.Context, pool *pgxpool.Pool) error {
	tables := []string{"shape"}
	if s.narrow {
		tables = append(tables, "shape_states")
	}
	for _, name := range tables {
		if _, err := pool.Exec(ctx, "VACUUM "+name); err != nil {
			return err
		}
	}
	return nil
}
