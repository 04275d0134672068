package audit

import (
	"context"
	_ "embed"
	"fmt"
	"iter"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/span.sql
var spanSQL string

// spanPage is the number of entries that Span reads with one statement.
const spanPage = 500

// Span iterates over the entries of a subject, oldest first. The arguments `since` (included) and `until`
// (excluded) bound the times of the entries, in unix ms. The argument `more` names further subjects whose
// entries are included. Span reads page by page, so it may include entries that are added during the loop.
// After an error, the sequence ends.
func (l *Log) Span(ctx context.Context, subject string, since, until int64, more ...string) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		args := ledger.Args{"after": 0, "since": since, "until": until, "most": spanPage}
		for {
			page, err := l.merged(ctx, spanSQL, args, append(more, subject))
			if err != nil {
				yield(nil, fmt.Errorf("audit: span of %q: %w", subject, err))
				return
			}
			full := len(page) >= spanPage
			page = page[:min(spanPage, len(page))]
			for i := range page {
				if !yield(&page[i], nil) {
					return
				}
			}
			if !full {
				return
			}
			args["after"] = page[len(page)-1].Num
		}
	}
}
