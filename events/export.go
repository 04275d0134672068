package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/merged.sql
	mergedSQL string
	//go:embed sql/unmergeable.sql
	unmergeableSQL string
)

// Merged holds the properties of the result file of an export. The caller wrote the file under a claim
// of the export.
type Merged struct {
	Num    int64  // of the task
	Claim  int64  // the claim of the export
	FileID string // in the blob store
	Name   string // name for users
	Size   int64  // bytes
	SHA256 string // hex
	Rows   int64  // without headings
}

// Merge ends an export whose file is stored. It writes notices that the file is ready and that the task
// has ended. It returns ErrClaimLost if the caller no longer has the claim, or if the export no longer
// waits for the file, for example after a cancel. The caller must then delete the file.
func (s *Store) Merge(ctx context.Context, m Merged) error {
	return s.endExport(ctx, m.Num, mergedSQL, topicExportReady, ledger.Args{
		"num": m.Num, "claim": m.Claim, "file": m.FileID, "name": m.Name, "size": m.Size,
		"sha256": m.SHA256, "rows": m.Rows,
	})
}

// CannotMerge stores `problem` as JSON and ends the export. It returns ErrClaimLost if the caller
// no longer has the claim, or if the export has ended.
func (s *Store) CannotMerge(ctx context.Context, num, claim int64, problem any) error {
	text, err := json.Marshal(problem)
	if err != nil {
		return fmt.Errorf("events: merge task %d: %w", num, err)
	}
	return s.endExport(ctx, num, unmergeableSQL, "", ledger.Args{
		"num": num, "claim": claim, "problem": string(text),
	})
}

func (s *Store) endExport(ctx context.Context, num int64, text, topic string, args ledger.Args) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, text, args)
		if err == nil && n == 0 {
			err = ErrClaimLost
		}
		if err == nil {
			err = s.Complete(ctx, tx, num)
		}
		if err != nil || topic == "" {
			return err
		}
		return s.notice(ctx, tx, topic, "", num)
	})
	if err != nil {
		return fmt.Errorf("events: merge task %d: %w", num, err)
	}
	return nil
}
