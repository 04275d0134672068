package dispatch

import (
	"context"
	"errors"
)

// erase deletes files that the deletion of a row left because it broke off. After an error
// of one task it goes on with the next task.
func (k *Keeper) erase(ctx context.Context) error {
	var faults []error
	for after := int64(0); ctx.Err() == nil; {
		nums, err := k.tasks.Erasing(ctx, after, keepChunk)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, num := range nums {
			after = num
			faults = append(faults, k.eraseFiles(ctx, num))
		}
		if len(nums) < keepChunk {
			break
		}
	}
	return errors.Join(faults...)
}

// eraseFiles deletes the files of a task.
func (k *Keeper) eraseFiles(ctx context.Context, num int64) error {
	list, err := k.tasks.Files(ctx, num)
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := k.deleteFile(ctx, f); err != nil {
			return err
		}
	}
	return k.tasks.FilesErased(ctx, num)
}
