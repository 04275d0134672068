package web_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

const exportPath = "/api/v1/audit/export"

// acts returns the acts of an export as JSON lines, oldest first.
func (r reply) acts() (list []string) {
	r.t.Helper()
	r.is(http.StatusOK)
	for line := range strings.Lines(r.body) {
		var e struct{ Act, By string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.t.Fatalf("%q: %v", line, err)
		}
		list = append(list, e.Act)
	}
	return list
}

func TestAuditExport_WhatAdministratorsMustSee_IsInIt(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	_, secret := l.member("acme", access.Admin)
	l.tenant = "acme"
	admin := l.as(secret)
	l.arrives(i, ann, "/")
	l.arrives(i, ann.with(claims{"roles": "boss"}), "/")
	made := admin.postTo(keysPath, `{"name":"x","role":"viewer"}`).object()["id"].(string)
	admin.postTo(keysPath+"/"+made+"/rotate", "{}").is(http.StatusOK)
	admin.call(http.MethodDelete, keysPath+"/"+made, "").is(http.StatusNoContent)
	admin.linkTo(admin.uploaded(rows(1)))
	want := []string{
		"create-key", "create-person", "change-person", "create-key", "rotate-key", "revoke-key", "create-link", "export-audit",
	}
	if got := admin.look(exportPath).acts(); !slices.Equal(got, want) {
		t.Errorf("exported %v, want %v", got, want)
	}
	if got := admin.look(exportPath).acts(); len(got) != len(want)+1 {
		t.Errorf("the second export has %v", got)
	}
	_, operator := l.member("acme", access.Operator)
	l.as(operator).look(exportPath).refuses(http.StatusForbidden, "SCOPE_MISSING")
	_, other := l.member("globex", access.Admin)
	if got := l.as(other).look(exportPath).acts(); !slices.Equal(got, []string{"create-key", "export-audit"}) {
		t.Errorf("another tenant reads %v", got)
	}
}

func TestAuditExport_AsCSV_DefusesFormulas(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("acme", access.Admin)
	l.tenant = "acme"
	list := make([]audit.Entry, 1200)
	for i := range list {
		list[i] = audit.Entry{Subject: audit.Operators("acme"), At: dawn.UnixMilli(), Actor: "=cmd()", Act: "pause", Touched: audit.InProgress}
	}
	fine(t, l.db.InTx(t.Context(), func(tx ledger.Tx) error { return audit.Write(t.Context(), tx, list...) }))
	r := l.as(secret).look(exportPath + "?format=csv&at_gte=2026-03-04T05:06:07Z&at_lt=2026-03-04T05:06:08Z")
	r.is(http.StatusOK)
	r.has("Content-Type", "text/csv; charset=utf-8", "Content-Disposition", `attachment; filename="audit.csv"`)
	lines, err := csv.NewReader(strings.NewReader(r.body)).ReadAll()
	fine(t, err)
	if len(lines) != 1+1200+2 || lines[2][1] != "'=cmd()" || lines[2][4] != "" {
		t.Errorf("%d lines, the third is %q", len(lines), lines[2])
	}
	if got := l.as(secret).look(exportPath + "?at_lt=2026-03-04T05:06:07Z").acts(); len(got) != 0 {
		t.Errorf("before all acts there are %v", got)
	}
	for _, bad := range []string{"?format=xlsx", "?at_gte=yesterday", "?at_lt=x"} {
		l.as(secret).look(exportPath+bad).refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	}
}
