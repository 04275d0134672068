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
	// partBytes is the size of a part: what a process that dies may lose.
	partBytes = 8 << 20
	// storeTimeout bounds the record of a part.
	storeTimeout = 10 * time.Second
)

// Append stores the bytes of r from a position on, part by part, and returns the position behind
// the last one that was stored. If r fails, what arrived before is stored and the error of r is
// returned. Bytes behind the size of the upload are blobs.ErrTooLarge.
func (s *Store) Append(ctx context.Context, u *Upload, at int64, r io.Reader) (int64, error) {
	if at != u.Received {
		return u.Received, fmt.Errorf("uploads: append at %d: %w", at, ErrOffset)
	}
	ctx = context.WithoutCancel(ctx) // the connection breaks, the bytes stay
	in := &arrived{r: r}
	from := bufio.NewReaderSize(in, 64<<10)
	for u.Received < u.Size {
		if _, err := from.Peek(1); err != nil {
			return u.Received, in.failed
		}
		if err := s.addPart(ctx, u, io.LimitReader(from, min(partBytes, u.Size-u.Received))); err != nil {
			return u.Received, fmt.Errorf("uploads: append: %w", err)
		}
	}
	if _, err := from.Peek(1); err == nil {
		return u.Received, fmt.Errorf("uploads: append: %w", blobs.ErrTooLarge)
	}
	return u.Received, in.failed
}

// arrived ends where its reader fails, and remembers why.
type arrived struct {
	r      io.Reader
	failed error
}

// Read reads what arrives.
func (a *arrived) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		a.failed, err = err, io.EOF
	}
	return n, err
}

// addPart stores the next part. It advances the upload and records the part in one transaction,
// so that another request for the same position changes nothing.
func (s *Store) addPart(ctx context.Context, u *Upload, r io.Reader) error {
	info, err := s.files.Put(ctx, r, partBytes)
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
