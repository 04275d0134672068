// Package blobs stores uploaded files, and files that the service writes. They are in a folder that all
// processes share, or in a bucket of an S3-compatible service.
//
// A file is readable only once it is complete, and it never changes. Put makes the ids of files.
package blobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// These are the errors of this package. Callers test for them with errors.Is.
var (
	// ErrNotFound means that no file has this id, that the file was deleted, or that the bucket
	// does not exist.
	ErrNotFound = errors.New("no such file")

	// ErrTooLarge means that the file exceeds the limit of Put or Scratch.
	ErrTooLarge = errors.New("file is too large")

	// ErrStorage means that the storage failed. An error of the reader passed to Put does not wrap
	// ErrStorage.
	ErrStorage = errors.New("storage failed")

	// ErrFull means that the storage has no room. ErrAway means that the service is unreachable or
	// overloaded. Errors that wrap one of them also wrap ErrStorage. A later retry may succeed.
	ErrFull = errors.New("no space left")
	ErrAway = errors.New("storage service unreachable")
)

// Store is a store of files. Dir and Bucket implement it. A Store is safe for concurrent use, also by
// several processes with the same storage. Bucket ends its requests when the context of the call ends.
// Bucket.Put first reads up to 8 MiB of the file without a check of the context. Dir checks the context
// only before Put and between the files of Sweep.
type Store interface {
	// Put stores the bytes of `r`, at most `limit`, under a new id. It returns ErrTooLarge for more bytes,
	// ErrStorage if the storage failed, or the error of `r` or `ctx`. After an error, parts of the file or,
	// rarely, all of it may remain until Sweep deletes them.
	Put(ctx context.Context, r io.Reader, limit int64) (Info, error)

	// Get opens a file, or returns ErrNotFound. For a Bucket, the context also bounds reads from the
	// file.
	Get(ctx context.Context, id string) (*File, error)

	// Delete deletes a file. A missing file is not an error. Delete returns ErrNotFound for an id that Put
	// cannot have made.
	Delete(ctx context.Context, id string) error

	// Sweep deletes files that are older than `age` and for whose id `keep` returns false. It also deletes
	// incomplete uploads of that age. It returns the number of deleted files and uploads.
	Sweep(ctx context.Context, age time.Duration, keep func(id string) (bool, error)) (int, error)

	// Scratch stores the bytes of `r`, at most `limit`, in an unnamed file on this machine. The file is
	// deleted when the returned File is closed, or when the process ends, even if it crashes. Scratch
	// returns the same errors as Put.
	Scratch(r io.Reader, limit int64) (*File, error)

	// Close releases the resources of the store.
	Close() error
}

const partial = ".part"

// Dir is a Store in a folder. It writes a file under a temporary name, syncs it, and then renames it.
// Several processes may use the folder on a shared file system.
type Dir struct{ root *os.Root }

var _ Store = (*Dir)(nil)

// Open opens the folder at `path`, and creates it if it is missing.
func Open(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	return &Dir{root}, nil
}

// Close implements Store.
func (d *Dir) Close() error { return d.root.Close() }

// Info holds the properties of a stored file.
type Info struct {
	ID     string
	Size   int64  // bytes
	SHA256 string // hex
}

// Put implements Store.
func (d *Dir) Put(ctx context.Context, r io.Reader, limit int64) (Info, error) {
	if err := ctx.Err(); err != nil {
		return Info{}, fmt.Errorf("blobs: put: %w", err)
	}
	id := uuid.Must(uuid.NewV7()).String()
	f, err := d.root.OpenFile(id+partial, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return Info{}, fmt.Errorf("blobs: put: %w", wrapDisk(err))
	}
	src := &trackedReader{Reader: io.LimitReader(r, limit+1)}
	info, err := fill(f, src)
	err = errors.Join(err, f.Close())
	if err == nil && info.Size > limit {
		err = ErrTooLarge
	} else if err == nil {
		err = errors.Join(d.root.Rename(id+partial, id), d.sync())
	}
	if err != nil {
		err = errors.Join(src.blame(err), ignoreMissing(d.root.Remove(id+partial)))
		return Info{}, fmt.Errorf("blobs: put: %w", err)
	}
	info.ID = id
	return info, nil
}

// sync writes renames in the folder to disk, so that they survive a power loss.
func (d *Dir) sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func fill(f *os.File, r io.Reader) (Info, error) {
	out := hashingWriter{f, sha256.New()}
	buf := copyBuffers.Get().(*[]byte) //nolint:forcetypeassert // the pool makes no others
	defer copyBuffers.Put(buf)
	n, err := io.CopyBuffer(out, r, *buf)
	if err != nil {
		return Info{}, err
	}
	return Info{Size: n, SHA256: hex.EncodeToString(out.sum.Sum(nil))}, f.Sync()
}

// trackedReader is a reader that stores the error of the inner reader, except io.EOF.
type trackedReader struct {
	io.Reader
	err error
}

func (s *trackedReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// blame returns `err` unchanged if the reader failed or the file is too large. Otherwise, it wraps
// `err` as an error of the storage.
func (s *trackedReader) blame(err error) error {
	if s.err != nil || errors.Is(err, ErrTooLarge) {
		return err
	}
	return wrapDisk(err)
}

// wrapDisk wraps an error of the file system with ErrStorage and, if the disk is full, with ErrFull.
func wrapDisk(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w: %w", ErrStorage, ErrFull, err)
	}
	return fmt.Errorf("%w: %w", ErrStorage, err)
}

// Content is the content of a file, for reading.
type Content interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// File is a stored file that is open for reading. The caller must close it.
type File struct {
	Content
	Size int64 // bytes
}

// Get implements Store.
func (d *Dir) Get(_ context.Context, id string) (*File, error) {
	if !isID(id) {
		return nil, fmt.Errorf("blobs: get %q: %w", id, ErrNotFound)
	}
	f, err := d.root.Open(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("blobs: get %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("blobs: get %s: %w", id, err)
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("blobs: get %s: %w", id, err), f.Close())
	}
	return &File{f, st.Size()}, nil
}

// Delete implements Store.
func (d *Dir) Delete(_ context.Context, id string) error {
	if !isID(id) {
		return fmt.Errorf("blobs: delete %q: %w", id, ErrNotFound)
	}
	if err := ignoreMissing(d.root.Remove(id)); err != nil {
		return fmt.Errorf("blobs: delete %s: %w", id, err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isID reports whether a text has the form of the ids that Put makes: a UUID in 36 lower-case characters.
func isID(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text
}

// isStoreName reports whether a file name is an id of Put, or an id with the ending of an incomplete file.
// Sweep keeps all other files.
func isStoreName(name string) bool { return isID(strings.TrimSuffix(name, partial)) }

// Sweep implements Store.
func (d *Dir) Sweep(
	ctx context.Context, age time.Duration, keep func(id string) (bool, error),
) (int, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return 0, fmt.Errorf("blobs: sweep: %w", err)
	}
	n := 0
	for _, e := range entries {
		if ctx.Err() != nil {
			return n, fmt.Errorf("blobs: sweep: %w", ctx.Err())
		}
		st, err := e.Info()
		if err != nil || time.Since(st.ModTime()) < age || !isStoreName(e.Name()) {
			continue // deleted meanwhile, newer than age, or not a file of the store
		}
		wanted, err := false, error(nil)
		if !strings.HasSuffix(e.Name(), partial) {
			wanted, err = keep(e.Name())
		}
		if err != nil {
			return n, fmt.Errorf("blobs: sweep: %w", err)
		}
		if !wanted && d.root.Remove(e.Name()) == nil {
			n++
		}
	}
	return n, nil
}
