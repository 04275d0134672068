package ledgers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// setBackTries is the maximum number of times that SetBack tries to lock the tables of a ledger in use.
const setBackTries = 20

// Moment is a copy of the rows of a ledger at one moment.
type Moment struct {
	t         T
	db        *ledger.DB
	schema    string
	tables    []table
	sequences []sequence
}

// table is a table of the ledger. The field `columns` lists its columns for SQL.
type table struct{ name, columns string }

// sequence is the state of a Postgres sequence. SQLite has no sequences.
type sequence struct {
	name   string
	last   int64
	called bool
}

// Remember copies the rows of a ledger. It leaves out tables whose names begin with a prefix in `apart`,
// such as tables of an application.
func Remember(t T, url string, apart ...string) *Moment {
	t.Helper()
	ctx := context.Background()
	db, err := ledger.Open(ctx, url, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatalf("ledgers: %v", err)
	}
	t.Cleanup(func() { _ = db.Close() })
	m := &Moment{t: t, db: db, schema: fmt.Sprintf("kept_%d", time.Now().UnixNano())}
	if err := db.InTx(ctx, func(tx ledger.Tx) error { return m.copy(ctx, tx, apart) }); err != nil {
		t.Fatalf("ledgers: remember: %v", err)
	}
	return m
}

// These queries list the tables with their columns on Postgres and on SQLite, and the sequences on
// Postgres.
const (
	tablesOfPostgres = `SELECT 'rollcall.' || c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
		  AND a.attgenerated = '' AND c.relnamespace = to_regnamespace('rollcall')
		GROUP BY c.relname ORDER BY c.relname`
	tablesOfSQLite = `SELECT t.name, (SELECT group_concat('"' || c.name || '"', ', ') FROM pragma_table_info(t.name) c)
		FROM sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'kept\_%' ESCAPE '\' ORDER BY t.name`
	sequencesSQL = `SELECT 'rollcall.' || quote_ident(sequencename), coalesce(last_value, start_value), last_value IS NOT NULL
		FROM pg_sequences WHERE schemaname = 'rollcall'`
)

func (m *Moment) copy(ctx context.Context, tx ledger.Tx, apart []string) (err error) {
	list, setup := tablesOfSQLite, "SELECT 1"
	if m.db.Pool != nil {
		list, setup = tablesOfPostgres, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
	}
	if _, err := tx.Exec(ctx, setup, nil); err != nil {
		return err
	}
	if m.tables, err = ledger.List(ctx, tx, list, nil, func(scan ledger.Scan, tbl *table) error {
		return scan(&tbl.name, &tbl.columns)
	}); err != nil {
		return err
	}
	left := func(name string) bool {
		return slices.ContainsFunc(apart, func(a string) bool { return strings.HasPrefix(name, a) })
	}
	m.tables = slices.DeleteFunc(m.tables, func(tbl table) bool { return left(tbl.name) })
	if m.db.Pool != nil {
		if err := m.copySequences(ctx, tx); err != nil {
			return err
		}
		m.sequences = slices.DeleteFunc(m.sequences, func(seq sequence) bool { return left(seq.name) })
	}
	for _, tbl := range m.tables {
		if _, err := tx.Exec(ctx, "CREATE TABLE "+m.copyName(tbl)+" AS SELECT "+tbl.columns+" FROM "+tbl.name, nil); err != nil {
			return err
		}
	}
	return nil
}

func (m *Moment) copySequences(ctx context.Context, tx ledger.Tx) (err error) {
	if _, err = tx.Exec(ctx, "CREATE SCHEMA "+m.schema, nil); err != nil {
		return err
	}
	m.sequences, err = ledger.List(ctx, tx, sequencesSQL, nil, func(scan ledger.Scan, seq *sequence) error {
		return scan(&seq.name, &seq.last, &seq.called)
	})
	return err
}

func (m *Moment) copyName(tbl table) string {
	if m.db.Pool != nil {
		return m.schema + "." + strings.TrimPrefix(tbl.name, "rollcall.")
	}
	return m.schema + "_" + tbl.name
}

// SetBack restores the rows that Remember has copied, in one transaction. Other processes may use the
// ledger at the same time.
func (m *Moment) SetBack() {
	m.t.Helper()
	ctx, err := context.Background(), error(nil)
	for range setBackTries { // a process may hold the lock of a table while it waits for another
		if err = m.db.InTx(ctx, func(tx ledger.Tx) error { return m.setBack(ctx, tx) }); err == nil {
			return
		}
	}
	m.t.Fatalf("ledgers: set back: %v", err)
}

func (m *Moment) setBack(ctx context.Context, tx ledger.Tx) error {
	texts := []string{"PRAGMA defer_foreign_keys = ON"}
	if m.db.Pool != nil {
		names := make([]string, len(m.tables))
		for i, tbl := range m.tables {
			names[i] = tbl.name
		}
		all := strings.Join(names, ", ")
		texts = []string{"SET LOCAL session_replication_role = replica", "LOCK TABLE " + all + " IN ACCESS EXCLUSIVE MODE"}
	}
	for _, tbl := range m.tables {
		texts = append(texts, "DELETE FROM "+tbl.name)
	}
	for _, tbl := range m.tables {
		texts = append(texts, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s",
			tbl.name, tbl.columns, tbl.columns, m.copyName(tbl)))
	}
	for _, seq := range m.sequences {
		texts = append(texts, fmt.Sprintf("SELECT setval('%s', %d, %t)", seq.name, seq.last, seq.called))
	}
	for _, text := range texts {
		if _, err := tx.Exec(ctx, text, nil); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}
