package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/tasks"
)

// fails runs "api …" and returns the error.
func (s shell) fails(args ...string) error {
	s.t.Helper()
	parsed := parse(s.t, args...)
	parsed.BindTo(s.t.Context(), (*context.Context)(nil))
	err := parsed.Run(s.cfg, settings.Terminal{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
	if err == nil {
		s.t.Fatalf("%q did not fail", args)
	}
	return err
}

func TestTenant_ExportedAndRemoved_LeavesNoKey(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.api("keys", "create", "--name=shop", "--tenant=acme")
	task := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Import, Status: tasks.Open, Name: "spring"}
	if err := tasks.New(s.db, tasks.Options{}).Create(t.Context(), task, time.Hour); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	out, _ := s.api("tenant", "export", "acme", "--files", folder)
	if !strings.Contains(out, `"record":"api_keys"`) || !strings.Contains(out, `"name":"spring"`) {
		t.Errorf("the export is %s", out)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 0 {
		t.Errorf("files: %v, %v", list, err)
	}
	if err := s.fails("tenant", "remove", "acme"); !errors.Is(err, errNotSure) {
		t.Errorf("without --yes: %v", err)
	}
	if err := s.fails("tenant", "remove", "acme", "--yes"); !errors.Is(err, operate.ErrUnfinished) || !strings.Contains(err.Error(), "--cancel") {
		t.Errorf("with a task that is not done: %v", err)
	}
	if err := s.fails("tenant", "remove", "acme", "--yes", "--cancel"); !errors.Is(err, errCanceling) {
		t.Errorf("with --cancel: %v", err)
	}
	if err := s.db.Write.Exec("UPDATE rollcall.tasks SET status = 'canceled', finished_at = 1").Error; err != nil {
		t.Fatal(err)
	}
	if _, notes := s.api("tenant", "remove", "acme", "--yes"); !strings.Contains(notes, "files of 1 tasks were deleted") {
		t.Errorf("notes: %s", notes)
	}
	if out, _ := s.api("keys", "list"); strings.Contains(out, "acme") {
		t.Errorf("keys are left: %s", out)
	}
}

func TestTenant_WeightIsSet_LimitsHaveItAndTheAuditNamesIt(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	for _, weight := range []string{"0", "1001"} {
		if err := s.fails("tenant", "weight", "acme", weight); !errors.Is(err, tasks.ErrLimits) {
			t.Errorf("weight %s: %v", weight, err)
		}
	}
	if _, notes := s.api("tenant", "weight", "acme", "3"); !strings.Contains(notes, "weight 3") {
		t.Errorf("notes: %s", notes)
	}
	if l, err := tasks.New(s.db, tasks.Options{}).Limits(t.Context(), "acme"); err != nil || l.Weight != 3 {
		t.Errorf("limits = %+v, %v", l, err)
	}
	var detail string
	err := s.db.Read.Table("rollcall.audit_log").Where("subject = ? AND act = ?", "ops:acme", "limits").Pluck("detail", &detail).Error
	if err != nil || !strings.Contains(detail, `"weight":3`) {
		t.Errorf("audit: %q, %v", detail, err)
	}
}

// TestAudit_OwnerAndTenant_AreWrittenApart: the audit log of commands on a tenant outlives the
// tenant.
func TestAudit_OwnerAndTenant_AreWrittenApart(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.api("keys", "create", "--name=o", "--role=owner")
	s.api("keys", "create", "--name=shop", "--tenant=acme")
	s.api("tenant", "weight", "acme", "3")
	s.api("tenant", "export", "acme")
	if out, _ := s.api("audit", "--tenant", "acme"); strings.Count(out, "\n") != 3 || !strings.Contains(out, `"act":"create-key"`) {
		t.Errorf("the audit of acme: %s", out)
	}
	s.api("tenant", "remove", "acme", "--yes")
	out, _ := s.api("audit")
	var acts []string
	for line := range strings.Lines(out) {
		var e struct{ Act, By string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasPrefix(e.By, "shell") {
			t.Fatalf("%s: %v", line, err)
		}
		acts = append(acts, e.Act)
	}
	if got := strings.Join(acts, " "); got != "create-key limits export-tenant remove-tenant" {
		t.Errorf("the audit of the owner: %s", got)
	}
}

func TestTenant_HoursAreSet_LimitsHaveThem(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	if err := s.fails("tenant", "hours", "acme", "at night"); !errors.Is(err, tasks.ErrLimits) {
		t.Errorf("hours: %v", err)
	}
	const night = "22:00-06:00 Europe/Berlin"
	for _, want := range []string{night, ""} {
		args := []string{"tenant", "hours", "acme"}
		if want != "" {
			args = append(args, want)
		}
		s.api(args...)
		if l, err := tasks.New(s.db, tasks.Options{}).Limits(t.Context(), "acme"); err != nil || l.Hours != want {
			t.Errorf("limits = %+v, %v; want the hours %q", l, err, want)
		}
	}
}
