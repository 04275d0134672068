package retention

import (
	"context"
	"errors"
)

// erase deletes files left by an aborted deletion of a row. After an error it continues with the
// next task.
func (c *Cleaner) erase(ctx context.Context) error {
	var faults []error
	for after := int64(0); ctx.Err() == nil; {
		nums, err := c.tasks.Erasing(ctx, after, chunk)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, num := range nums {
			after = num
			faults = append(faults, c.eraseFiles(ctx, num))
		}
		if len(nums) < chunk {
			break
		}
	}
	return errors.Join(faults...)
}

// eraseFiles deletes the files of a task, and records that all of them were deleted.
func (c *Cleaner) eraseFiles(ctx context.Context, num int64) error {
	list, err := c.tasks.Files(ctx, num)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := c.deleteFile(ctx, f); err != nil {
			return err
		}
	}
	return c.tasks.FilesErased(ctx, num)
}
