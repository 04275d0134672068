package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/erasing.sql
	erasingSQL string
	//go:embed sql/erasing_nums.sql
	erasingNumsSQL string
	//go:embed sql/files_erased.sql
	filesErasedSQL string
)

// EraseFilesIn records in a transaction that the files of the task with number `num` have to be
// deleted. After the commit, the caller deletes the files and calls FilesErased. If the caller
// crashes before that, the process with the role Retention deletes the files that Erasing reports.
func (s *Store) EraseFilesIn(ctx context.Context, tx ledger.Tx, num int64) error {
	_, err := tx.Exec(ctx, erasingSQL, ledger.Args{"name": erasing(num), "num": num})
	return err
}

// Erasing returns the numbers of tasks whose files have to be deleted, in ascending order. It omits
// numbers up to `after`. It returns at most `most` numbers.
func (s *Store) Erasing(ctx context.Context, after int64, most int) ([]int64, error) {
	args := ledger.Args{"after": after, "most": most}
	out, err := ledger.List(ctx, s.db.Reader(), erasingNumsSQL, args, func(scan ledger.Scan, num *int64) error {
		return scan(num)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: files to be deleted: %w", err)
	}
	return out, nil
}

// FilesErased records that all files of the task with number `num` were deleted.
func (s *Store) FilesErased(ctx context.Context, num int64) error {
	return s.exec(ctx, "files erased", filesErasedSQL, ledger.Args{"name": erasing(num)})
}

// erasing returns the name of the entry about a task in the table rollcall.ledger.
func erasing(num int64) string { return fmt.Sprint("erasing:", num) }
