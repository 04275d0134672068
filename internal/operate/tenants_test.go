package operate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// jane is a text that users have entered.
const jane = "jane.doe@example.org"

// tenantEnv is a service with two tenants. Each tenant has a key and a task of two rows. The first row fails
// and is skipped with a note. The second row waits.
type tenantEnv struct {
	*testing.T
	*fixture.Service
	tenants *operate.Tenants
	tasks   map[string]*tasks.Task
}

func newTenantEnv(t *testing.T, url string) *tenantEnv {
	t.Helper()
	h := &tenantEnv{T: t, Service: fixture.New(t, fixture.Options{Ledger: url}), tasks: map[string]*tasks.Task{}}
	h.tenants = operate.NewTenants(h.DB, h.Files, "shell:root", time.Now)
	for _, tenant := range []string{"acme", "other"} {
		h.furnish(tenant)
	}
	return h
}

func (h *tenantEnv) furnish(tenant string) {
	h.Helper()
	ctx := h.Context()
	_, _, err := access.New(h.DB, access.Options{}).Create(ctx, jane, access.Draft{Tenant: tenant, Name: jane, Role: access.Admin})
	fine(h, err)
	_, err = audit.New(h.DB, time.Now).Begin(ctx, audit.Entry{Subject: audit.Operators(tenant), Actor: jane, Act: "pause"})
	fine(h, err)
	file, err := h.Files.Put(ctx, strings.NewReader(jane), 1000)
	fine(h, err)
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: tenant, Kind: "k", Type: tasks.Import, Status: tasks.Open, Name: jane, CreatedBy: jane,
		Labels: map[string]string{"of": jane}, Source: tasks.Source{FileID: file.ID, FileName: jane},
	}
	fine(h, h.Tasks.Create(ctx, task, time.Hour))
	_, claim, err := h.Tasks.Picker(tasks.Reading, []string{"k"}, 1).Next(ctx, time.Minute)
	fine(h, err)
	row := events.Draft{Key: jane, Params: json.RawMessage(`{"Name":"` + jane + `","Number of the customer":"7"}`)}
	_, err = h.Events.Append(ctx, events.Chunk{
		Num: task.Num, Claim: int64(claim), Rows: []events.Draft{row, row}, Count: true, Final: true,
	})
	fine(h, err)
	fine(h, uploads.New(h.DB, h.Files, uploads.Options{}).Create(ctx, &uploads.Upload{Tenant: tenant, MadeBy: jane, Name: jane, Size: 1}))
	fine(h, mappings.New(h.DB, nil).Remember(ctx, mappings.Mapping{
		Tenant: tenant, Kind: "k", Name: jane, Headings: []string{jane}, Fields: map[string]string{jane: ""}, MadeBy: jane,
	}, task.ID))
	h.end(task, 1)
	id := events.NewID(task.Num, 1)
	e, err := h.Events.Get(ctx, id)
	fine(h, err)
	_, err = decisions.New(h.Events).Decide(ctx, decisions.Review{Num: task.Num, By: jane, ActID: tenant, Act: "skip", Rows: []decisions.Decision{
		{ID: id, Version: e.Version, Resolution: events.Skipped, Note: jane},
	}})
	fine(h, err)
	h.tasks[tenant] = task
}

// end ends a row of a task with the status failed.
func (h *tenantEnv) end(task *tasks.Task, seq int64) {
	h.Helper()
	_, err := h.Events.Record(h.Context(), []events.Move{{
		ID: events.NewID(task.Num, seq), Row: int(seq), From: events.Enqueue, To: events.Failed, Attempt: 1, FinishedAt: 1,
		Failure: &events.Failure{Code: "X", Value: jane, Message: jane},
	}})
	fine(h, err)
}

// holds returns the tables that contain the text jane, with the number of occurrences.
func (h *tenantEnv) holds() map[string]int {
	h.Helper()
	out := map[string]int{}
	for _, table := range []string{
		"tasks", "events", "audit_log", "outbox", "error_groups", "review_rows", "review_acts", "task_labels", "api_keys",
		"uploads", "mappings",
	} {
		var rows []map[string]any
		fine(h, h.DB.Read.WithContext(h.Context()).Table("rollcall."+table).Find(&rows).Error)
		for _, row := range rows {
			out[table] += strings.Count(fmt.Sprint(row), jane)
		}
		if out[table] == 0 {
			delete(out, table)
		}
	}
	return out
}

