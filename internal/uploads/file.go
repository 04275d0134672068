package uploads

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/parts.sql
	partsSQL string
	//go:embed sql/complete.sql
	completeSQL string
	//go:embed sql/drop_parts.sql
	dropPartsSQL string
)

type part struct {
	id, sha256 string
	size       int64
}

// File joins the parts of a complete upload into one file, and sets u.File. If another call has
// joined the parts, before or meanwhile, File uses the file of that call. File returns ErrIncomplete if
// bytes are missing.
func (s *Store) File(ctx context.Context, u *Upload) error {
	if u.File.ID != "" {
		return nil
	}
	if u.Received < u.Size {
		return fmt.Errorf("uploads: file: %d of %d bytes: %w", u.Received, u.Size, ErrIncomplete)
	}
	parts, err := s.parts(ctx, u.ID)
	var info blobs.Info
	if err == nil {
		info, err = s.join(ctx, parts, u.Size)
	}
	switch {
	case err == nil:
		err = s.complete(ctx, u, info, parts)
	case errors.Is(err, blobs.ErrNotFound): // another call may have joined and deleted the parts
		if now, lost := s.Get(ctx, u.Tenant, u.ID); lost == nil && now.File.ID != "" {
			u.File, err = now.File, nil
		}
	}
	if err != nil {
		return fmt.Errorf("uploads: file: %w", err)
	}
	return nil
}

func (s *Store) parts(ctx context.Context, id string) (out []part, err error) {
	err = s.db.Reader().Query(ctx, partsSQL, ledger.Args{"id": id}, func(scan ledger.Scan) error {
		var p part
		err := scan(&p.id, &p.sha256, &p.size)
		out = append(out, p)
		return err
	})
	return out, err
}

// join returns the only part, or writes several parts to one file.
func (s *Store) join(ctx context.Context, parts []part, size int64) (blobs.Info, error) {
	if len(parts) == 1 {
		return blobs.Info{ID: parts[0].id, SHA256: parts[0].sha256, Size: size}, nil
	}
	r := &joined{ctx: ctx, files: s.files, rest: parts}
	info, err := s.files.Put(ctx, r, size)
	return info, errors.Join(err, r.close())
}

// complete records the joined file of an upload in the ledger. If another request has already recorded a
// file, complete uses that file, and deletes the joined one.
func (s *Store) complete(ctx context.Context, u *Upload, info blobs.Info, parts []part) error {
	n, err := s.db.Writer().Exec(ctx, completeSQL, ledger.Args{"id": u.ID, "file": info.ID, "sha256": info.SHA256})
	switch {
	case err != nil:
		return err
	case n == 0:
		if len(parts) != 1 {
			err = s.files.Delete(ctx, info.ID)
		}
		now, lost := s.Get(ctx, u.Tenant, u.ID)
		if err = errors.Join(err, lost); err == nil {
			u.File = now.File
		}
		return err
	}
	u.File = info
	if len(parts) == 1 {
		parts = nil
	}
	for _, p := range parts {
		if err := s.files.Delete(ctx, p.id); err != nil {
			return err
		}
	}
	_, err = s.db.Writer().Exec(ctx, dropPartsSQL, ledger.Args{"id": u.ID})
	return err
}

// joined is a reader of the content of several files, one after another. It opens one file at a time.
type joined struct {
	ctx   context.Context //nolint:containedctx // of the one call that reads it
	files blobs.Store
	rest  []part
	open  *blobs.File
}

// Read reads from the open file, or from the next file.
func (j *joined) Read(p []byte) (int, error) {
	for {
		if j.open == nil {
			if len(j.rest) == 0 {
				return 0, io.EOF
			}
			f, err := j.files.Get(j.ctx, j.rest[0].id)
			if err != nil {
				return 0, err
			}
			j.open, j.rest = f, j.rest[1:]
		}
		n, err := j.open.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := j.close(); err != nil || n > 0 {
			return n, err
		}
	}
}

func (j *joined) close() error {
	if j.open == nil {
		return nil
	}
	f := j.open
	j.open = nil
	return f.Close()
}
