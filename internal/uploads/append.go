package uploads

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/advance.sql
	advanceSQL string
	//go:embed sql/add_part.sql
	addPartSQL string
)

const (
	// partBytes is the size of a part, in bytes. The last part of a request may be smaller, or larger by
	// less than MinPart. If a process dies, at most one part is lost.
	partBytes = 8 << 20
	// MinPart is the least size of a part that does not end the file. It bounds the number of
	// parts.
	MinPart = 64 << 10
	// storeTimeout is the longest time of the transaction that records a stored part.
	storeTimeout = 10 * time.Second
)

// Append stores the bytes of r, part by part. The argument `at` is the position of the first byte.
// Append returns the position after the last stored byte. If r fails, Append returns the error of
// r. It stores the bytes read before, unless they are fewer than MinPart. Append returns ErrOffset
// if `at` is not where the stored bytes end, or if the upload has expired. It returns
// ErrPartTooSmall for fewer than MinPart bytes that do not end the file. It returns
// blobs.ErrTooLarge if r has more bytes than the upload.
func (s *Store) Append(ctx context.Context, u *Upload, at int64, r io.Reader) (int64, error) {
	if at != u.Received {
		return u.Received, fmt.Errorf("uploads: append at %d: %w", at, ErrOffset)
	}
	ctx = context.WithoutCancel(ctx) // the bytes are stored even if the connection breaks
	in := &arrived{r: r}
	from := bufio.NewReaderSize(in, MinPart)
	for u.Received < u.Size {
		rest := u.Size - u.Received
		if head, err := from.Peek(int(min(MinPart, rest))); err != nil {
			if in.failed == nil && len(head) > 0 {
				return u.Received, fmt.Errorf("uploads: append: %w", ErrPartTooSmall)
			}
			return u.Received, in.failed
		}
		next := io.MultiReader(io.LimitReader(from, partBytes), &tail{from: from})
		if err := s.addPart(ctx, u, io.LimitReader(next, rest)); err != nil {
			return u.Received, fmt.Errorf("uploads: append: %w", err)
		}
	}
	if _, err := from.Peek(1); err == nil {
		return u.Received, fmt.Errorf("uploads: append: %w", blobs.ErrTooLarge)
	}
	return u.Received, in.failed
}

// arrived is a reader that ends when the underlying reader fails. It stores the error.
type arrived struct {
	r      io.Reader
	failed error
}

// Read reads from the underlying reader. It stores an error of the reader and returns io.EOF instead.
func (a *arrived) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.failed, err = err, io.EOF
	}
	return n, err
}

// tail is a reader of the last bytes of another reader. If at least MinPart bytes are left, it reads no
// bytes: the rest then becomes a part of its own.
type tail struct {
	from *bufio.Reader
	rest io.Reader // nil until the first read
}

// Read implements io.Reader.
func (t *tail) Read(p []byte) (int, error) {
	if t.rest == nil {
		rest, err := t.from.Peek(MinPart)
		if err == nil {
			rest = nil
		}
		t.rest = io.LimitReader(t.from, int64(len(rest)))
	}
	return t.rest.Read(p)
}

// addPart stores the next part. It advances the upload and records the part in one transaction. If
// another request has stored a part at the same position, or if the upload has expired, addPart returns
// ErrOffset.
func (s *Store) addPart(ctx context.Context, u *Upload, r io.Reader) error {
	info, err := s.files.Put(ctx, r, partBytes+MinPart)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	args := ledger.Args{
		"id": u.ID, "at": u.Received, "bytes": info.Size, "file": info.ID, "sha256": info.SHA256, "now": s.opt.Now().UnixMilli(),
	}
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, advanceSQL, args)
		if err == nil && n == 0 {
			err = ErrOffset
		}
		if err == nil {
			_, err = tx.Exec(ctx, addPartSQL, args)
		}
		return err
	})
	if err != nil {
		return errors.Join(err, s.files.Delete(ctx, info.ID))
	}
	u.Received += info.Size
	return nil
}
