package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// errAlone means that Bulk or Insert was called with a Tx that does not implement it, such as that of
// DB.Writer on Postgres.
var errAlone = errors.New("bulk statements need a transaction")

// inserter is a Tx that implements Insert. The Tx of DB.Writer on Postgres does not.
type inserter interface {
	insert(ctx context.Context, table string, columns []string, rows [][]any) error
}

// Insert adds many rows to a table, with values in the order of columns. On Postgres it uses COPY, or
// INSERT in a joined transaction of database/sql. On SQLite it uses one prepared statement.
func Insert(ctx context.Context, tx Tx, table string, columns []string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	own, ok := tx.(inserter)
	if !ok {
		return fmt.Errorf("ledger: insert into %s: %w", table, errAlone)
	}
	return own.insert(ctx, table, columns, rows)
}

func (t pgTx) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	_, err := t.tx.CopyFrom(ctx, pgx.Identifier{t.names.schema, table}, columns, pgx.CopyFromRows(rows))
	return err
}

func (t sqliteTx) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	values := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	text := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), values)
	_, err := t.repeat(ctx, text, rows)
	return err
}

// Column returns one value of each row, in order, for an argument of Bulk.
func Column[R, T any](rows []R, of func(*R) T) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = of(&rows[i])
	}
	return out
}
