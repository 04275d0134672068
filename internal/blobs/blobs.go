// Package blobs stores uploaded and produced files, in a folder shared by all processes or in a
// bucket of an S3-compatible service.
//
// A file appears whole or not at all, and never changes. Put makes the ids.
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

// Errors that callers may test for with errors.Is.
var (
	// ErrNotFound means that no file has that id, or that it was deleted.
	ErrNotFound = errors.New("no such file")

	// ErrTooLarge means that the file exceeds the limit of Put.
	ErrTooLarge = errors.New("file is too large")

	// ErrStorage means a fault of the storage; faults of the reader are returned unchanged.
	ErrStorage = errors.New("storage failed")

	// ErrFull means that there is no room, and ErrAway that a service is unreachable; both are
	// ErrStorage. A retry may succeed later.
	ErrFull = errors.New("no room left")
	ErrAway = errors.New("not to be reached")
)

// Store stores files: a Dir or a Bucket. It is safe for concurrent use, also by several processes
// on the same storage. A context bounds its operation.
type Store interface {
	// Put stores the bytes of r, at most limit, under a new id. After an error no file remains. It
	// returns ErrTooLarge, ErrStorage, or the error of r.
	Put(ctx context.Context, r io.Reader, limit int64) (Info, error)

	// Get opens a file, or returns ErrNotFound. The context also bounds reads of the file.
	Get(ctx context.Context, id string) (*File, error)

	// Delete removes a file; a missing one is not an error.
	Delete(ctx context.Context, id string) error

	// Sweep removes files older than age that keep rejects, and incomplete uploads. It returns the
	// number of removed files.
	Sweep(ctx context.Context, age time.Duration, keep func(id string) (bool, error)) (int, error)

	// Scratch stores the bytes of r, at most limit, in a file on this machine without a name. The
	// file is removed on Close, or when the process ends in any way. Errors are those of Put.
	Scratch(r io.Reader, limit int64) (*File, error)

	// Close releases the resources of Open.
	Close() error
}

const partial = ".part"

// Dir is a Store in a folder: a file is written under a temporary name, synced, and renamed.
// Several processes may use it on a shared file system.
type Dir struct{ root *os.Root }

var _ Store = (*Dir)(nil)

// Open opens the folder at path, and makes it if it is missing.
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

// Info describes a stored file.
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
		return Info{}, fmt.Errorf("blobs: put: %w", disk(err))
	}
	src := &source{Reader: io.LimitReader(r, limit+1)}
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

// sync makes the names in the folder survive a power loss.
func (d *Dir) sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func fill(f *os.File, r io.Reader) (Info, error) {
	out := hashed{f, sha256.New()}
	buf := copies.Get().(*[]byte) //nolint:forcetypeassert // the pool makes no others
	defer copies.Put(buf)
	n, err := io.CopyBuffer(out, r, *buf)
	if err != nil {
		return Info{}, err
	}
	return Info{Size: n, SHA256: hex.EncodeToString(out.sum.Sum(nil))}, f.Sync()
}

// source keeps the error of a reader.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// blame returns the reader's error unchanged, and any other as a storage error.
func (s *source) blame(err error) error {
	if s.err != nil || errors.Is(err, ErrTooLarge) {
		return err
	}
	return disk(err)
}

// disk wraps an error of a folder.
func disk(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w: %w", ErrStorage, ErrFull, err)
	}
	return fmt.Errorf("%w: %w", ErrStorage, err)
}

// Content is the content of a file.
type Content interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// File is a stored file that is open for reading. Close it.
type File struct {
	Content
	Size int64 // bytes
}

// Get implements Store.
func (d *Dir) Get(_ context.Context, id string) (*File, error) {
	if _, err := uuid.Parse(id); err != nil {
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
	if _, err := uuid.Parse(id); err != nil {
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

// ours reports whether Put makes names of this form.
func ours(name string) bool {
	_, err := uuid.Parse(strings.TrimSuffix(name, partial))
	return err == nil
}

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
		if err != nil || time.Since(st.ModTime()) < age || !ours(e.Name()) {
			continue // gone meanwhile, young, or a foreign file
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
