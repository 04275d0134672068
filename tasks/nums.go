package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"iter"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/num.sql
	numSQL string
	//go:embed sql/nums.sql
	numsSQL string
)

// numsPage is the maximum number of numbers that Nums reads at once.
const numsPage = 500

// Num returns the number of a task of any tenant. It returns ErrNotFound if there is no such task,
// or if it was purged.
func (s *Store) Num(ctx context.Context, id string) (int64, error) {
	list, err := s.nums(ctx, numSQL, ledger.Args{"id": id})
	if err == nil && len(list) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("tasks: number of %q: %w", id, err)
	}
	return list[0], nil
}

// Nums iterates over the numbers of all tasks that are not purged, of every tenant, oldest first.
func (s *Store) Nums(ctx context.Context) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		for after := int64(0); ; {
			page, err := s.nums(ctx, numsSQL, ledger.Args{"after": after, "most": numsPage})
			if err != nil {
				yield(0, fmt.Errorf("tasks: numbers: %w", err))
				return
			}
			for _, num := range page {
				if !yield(num, nil) {
					return
				}
			}
			if len(page) < numsPage {
				return
			}
			after = page[len(page)-1]
		}
	}
}

func (s *Store) nums(ctx context.Context, text string, args ledger.Args) ([]int64, error) {
	return ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, num *int64) error {
		return scan(num)
	})
}
