package ingest

import (
	"context"

	"github.com/rollcall-dev/rollcall/importers/drafts"

	"github.com/rollcall-dev/rollcall/tasks"
)

// RowsName is the file name of rows sent without a file.
const RowsName = "rows.jsonl"

// Open commits a task whose rows are added later.
func (s *Service) Open(ctx context.Context, r *Request) (*tasks.Task, error) {
	if err := r.Options.CheckNoRows(); err != nil {
		return nil, err
	}
	t := s.newTask(r)
	t.Type, t.Columns = tasks.Batch, drafts.JSONColumns(r.Kind)
	if t.Name == RowsName {
		t.Name = ""
	}
	return s.commit(ctx, r, t)
}