func TestRemove_TenantWithTasks_LeavesNothingThatPeopleWrote(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		h := newTenantEnv(t, url)
		before := h.holds()
		if len(before) < 6 {
			t.Fatalf("the text is in %v: the test looks for nothing", before)
		}
		if _, err := h.tenants.Remove(t.Context(), "acme", false); !errors.Is(err, operate.ErrUnfinished) {
			t.Fatalf("Remove = %v, want ErrUnfinished", err)
		}
		for range 2 { // the second call finds a task that is being canceled
			begun := (*operate.CancelingError)(nil)
			if _, err := h.tenants.Remove(t.Context(), "acme", true); !errors.As(err, &begun) || begun.Tasks != 1 {
				t.Errorf("Remove = %v, want one task to be canceled", err)
			}
		}
		if got := h.holds(); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("the text was in %v, is in %v", before, got)
		}
		h.end(h.tasks["acme"], 2)
		for _, want := range []int64{1, 0} { // the second call continues after the first
			if n, err := h.tenants.Remove(t.Context(), "acme", false); n != want || err != nil {
				t.Errorf("Remove = %d, %v; want %d", n, err, want)
			}
		}
		for table, n := range h.holds() {
			if n*2 != before[table] {
				t.Errorf("%s holds the text %d times, held it %d times", table, n, before[table])
			}
		}
		if _, err := h.Tasks.Get(t.Context(), "acme", h.tasks["acme"].ID); !errors.Is(err, tasks.ErrExpired) {
			t.Errorf("Get = %v, want ErrExpired", err)
		}
		if f, err := h.Files.Get(t.Context(), h.tasks["acme"].FileID); err == nil {
			t.Error("the file is still there", f.Close())
		}
		list, err := audit.New(h.DB, time.Now).List(t.Context(), audit.Operators("acme"), 0, 10)
		if err != nil || len(list) != 1 || list[0].Act != operate.ActRemove || list[0].Actor != "shell:root" {
			t.Errorf("the audit says %+v, %v", list, err)
		}
		if _, err := h.Events.Get(t.Context(), events.NewID(h.tasks["other"].Num, 1)); err != nil {
			t.Errorf("the row of the other tenant: %v", err)
		}
	})
}

// TestRemove_BreaksOff_GoesOn makes the deletion of a row fail once.
func TestRemove_BreaksOff_GoesOn(t *testing.T) {
	t.Parallel()
	h := newTenantEnv(t, ledgers.SQLite(t))
	h.end(h.tasks["acme"], 2)
	fine(t, h.DB.Write.Exec("CREATE TRIGGER faulty BEFORE DELETE ON rollcall.events BEGIN SELECT RAISE(ABORT, 'broken'); END").Error)
	if _, err := h.tenants.Remove(t.Context(), "acme", false); err == nil {
		t.Fatal("Remove did not break off")
	}
	fine(t, h.DB.Write.Exec("DROP TRIGGER faulty").Error)
	before := h.holds()
	if _, err := h.tenants.Remove(t.Context(), "acme", false); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Events.Get(t.Context(), events.NewID(h.tasks["acme"].Num, 1)); !errors.Is(err, events.ErrNotFound) {
		t.Errorf("the row is still there: %v; before in %v", err, before)
	}
}

// TestRemove_TaskEndsDuringTheLastPage_IsEmptied adds an ended task when the first task has been emptied.
func TestRemove_TaskEndsDuringTheLastPage_IsEmptied(t *testing.T) {
	t.Parallel()
	h := newTenantEnv(t, ledgers.SQLite(t))
	h.end(h.tasks["acme"], 2)
	fine(t, h.DB.Write.Exec(`CREATE TRIGGER late AFTER UPDATE OF sweep ON rollcall.tasks WHEN OLD.sweep > 0 AND NEW.sweep = 0 AND NEW.id <> 'late'
		BEGIN INSERT INTO rollcall.tasks (id, tenant, kind, type, status, name, created_at, finished_at)
			VALUES ('late', NEW.tenant, 'k', 'batch', 'finished', 'late', 1, 1); END`).Error)
	if n, err := h.tenants.Remove(t.Context(), "acme", false); n != 2 || err != nil {
		t.Errorf("Remove = %d, %v; want 2", n, err)
	}
	if _, err := h.Tasks.Get(t.Context(), "acme", "late"); !errors.Is(err, tasks.ErrExpired) {
		t.Errorf("Get = %v, want ErrExpired", err)
	}
}

func TestExport_Tenant_WritesItsRecordsAndFilesWithoutSecrets(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		h := newTenantEnv(t, url)
		fine(t, h.DB.Write.Exec(`INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, created_at) VALUES ('w', 'acme', 'http://x', '', 'hidden', 1)`).Error)
		fine(t, h.DB.Write.Exec(`INSERT INTO rollcall.deliveries (id, notice, tenant, channel, endpoint, next_at, created_at)
			SELECT 'd', min(id), 'acme', 'callback_url', 'http://x', 1, 1 FROM rollcall.outbox WHERE task_num = ?`, h.tasks["acme"].Num).Error)
		var out bytes.Buffer
		files := map[string]string{}
		fine(t, h.tenants.Export(t.Context(), "acme", &out, func(id string, content io.Reader) error {
			text, err := io.ReadAll(content)
			files[id] = string(text)
			return err
		}))
		got := map[string]int{}
		for line := range strings.Lines(out.String()) {
			var record map[string]any
			fine(t, json.Unmarshal([]byte(line), &record))
			got[fmt.Sprint(record["record"])]++
			if params, ok := record["params"]; ok && params != `{"Name":"`+jane+`","Number of the customer":"7"}` {
				t.Errorf("a row has %s", params)
			}
			if strings.Contains(line, "other") || strings.Contains(line, "hidden") {
				t.Errorf("the export has %s", line)
			}
		}
		want := map[string]int{
			"api_keys": 1, "uploads": 1, "mappings": 1, "webhooks": 1, "audit_log": got["audit_log"], "tasks": 1, "events": 2, "review_acts": 1, "review_rows": 1,
			"outbox": 1, "deliveries": 1,
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || got["audit_log"] < 2 {
			t.Errorf("the export has %v, want %v", got, want)
		}
		if id := h.tasks["acme"].FileID; len(files) != 1 || files[id] != jane {
			t.Errorf("the files are %v", files)
		}
	})
}
