package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/due_files.sql
	dueFilesSQL string
	//go:embed sql/file_gone.sql
	fileGoneSQL string
	//go:embed sql/forget_file.sql
	forgetFileSQL string
	//go:embed sql/result_gone.sql
	resultGoneSQL string
	//go:embed sql/purge.sql
	purgeSQL string
	//go:embed sql/acquire_role.sql
	acquireRoleSQL string
)

// These are the roles of processes. Each role belongs to at most one process at a time.
const (
	Retention = "retention"
	Sweeping  = "sweeper"
)

// AcquireRole gives a role to a process for `ttl`, or extends the role of that process to `ttl`
// from now. It returns false while another process has the role.
func (s *Store) AcquireRole(ctx context.Context, role, process string, ttl time.Duration) (bool, error) {
	now := s.now()
	n, err := s.db.Writer().Exec(ctx, acquireRoleSQL, ledger.Args{
		"role": role, "process": process, "now": now.UnixMilli(), "until": now.Add(ttl).UnixMilli(),
	})
	if err != nil {
		return false, fmt.Errorf("tasks: role %s: %w", role, err)
	}
	return n == 1, nil
}

// ExpiredFile is a file of a task that has to be deleted.
type ExpiredFile struct {
	What   string // upload, result or part
	Num    int64  // of its task
	FileID string
}

// ExpiredFiles returns uploads, results and parts of results that have to be deleted. Their tasks have
// been done for longer than `keep`, or are due to be purged. ExpiredFiles also returns the parts of
// complete results. It returns at most `most` files, the oldest first, without the first `skip`.
func (s *Store) ExpiredFiles(ctx context.Context, keep time.Duration, most, skip int) ([]ExpiredFile, error) {
	now := s.now()
	out, err := ledger.List(ctx, s.db.Reader(), dueFilesSQL, ledger.Args{
		"now": now.UnixMilli(), "before": now.Add(-keep).UnixMilli(), "most": most, "skip": skip,
	}, func(scan ledger.Scan, f *ExpiredFile) error {
		return scan(&f.What, &f.Num, &f.FileID)
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: old files: %w", err)
	}
	return out, nil
}

// MarkFileDeleted records that a file was deleted.
func (s *Store) MarkFileDeleted(ctx context.Context, f ExpiredFile) error {
	text := map[string]string{"result": resultGoneSQL, "part": forgetFileSQL}[f.What]
	return s.exec(ctx, "file gone", cmp.Or(text, fileGoneSQL), ledger.Args{
		"num": f.Num, "file": f.FileID, "now": s.now().UnixMilli(),
	})
}

// Purge deletes the texts of tasks whose retention is over and whose files are deleted. It skips a task
// that another task waits for. It purges at most `most` tasks, and returns their number. Get then
// returns ErrExpired for purged tasks, and lists omit them. Sweep deletes their other records, and
// package internal/partitions deletes their rows.
func (s *Store) Purge(ctx context.Context, most int) (purged int64, err error) {
	args := ledger.Args{"now": s.now().UnixMilli(), "most": most}
	if purged, err = s.db.Writer().Exec(ctx, purgeSQL, args); err != nil {
		return 0, fmt.Errorf("tasks: purge: %w", err)
	}
	return purged, nil
}

// ByFile returns the tenant's task whose upload or result is the given file. It returns ErrNotFound if
// the tenant has no such task, and ErrExpired if the file was deleted.
func (s *Store) ByFile(ctx context.Context, tenant, fileID string) (*Task, error) {
	if fileID == "" {
		return nil, fmt.Errorf("tasks: by file: %w", ErrNotFound)
	}
	t, err := s.find(ctx, "file_id = ? AND file_id <> '' AND tenant = ?", fileID, tenant)
	if errors.Is(err, ErrNotFound) {
		t, err = s.find(ctx, "result_id = ? AND result_id <> '' AND tenant = ?", fileID, tenant)
	}
	if err == nil && (t.FileID == fileID && t.FilePurgedAt > 0 || t.ResultID == fileID && t.ResultPurgedAt > 0) {
		err = ErrExpired
	}
	if err != nil {
		return nil, fmt.Errorf("tasks: by file %q: %w", fileID, err)
	}
	return t, nil
}
