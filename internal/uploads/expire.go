package uploads

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/expired.sql
	expiredSQL string
	//go:embed sql/delete.sql
	deleteSQL string
	//go:embed sql/taken.sql
	takenSQL string
)

// Delete deletes an upload of a tenant, with its bytes unless a task has them.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	u, err := s.Get(ctx, tenant, id)
	if err != nil {
		return err
	}
	return s.remove(ctx, u.ID, u.File.ID)
}

// Expire deletes up to most uploads whose time is over, and returns how many.
func (s *Store) Expire(ctx context.Context, most int) (int, error) {
	var list [][2]string
	args := ledger.Args{"now": s.opt.Now().UnixMilli(), "most": most}
	err := s.db.Reader().Query(ctx, expiredSQL, args, func(scan ledger.Scan) error {
		var u [2]string
		err := scan(&u[0], &u[1])
		list = append(list, u)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("uploads: expire: %w", err)
	}
	done := 0
	for _, u := range list { // one that cannot be deleted keeps no other
		if failed := s.remove(ctx, u[0], u[1]); failed != nil {
			err = errors.Join(err, fmt.Errorf("uploads: expire %s: %w", u[0], failed))
		} else {
			done++
		}
	}
	return done, err
}

// remove deletes the bytes and then the record, so that a crash in between loses no file.
func (s *Store) remove(ctx context.Context, id, file string) error {
	parts, err := s.parts(ctx, id)
	if err != nil {
		return err
	}
	taken := int64(0)
	if file != "" {
		parts = append(parts, part{id: file})
		if _, err := ledger.Row(ctx, s.db.Reader(), takenSQL, ledger.Args{"file": file}, &taken); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if p.id == file && taken > 0 {
			continue
		}
		if err := s.files.Delete(ctx, p.id); err != nil && !errors.Is(err, blobs.ErrNotFound) {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx ledger.Tx) error {
		_, err := tx.Exec(ctx, dropPartsSQL, ledger.Args{"id": id})
		if err == nil {
			_, err = tx.Exec(ctx, deleteSQL, ledger.Args{"id": id})
		}
		return err
	})
}
