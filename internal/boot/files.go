package boot

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// openFiles opens the file store, and the folder of temporary files.
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
	dir, err := a.cfg.blobDir()
	if err != nil {
		return err
	}
	folder, err := blobs.Open(dir)
	if err != nil {
		return err
	}
	a.scratch, a.files = dir, folder
	a.close = append(a.close, func() error { return a.files.Close() })
	if !a.cfg.inBucket() {
		return nil
	}
	bucket, err := a.cfg.openBucket(ctx, folder)
	if err != nil {
		return fmt.Errorf("BLOB_URL: %w", err)
	}
	a.files = bucket
	return nil
}

// openBucket opens the bucket of BLOB_URL; temporary files go to scratch.
func (c Config) openBucket(ctx context.Context, scratch *blobs.Dir) (*blobs.Bucket, error) {
	where, err := blobs.ParseAddress(c.BlobURL)
	if err != nil {
		return nil, err
	}
	keys := blobs.Keys{ID: c.S3ID, Secret: c.S3Secret, Session: c.S3Session}
	return blobs.OpenBucket(ctx, where, keys, scratch)
}

// inBucket reports whether an S3-compatible service stores the files.
func (c Config) inBucket() bool { return strings.HasPrefix(c.BlobURL, "s3:") }

// blobDir returns the folder of files; with a bucket, the folder of temporary files.
func (c Config) blobDir() (string, error) {
	switch {
	case c.BlobURL == "":
		return filepath.Join(c.DataDir, "blobs"), nil
	case c.inBucket():
		return filepath.Join(c.DataDir, "scratch"), nil
	}
	u, err := url.Parse(c.BlobURL)
	if err != nil {
		return "", err
	}
	if u.Scheme != "file" || u.Host != "" || u.Path == "" {
		return "", fmt.Errorf("%q is neither a file:///… nor an s3://… address", c.BlobURL)
	}
	return filepath.FromSlash(u.Path), nil
}

// checkBlobs returns the fault of the file storage's settings.
func (c Config) checkBlobs() error {
	if !c.inBucket() {
		_, err := c.blobDir()
		return err
	}
	if _, err := blobs.ParseAddress(c.BlobURL); err != nil {
		return err
	}
	if (c.S3ID == "") != (c.S3Secret == "") {
		return errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together")
	}
	return nil
}
