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
	//go:embed sql/claim.sql
	claimSQL string
	//go:embed sql/file.sql
	fileSQL string
	//go:embed sql/delete.sql
	deleteSQL string
	//go:embed sql/erase.sql
	eraseSQL string
)

// Delete deletes an upload of a tenant, with its bytes unless a task has them. It returns
// ErrNotFound for an unknown or expired upload.
func (s *Store) Delete(ctx context.Context, tenant, id string) error {
	u, err := s.Get(ctx, tenant, id)
	if err != nil {
		return err
	}
	return s.remove(ctx, u.ID)
}

// EraseIn ends the uploads of a task and deletes their texts, in the transaction that deletes the task.
func (s *Store) EraseIn(ctx context.Context, tx ledger.Tx, tenant, task string) error {
	if _, err := tx.Exec(ctx, eraseSQL, ledger.Args{"tenant": tenant, "task": task}); err != nil {
		return fmt.Errorf("uploads: erase: %w", err)
	}
	return nil
}

// Expire deletes up to `limit` expired uploads, and returns their number.
func (s *Store) Expire(ctx context.Context, limit int) (int, error) {
	var list []string
	args := ledger.Args{"now": s.opt.Now().UnixMilli(), "most": limit}
	err := s.db.Reader().Query(ctx, expiredSQL, args, func(scan ledger.Scan) error {
		var id string
		err := scan(&id)
		list = append(list, id)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("uploads: expire: %w", err)
	}
	done := 0
	for _, id := range list { // an upload whose deletion fails does not stop the others
		if failed := s.remove(ctx, id); failed != nil {
			err = errors.Join(err, fmt.Errorf("uploads: expire %s: %w", id, failed))
		} else {
			done++
		}
	}
	return done, err
}

// remove claims an upload, deletes its bytes and then its record. If the process dies meanwhile,
// the upload counts as expired, and Expire deletes it. A task that was created before the claim
// keeps the file.
func (s *Store) remove(ctx context.Context, id string) error {
	claimed, err := s.db.Writer().Exec(ctx, claimSQL, ledger.Args{"id": id})
	if err != nil {
		return err
	}
	if err := s.deleteBytes(ctx, id, claimed > 0); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx ledger.Tx) error {
		_, err := tx.Exec(ctx, dropPartsSQL, ledger.Args{"id": id})
		if err == nil {
			_, err = tx.Exec(ctx, deleteSQL, ledger.Args{"id": id})
		}
		return err
	})
}

// deleteBytes deletes the parts of an upload and, if `whole` is true, its file.
func (s *Store) deleteBytes(ctx context.Context, id string, whole bool) error {
	file := ""
	if _, err := ledger.Row(ctx, s.db.Writer(), fileSQL, ledger.Args{"id": id}, &file); err != nil {
		return err
	}
	parts, err := s.parts(ctx, id)
	if err != nil {
		return err
	}
	if file != "" {
		parts = append(parts, part{id: file}) // a single part is the file itself
	}
	for _, p := range parts {
		if p.id == file && !whole {
			continue
		}
		if err := s.files.Delete(ctx, p.id); err != nil && !errors.Is(err, blobs.ErrNotFound) {
			return err
		}
	}
	return nil
}
