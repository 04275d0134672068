package boot

import (
	"context"
	"fmt"
	"os"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// openFiles opens the file store and the folder of temporary files. In the embedded mode, it first
// locks the data folder.
func (a *app) openFiles(ctx context.Context) error {
	if a.cfg.Embedded() {
		if err := os.MkdirAll(a.cfg.DataDir, 0o700); err != nil {
			return err
		}
		release, err := lockDir(a.cfg.DataDir)
		if err != nil {
			return err
		}
		a.close = append(a.close, release)
	}
	dir, err := a.cfg.BlobDir()
	if err != nil {
		return err
	}
	folder, err := blobs.Open(dir)
	if err != nil {
		return err
	}
	a.scratch, a.files = dir, folder
	a.close = append(a.close, func() error { return a.files.Close() })
	if !a.cfg.InBucket() {
		return nil
	}
	bucket, err := a.cfg.OpenBucket(ctx, folder)
	if err != nil {
		return fmt.Errorf("BLOB_URL: %w", err)
	}
	a.files = bucket
	return nil
}
