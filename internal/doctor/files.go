package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// leastFree is the free space, in bytes, below which doctor warns.
const leastFree = 1 << 30

// files checks the storage of files: it stores, reads and deletes a file. If the files are in a bucket, it
// also checks the folder of temporary files. It does not create a missing folder, because the folder would
// then belong to the user of this command.
func (d *checkup) files(ctx context.Context) {
	dir, err := d.cfg.BlobDir()
	if err != nil || d.cfg.CheckBlobs() != nil {
		return // the check of the settings reports it
	}
	if d.cfg.InBucket() {
		d.bucket(ctx)
	}
	check, advice := "files", "set BLOB_URL to a folder that the user of the program can write to"
	if d.cfg.InBucket() {
		check, advice = "temporary files", "set DATA_DIR to a folder that the user of the program can write to"
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		d.reportMissing(check, dir)
		return
	}
	if err := tryFolder(ctx, dir); err != nil {
		d.report(check, stateFail, advice, "%v", err)
		return
	}
	d.report(check, stateOK, "", "%s stores and returns a file", dir)
	d.modes(dir)
	if free, ok := freeBytes(dir); ok {
		d.report("room for files", unless(free >= leastFree, stateWarn),
			"free disk space: an upload needs at most twice its size", "%d MB free", free>>20)
	}
}

// reportMissing reports a missing folder of files. Outside the embedded mode and without a bucket, it
// warns, because several processes may share the folder. If the shared disk is not mounted, each process
// creates a folder of its own, and does not find the files of the others.
func (d *checkup) reportMissing(check, dir string) {
	own := d.cfg.Embedded() || d.cfg.InBucket()
	next := "the first start creates it"
	if !own {
		next = "each process would create a folder of its own"
	}
	d.report(check, unless(own, stateWarn), "mount or create the folder that all processes share, before the first start",
		"no folder %s yet: %s", dir, next)
}

func tryFolder(ctx context.Context, dir string) error {
	files, err := blobs.Open(dir)
	if err != nil {
		return err
	}
	defer files.Close()
	return tryStore(ctx, files)
}

// bucket checks that the bucket stores and returns a file.
func (d *checkup) bucket(ctx context.Context) {
	if err := d.tryBucket(ctx); err != nil {
		d.report("bucket", stateFail, bucketAdvice(err), "%v", err)
		return
	}
	where, _, _ := strings.Cut(d.cfg.BlobURL, "?")
	d.report("bucket", stateOK, "", "%s stores and returns a file", where)
}

func (d *checkup) tryBucket(ctx context.Context) error {
	files, err := d.cfg.OpenBucket(ctx, nil)
	if err != nil {
		return err
	}
	return tryStore(ctx, files)
}

// bucketAdvice returns the next step for an error of the bucket.
func bucketAdvice(err error) string {
	switch {
	case errors.Is(err, blobs.ErrNotFound):
		return "create the bucket, or set BLOB_URL to an existing bucket"
	case errors.Is(err, blobs.ErrFull):
		return "free space, or raise the quota of the bucket: until then, uploads are rejected"
	case errors.Is(err, blobs.ErrAway):
		return "start the storage service, and check endpoint in BLOB_URL: http or https, host, port"
	}
	return "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, region in BLOB_URL, and this machine's clock; " +
		"the keys need s3:GetObject, PutObject, DeleteObject below the prefix, and ListBucket of the bucket"
}

func tryStore(ctx context.Context, files blobs.Store) error {
	const text = "doctor"
	info, err := files.Put(ctx, strings.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	return errors.Join(givesBack(ctx, files, info.ID, text), files.Delete(ctx, info.ID))
}

func givesBack(ctx context.Context, files blobs.Store, id, text string) error {
	f, err := files.Get(ctx, id)
	if err != nil {
		return err
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || string(got) != text {
		return fmt.Errorf("stored a file of %d bytes and read back %d bytes: %w", len(text), len(got), errors.Join(err, blobs.ErrStorage))
	}
	return nil
}
