package rows

import (
	"context"
	"errors"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Sweep deletes the files, rows and records that remain of a deleted task.
func (s *Service) Sweep(ctx context.Context, left tasks.Remains) error {
	files, err := s.Tasks.Files(ctx, left.Num)
	if err == nil {
		err = s.EraseFiles(ctx, files)
	}
	return errors.Join(err, s.Tasks.Sweep(ctx, left, s.Events.Erase))
}

// EraseFiles deletes files, and records each successful deletion in the ledger.
func (s *Service) EraseFiles(ctx context.Context, files []tasks.ExpiredFile) (err error) {
	for _, f := range files {
		gone := s.Files.Delete(ctx, f.FileID)
		if gone == nil || errors.Is(gone, blobs.ErrNotFound) {
			gone = s.Tasks.MarkFileDeleted(ctx, f)
		}
		err = errors.Join(err, gone)
	}
	return err
}
