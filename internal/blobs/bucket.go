package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// partBytes is the size of a part of an upload, in bytes. An upload has at most 10,000 parts.
const partBytes = 8 << 20

// maxTries is the maximum number of times that a request is sent to the service.
const maxTries = 4

// Keys holds the credentials for a bucket. If ID is empty, the credentials of the machine are used,
// such as a role of EC2 or EKS.
type Keys struct{ ID, Secret, Session string }

// Bucket is a Store in a bucket of an S3-compatible service. A file is visible only when its upload is
// complete. OpenBucket makes a Bucket.
type Bucket struct {
	core    minio.Core
	name    string
	prefix  string // "" or with a trailing slash
	scratch *Dir
}

var _ Store = (*Bucket)(nil)

// OpenBucket opens the bucket at an address. It returns ErrNotFound if the bucket does not exist.
// Temporary files are in the local folder `scratch`, which Bucket.Close closes. If `scratch` is
// nil, the caller must not call Bucket.Scratch.
func OpenBucket(ctx context.Context, a Address, keys Keys, scratch *Dir) (*Bucket, error) {
	creds := credentials.NewStaticV4(keys.ID, keys.Secret, keys.Session)
	if keys.ID == "" {
		creds = credentials.NewIAM("")
	}
	core, err := minio.NewCore(a.host, &minio.Options{
		Creds: creds, Secure: a.secure, Region: a.Region, Transport: transport(), MaxRetries: maxTries,
	})
	if err != nil {
		return nil, fmt.Errorf("blobs: bucket %s: %w", a.Bucket, err)
	}
	b := &Bucket{*core, a.Bucket, a.Prefix, scratch}
	there, err := core.BucketExists(ctx, a.Bucket)
	if err == nil && !there {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("blobs: bucket %s: %w", a.Bucket, wrapFault(err))
	}
	return b, nil
}

// Close implements Store.
func (b *Bucket) Close() error {
	if b.scratch == nil {
		return nil
	}
	return b.scratch.Close()
}

// Scratch implements Store.
func (b *Bucket) Scratch(r io.Reader, limit int64) (*File, error) { return b.scratch.Scratch(r, limit) }

func (b *Bucket) key(id string) string { return b.prefix + id }

// Put implements Store.
func (b *Bucket) Put(ctx context.Context, r io.Reader, limit int64) (Info, error) {
	info := Info{ID: uuid.Must(uuid.NewV7()).String()}
	src := &trackedReader{Reader: &cappedReader{r, limit}}
	sum := sha256.New()
	n, err := b.send(ctx, b.key(info.ID), io.TeeReader(&broken{src}, sum))
	switch {
	case src.err != nil: // takes precedence over the error of the upload
		return Info{}, fmt.Errorf("blobs: put: %w", src.err)
	case err != nil:
		return Info{}, fmt.Errorf("blobs: put: %w", wrapFault(err))
	}
	info.Size, info.SHA256 = n, hex.EncodeToString(sum.Sum(nil))
	return info, nil
}

// send uploads all bytes of `r`. It uses one request for fewer than partBytes bytes, and otherwise an
// upload in parts. The file is visible after the last part.
func (b *Bucket) send(ctx context.Context, key string, r io.Reader) (int64, error) {
	var first bytes.Buffer
	n, err := io.CopyN(&first, r, partBytes)
	opt := minio.PutObjectOptions{PartSize: partBytes, ContentType: "application/octet-stream"}
	if err == io.EOF {
		up, err := b.core.Client.PutObject(ctx, b.name, key, bytes.NewReader(first.Bytes()), n, opt)
		return up.Size, err
	}
	if err != nil {
		return 0, err
	}
	up, err := b.core.Client.PutObject(ctx, b.name, key, io.MultiReader(&first, r), -1, opt)
	return up.Size, err
}

// Get implements Store.
func (b *Bucket) Get(ctx context.Context, id string) (*File, error) {
	if !isID(id) {
		return nil, fmt.Errorf("blobs: get %q: %w", id, ErrNotFound)
	}
	st, err := b.core.StatObject(ctx, b.name, b.key(id), minio.StatObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("blobs: get %s: %w", id, wrapFault(err))
	}
	part := func(from, to int64) (io.ReadCloser, error) { return b.readRange(ctx, id, from, to) }
	return &File{&object{part: part, size: st.Size}, st.Size}, nil
}

// readRange reads the bytes of a file from one position to another, both included.
func (b *Bucket) readRange(ctx context.Context, id string, from, to int64) (io.ReadCloser, error) {
	var opt minio.GetObjectOptions
	if err := opt.SetRange(from, to); err != nil {
		return nil, err
	}
	r, _, _, err := b.core.GetObject(ctx, b.name, b.key(id), opt)
	if err != nil {
		return nil, fmt.Errorf("blobs: get %s: %w", id, wrapFault(err))
	}
	return r, nil
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, id string) error {
	if !isID(id) {
		return fmt.Errorf("blobs: delete %q: %w", id, ErrNotFound)
	}
	err := wrapFault(b.core.RemoveObject(ctx, b.name, b.key(id), minio.RemoveObjectOptions{}))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("blobs: delete %s: %w", id, err)
	}
	return nil
}

// Sweep implements Store. The age of a file is measured from the time that the S3 service has recorded.
func (b *Bucket) Sweep(
	ctx context.Context, age time.Duration, keep func(id string) (bool, error),
) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the lists
	old := func(at time.Time) bool { return time.Since(at) >= age }
	for o := range b.core.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix, Recursive: true}) {
		id := strings.TrimPrefix(o.Key, b.prefix)
		wanted := true
		if err = o.Err; err == nil && old(o.LastModified) && isStoreName(id) {
			wanted, err = keep(id)
		}
		if err == nil && !wanted {
			if err = b.Delete(ctx, id); err == nil {
				n++
			}
		}
		if err != nil {
			return n, fmt.Errorf("blobs: sweep: %w", wrapFault(err))
		}
	}
	for up := range b.core.ListIncompleteUploads(ctx, b.name, b.prefix, true) {
		if err = up.Err; err == nil && old(up.Initiated) && isStoreName(strings.TrimPrefix(up.Key, b.prefix)) {
			if err = b.core.RemoveIncompleteUpload(ctx, b.name, up.Key); err == nil {
				n++
			}
		}
		if err != nil {
			return n, fmt.Errorf("blobs: sweep: %w", wrapFault(err))
		}
	}
	return n, ctx.Err()
}

// fullCodes lists the error codes with which a service reports that it has no room.
var fullCodes = []string{"XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded", "InsufficientStorage"}

// wrapFault wraps an error of the S3 service with ErrNotFound or ErrStorage. It also wraps the error with
// ErrFull if the service has no room, and with ErrAway if the service is unreachable or overloaded.
func wrapFault(err error) error {
	if err == nil || errors.Is(err, ErrStorage) || errors.Is(err, ErrNotFound) {
		return err
	}
	response := minio.ToErrorResponse(err)
	switch {
	case response.Code == minio.NoSuchKey || response.Code == minio.NoSuchBucket:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case response.StatusCode == http.StatusInsufficientStorage || slices.Contains(fullCodes, response.Code):
		return fmt.Errorf("%w: %w: %w", ErrStorage, ErrFull, err)
	case response.StatusCode == 0 || response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%w: %w: %w", ErrStorage, ErrAway, err)
	}
	return fmt.Errorf("%w: %w", ErrStorage, err) // usually a lack of rights
}
