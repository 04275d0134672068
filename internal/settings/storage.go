package settings

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// OpenBucket opens the bucket of BLOB_URL, with `scratch` as the folder for temporary files.
func (c Config) OpenBucket(ctx context.Context, scratch *blobs.Dir) (*blobs.Bucket, error) {
	where, err := blobs.ParseAddress(c.BlobURL)
	if err != nil {
		return nil, err
	}
	keys := blobs.Keys{ID: c.S3ID, Secret: c.S3Secret, Session: c.S3Session}
	return blobs.OpenBucket(ctx, where, keys, scratch)
}

// InBucket reports whether an S3-compatible service stores the files.
func (c Config) InBucket() bool { return strings.HasPrefix(c.BlobURL, "s3:") }

// BlobDir returns the folder of the stored files. If a bucket stores the files, it returns the folder of
// temporary files.
func (c Config) BlobDir() (string, error) {
	switch {
	case c.BlobURL == "":
		return filepath.Join(c.DataDir, "blobs"), nil
	case c.InBucket():
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

// CheckBlobs returns the first fault in the settings of the file storage.
func (c Config) CheckBlobs() error {
	if !c.InBucket() {
		_, err := c.BlobDir()
		return err
	}
	if _, err := blobs.ParseAddress(c.BlobURL); err != nil {
		return err
	}
	if (c.S3ID == "") != (c.S3Secret == "") {
		return errors.New("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both, or neither")
	}
	return nil
}

// OpenStore opens the file store. The service may be using the store at the same time.
func (c Config) OpenStore(ctx context.Context) (blobs.Store, error) {
	dir, err := c.BlobDir()
	if err != nil {
		return nil, err
	}
	folder, err := blobs.Open(dir)
	if err != nil || !c.InBucket() {
		return folder, err
	}
	return c.OpenBucket(ctx, folder)
}
