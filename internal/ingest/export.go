package ingest

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// AddExport commits a task that NewExport made. A worker then plans the parts of the export.
func (s *Service) AddExport(ctx context.Context, r *Request, t *tasks.Task) (*tasks.Task, error) {
	t, err := s.commit(ctx, r, t)
	if err == nil {
		s.Wake(ctx, exporters.Topic)
	}
	return t, err
}

// NewExport returns the task of an export, which AddExport commits.
func (s *Service) NewExport(r *Request, want jobs.ExportRequest) (*tasks.Task, error) {
	t := s.newTask(r)
	t.Type, t.Unmerged = tasks.Export, true
	b, err := json.Marshal(want)
	if err == nil {
		err = json.Unmarshal(b, &t.Options)
	}
	if r.Options.Days != nil && err == nil {
		t.Options["retention_days"] = *r.Options.Days
	}
	return t, err
}
