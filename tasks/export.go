package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/defer.sql
	deferSQL string
	//go:embed sql/add_part.sql
	addPartSQL string
	//go:embed sql/drop_part_rows.sql
	dropPartRowsSQL string
	//go:embed sql/count_rows.sql
	countRowsSQL string
	//go:embed sql/part_files.sql
	partFilesSQL string
)

// PutOff releases a claim and prevents other claims on the task for the time `d`. It stores the reason
// `why` as the progress text of the task. PutOff continues for up to a second after ctx ends. A lost
// claim is not an error.
func (s *Store) PutOff(ctx context.Context, num int64, claim Claim, d time.Duration, why string) error {
	ctx, cancel := ledger.ReleaseContext(ctx)
	defer cancel()
	return s.exec(ctx, "put off", deferSQL, ledger.Args{
		"num": num, "claim": int64(claim), "until": s.now().Add(d).UnixMilli(), "text": why,
	})
}

// PartRun is one run of the job that writes a part of an export.
type PartRun struct {
	Num, Seq   int64 // of the task; of the job in the task
	Token, Run int64 // the run with the greatest pair is the latest
}

// AddPart records a file with rows of a part of an export, and recounts the written rows of the task.
// The new count leaves out files of earlier runs, except the files in `kept`, which this run continues.
// AddPart returns ErrClaimLost if a later run has added a file; the caller must then delete its own
// file.
func (s *Store) AddPart(ctx context.Context, r PartRun, fileID string, rows int64, kept []string) error {
	args := ledger.Args{
		"num": r.Num, "seq": r.Seq, "token": r.Token, "run": r.Run,
		"file": fileID, "rows": rows, "kept": list(kept),
	}
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		n, err := tx.Exec(ctx, addPartSQL, args)
		if err == nil && n == 0 {
			err = ErrClaimLost
		}
		for _, text := range []string{dropPartRowsSQL, countRowsSQL} {
			if err == nil {
				_, err = tx.Exec(ctx, text, args)
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: add part %d of task %d: %w", r.Seq, r.Num, err)
	}
	return nil
}

// PartFiles returns the files of all parts of a task, from all runs of their jobs.
func (s *Store) PartFiles(ctx context.Context, num int64) ([]ExpiredFile, error) {
	args := ledger.Args{"num": num}
	out, err := ledger.List(ctx, s.db.Reader(), partFilesSQL, args, func(scan ledger.Scan, f *ExpiredFile) error {
		f.What, f.Num = "part", num
		return scan(&f.FileID)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: files of task %d: %w", num, err)
	}
	return out, nil
}
