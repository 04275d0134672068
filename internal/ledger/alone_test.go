package ledger

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// brokenTx is a Tx whose first queries return some rows and then a deadlock.
type brokenTx struct {
	Tx
	rows    int // of each query
	broken  int // number of queries that deadlock
	queries int
}

func (b *brokenTx) Query(_ context.Context, _ string, _ Args, row func(Scan) error) error {
	b.queries++
	for range b.rows {
		if err := row(func(...any) error { return nil }); err != nil {
			return err
		}
	}
	if b.queries <= b.broken {
		return &pgconn.PgError{Code: "40P01"}
	}
	return nil
}

func TestWriter_QueryBreaksOff_ReturnsEachRowOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rows, broken int
		want         []int // queries, rows
		fails        bool
	}{
		"before the first row": {0, 2, []int{3, 0}, false},
		"after a row":          {1, 1, []int{1, 1}, true},
		"never":                {2, 0, []int{1, 2}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tx, rows := &brokenTx{rows: tt.rows, broken: tt.broken}, 0
			err := retryTx{tx}.Query(t.Context(), "", nil, func(Scan) error { rows++; return nil })
			if got := []int{tx.queries, rows}; !slices.Equal(got, tt.want) || Aborted(err) != tt.fails {
				t.Errorf("%d queries and rows, %v, want %d", got, err, tt.want)
			}
		})
	}
}
