package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// ofTenant selects the exported records of a tenant that belong to no task, except its audit log.
var ofTenant = []ledger.Selection{
	{Table: "limits", By: "tenant", Where: "tenant = ?"},
	{Table: "api_keys", By: "num", Where: "tenant = ?"},
	{Table: "schedules", By: "num", Where: "tenant = ?"},
	{Table: "uploads", By: "id", Where: "tenant = ?"},
	{Table: "mappings", By: "id", Where: "tenant = ?"},
	{Table: "webhooks", By: "num", Where: "tenant = ?"},
}

// Export writes the records of a tenant as one JSON object per line. The member "record" names the table,
// and the other members are the columns. Export leaves out, among others, secrets, error groups and stored
// responses. It calls the function `file` for each stored file of the tasks. If `file` is nil, it leaves
// files out. Export may run while tasks run: each page of records has its own snapshot.
func (x *Tenants) Export(
	ctx context.Context, tenant string, out io.Writer, file func(id string, content io.Reader) error,
) error {
	w := &recordWriter{db: x.db, out: json.NewEncoder(out)}
	for _, s := range ofTenant {
		s.Args = []any{tenant}
		w.writeAll(ctx, s, nil)
	}
	w.writeAll(ctx, entries(audit.Operators(tenant)), nil)
	err := w.err
	if err == nil {
		err = x.each(ctx, tenant, func(t *tenantTask) error { return x.exportTask(ctx, w, t, file) })
	}
	if err != nil {
		return fmt.Errorf("operate: export tenant: %w", err)
	}
	return nil
}

// entries selects the audit log of a subject.
func entries(subject string) ledger.Selection {
	return ledger.Selection{Table: "audit_log", By: "num", Where: "subject = ?", Args: []any{subject}}
}

// exportTask writes a task with its rows, its records and its files.
func (x *Tenants) exportTask(
	ctx context.Context, w *recordWriter, t *tenantTask, file func(id string, content io.Reader) error,
) error {
	w.writeAll(ctx, ledger.Selection{Table: "tasks", By: "num", Where: "num = ?", Args: []any{t.num}}, nil)
	if t.purged || w.err != nil {
		return w.err
	}
	w.names = func() (string, error) { return x.events.ParamNames(ctx, t.num) }
	rows := []any{int64(events.NewID(t.num, 0)), int64(events.NewID(t.num+1, 0))}
	w.writeAll(ctx, ledger.Selection{Table: "events", By: "id", Where: "id > ? AND id < ?", Args: rows}, nil)
	w.writeAll(ctx, entries(audit.Task(t.num)), nil)
	acts := ledger.Selection{Table: "review_acts", By: "num", Where: "task_num = ?", Args: []any{t.num}}
	w.writeAll(ctx, acts, func(act any) {
		w.writeAll(ctx, ledger.Selection{Table: "review_rows", By: "event_id", Where: "act = ?", Args: []any{act}}, nil)
	})
	notices := ledger.Selection{Table: "outbox", By: "id", Where: "task_num = ?", Args: []any{t.num}}
	w.writeAll(ctx, notices, func(notice any) {
		w.writeAll(ctx, ledger.Selection{Table: "deliveries", By: "num", Where: "notice = ?", Args: []any{notice}}, nil)
	})
	if w.err != nil || file == nil {
		return w.err
	}
	files, err := x.tasks.Files(ctx, t.num)
	for i := 0; i < len(files) && err == nil; i++ {
		err = x.exportFile(ctx, &files[i], file)
	}
	return err
}

func (x *Tenants) exportFile(
	ctx context.Context, f *tasks.ExpiredFile, file func(id string, content io.Reader) error,
) error {
	content, err := x.files.Get(ctx, f.FileID)
	if err != nil {
		return err
	}
	defer content.Close()
	return file(f.FileID, content)
}

// recordWriter is a writer of records of tables. After an error it stops writing.
type recordWriter struct {
	db    *ledger.DB
	out   *json.Encoder
	names func() (string, error) // returns the stored parameter names of the task whose rows are written
	err   error
}

// writeAll writes the records of a selection page by page. If the function `seen` is not nil, writeAll
// calls it for each record with the value of the column Selection.By.
func (w *recordWriter) writeAll(ctx context.Context, s ledger.Selection, seen func(by any)) {
	s.Limit = chunkSize
	for more := true; more && w.err == nil; {
		var page []map[string]any
		page, w.err = w.db.Records(ctx, s)
		names := w.namesFor(s.Table)
		for _, record := range page {
			w.write(s.Table, names, record)
			if s.After = record[s.By]; seen != nil {
				seen(s.After)
			}
		}
		more = len(page) == chunkSize
	}
}

// namesFor returns the parameter names of a page of rows; "" for other tables. writeAll calls it after it has
// read the page: a task gets its names with its first rows, which may be added during the read.
func (w *recordWriter) namesFor(table string) (names string) {
	if table == "events" && w.err == nil {
		names, w.err = w.names()
	}
	return names
}

// write writes one record. It removes the secret that signs webhook deliveries, and writes the
// params of rows in their original form.
func (w *recordWriter) write(table, names string, record map[string]any) {
	delete(record, "secret")
	delete(record, "param_names")
	if params, ok := record["params"].(string); ok && table == "events" {
		record["params"] = events.ParamsOf(names, params)
	}
	record["record"] = table
	if w.err == nil {
		w.err = w.out.Encode(record)
	}
}
