package importers

import (
	"context"
	"errors"
	"io"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// refuseLong returns a problem if the file has more rows than tabular.Limits allows. The splitter calls
// it before it adds the first row. refuseLong parses the rows only if stream.mayExceed, a quick
// estimate, returns true.
func (r reader) refuseLong(ctx context.Context) error {
	return r.withRows(func(rows stream) error {
		long, err := rows.mayExceed(ctx, r.limit.WithDefaults().Rows)
		if err != nil || !long {
			return err
		}
		return count(ctx, rows)
	})
}

// count reads all rows, and returns a problem if there are more than tabular.Limits allows. It ignores
// other problems of the file, because the reader that adds the rows returns them again.
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
