package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm"
)

// joined is a transaction of database/sql on Postgres that its caller ends.
type joined struct {
	tx    gorm.ConnPool
	names *names
}

func (t joined) Exec(ctx context.Context, text string, args Args) (int64, error) {
	text, list, err := pgx.NamedArgs(args).RewriteQuery(ctx, nil, t.names.qualify(text), nil)
	if err != nil {
		return 0, err
	}
	res, err := t.tx.ExecContext(ctx, text, list...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (t joined) Query(ctx context.Context, text string, args Args, row func(Scan) error) error {
	text, list, err := pgx.NamedArgs(args).RewriteQuery(ctx, nil, t.names.qualify(text), nil)
	if err != nil {
		return err
	}
	rows, err := t.tx.QueryContext(ctx, text, list...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, row)
}

// maxValues is the greatest number of values in a statement that the protocol of Postgres allows.
const maxValues = 1<<16 - 1

// insert adds rows with INSERT, because database/sql has no COPY. It does not prepare the
// statement, because the text differs with the number of rows. For each text, a connection would
// keep a prepared statement of up to a megabyte.
func (t joined) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	for some := range slices.Chunk(rows, maxValues/len(columns)) {
		places, values := make([]string, len(some)), []any{pgx.QueryExecModeExec}
		for i, row := range some {
			places[i] = placesOf(len(values)-1, len(row))
			values = append(values, row...)
		}
		text := fmt.Sprintf("INSERT INTO %s (%s) VALUES %s",
			t.names.table(table), strings.Join(columns, ", "), strings.Join(places, ", "))
		if _, err := t.tx.ExecContext(ctx, text, values...); err != nil {
			return err
		}
	}
	return nil
}

// placesOf returns n placeholders in parentheses. The first one has the number first+1.
func placesOf(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", first+i+1)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func (t joined) bulk(ctx context.Context, text string, args Args) ([]bool, error) {
	s := bulkOf(text)
	keys, _ := args[s.key].([]int64)
	if _, err := t.tx.ExecContext(ctx, noLoopsSQL); err != nil {
		return nil, err
	}
	var n int
	var some []int64
	err := t.Query(ctx, s.postgres, args, func(scan Scan) error {
		return scan(&n, pgtype.NewMap().SQLScanner(&some))
	})
	return changedRows(keys, n, some), err
}
