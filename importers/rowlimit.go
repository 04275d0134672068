package importers

import (
	"context"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// refuseLong returns the problem of a file with too many rows, before its first row is added. It reads
// the whole file only if the number of its line ends or row elements exceeds the limit.
func (r reader) refuseLong(ctx context.Context) error {
	return r.within(func(rows stream) error {
		long, err := rows.mayExceed(ctx, r.limit.WithDefaults().Rows)
		if err != nil || !long {
			return err
		}
		return count(ctx, rows)
	})
}

// count reads rows to their end. It returns only the problem of too many rows. The reader that adds
// the rows finds the other problems.
func count(ctx context.Context, rows stream) error {
	for n := 1; ; n++ {
		err := rows.next()
		var p *tabular.Problem
		switch {
		case err == io.EOF, errors.As(err, &p) && p.Code != tabular.CodeTooManyRows:
			return nil
		case err == nil && n%checkEvery == 0:
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}
