package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// shell runs "api …" on one ledger.
type shell struct {
	t   *testing.T
	cfg settings.Config
	db  *ledger.DB
}

// store returns a store with an empty cache. The store of a running process has a cache.
func (s shell) store() *access.Store { return access.New(s.db, access.Options{}) }

func (s shell) api(args ...string) (out, notes string) {
	s.t.Helper()
	parsed := parse(s.t, args...)
	var o, n bytes.Buffer
	parsed.BindTo(s.t.Context(), (*context.Context)(nil))
	if err := parsed.Run(s.cfg, settings.Terminal{Stdout: &o, Stderr: &n}); err != nil {
		s.t.Fatal(err)
	}
	return o.String(), n.String()
}

func parse(t *testing.T, args ...string) *kong.Context {
	t.Helper()
	var c command
	parser, err := program.Parser(&c)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func newShell(t *testing.T) shell {
	t.Helper()
	dir := t.TempDir()
	db, err := ledger.Open(t.Context(), filepath.Join(dir, "rollcall.db"), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return shell{t, settings.Config{DataDir: dir}, db}
}

func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, notes := s.api("keys", "create", "--name=shop", "--role=reviewer", "--tenant=acme", "--expires=48h")
	secret := strings.TrimSuffix(out, "\n")
	g, err := s.store().Check(t.Context(), secret, "")
	if err != nil || g.Tenant != "acme" || g.Role != access.Reviewer || g.Until == 0 {
		t.Fatalf("%q gives %+v, %v", secret, g, err)
	}
	if !strings.HasPrefix(notes, g.Key+": reviewer of tenant acme") || strings.Contains(notes, secret) {
		t.Errorf("notes: %s", notes)
	}
	if out, _ := s.api("keys", "list"); strings.Contains(out, secret) || !strings.Contains(out, g.Key) ||
		!strings.Contains(out, "until "+time.UnixMilli(g.Until).UTC().Format(time.DateOnly)) {
		t.Errorf("list: %s", out)
	}
	out, _ = s.api("keys", "rotate", g.Key, "--grace=0s")
	turned := strings.TrimSuffix(out, "\n")
	if _, err := s.store().Check(t.Context(), secret, ""); !errors.Is(err, access.ErrExpired) {
		t.Errorf("the old secret: %v", err)
	}
	if _, err := s.store().Check(t.Context(), turned, ""); err != nil {
		t.Errorf("the new secret: %v", err)
	}
	s.api("keys", "revoke", g.Key)
	if _, err := s.store().Check(t.Context(), turned, ""); !errors.Is(err, access.ErrRevoked) {
		t.Errorf("after it was revoked: %v", err)
	}
	if out, _ := s.api("keys", "list"); !strings.Contains(out, "revoked") {
		t.Errorf("list: %s", out)
	}
}

func TestOwnerKey_ByCommand_IsMadeAndRevoked(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, notes := s.api("keys", "create", "--name=metrics", "--role=owner")
	secret := strings.TrimSuffix(out, "\n")
	g, err := s.store().Check(t.Context(), secret, "")
	if err != nil || g.Tenant != "" || g.Role != access.Owner || !strings.HasPrefix(notes, g.Key+": owner of the service") {
		t.Fatalf("%+v, %v: %s", g, err, notes)
	}
	parsed := parse(t, "keys", "create", "--name=x", "--role=owner", "--tenant=acme")
	parsed.BindTo(t.Context(), (*context.Context)(nil))
	if err := parsed.Run(s.cfg, settings.Terminal{Stdout: io.Discard, Stderr: io.Discard}); !errors.Is(err, access.ErrDraft) {
		t.Errorf("an owner of a tenant: %v", err)
	}
	s.api("keys", "rotate", g.Key)
	s.api("keys", "revoke", g.Key)
	if _, err := s.store().Check(t.Context(), secret, ""); !errors.Is(err, access.ErrRevoked) {
		t.Errorf("after it was revoked: %v", err)
	}
}

func TestKeysRevoke_WithMade_RevokesTheKeysItMade(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, _ := s.api("keys", "create", "--name=boss")
	boss, err := s.store().Check(t.Context(), strings.TrimSpace(out), "")
	if err != nil {
		t.Fatal(err)
	}
	_, made, err := s.store().Create(t.Context(), boss.Key, access.Draft{
		Tenant: "default", Name: "made", Role: access.Viewer, Maker: boss.Key,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, notes := s.api("keys", "revoke", boss.Key, "--with-made"); !strings.Contains(notes, "2 keys") {
		t.Errorf("notes: %s", notes)
	}
	if _, err := s.store().Check(t.Context(), made, ""); !errors.Is(err, access.ErrRevoked) {
		t.Errorf("the key that it made: %v", err)
	}
}

func TestKeysAsJSON(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	var made, listed struct {
		ID, Secret string
		Role       access.Role
	}
	out, _ := s.api("keys", "create", "--name=ops", "--json")
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Secret == "" || made.Role != access.Admin {
		t.Errorf("create: %s, %v", out, err)
	}
	out, _ = s.api("keys", "--json", "list")
	if err := json.Unmarshal([]byte(out), &listed); err != nil || listed.ID != made.ID || listed.Secret != "" {
		t.Errorf("list: %s, %v", out, err)
	}
}

// TestTheCommand: the image's HEALTHCHECK runs health; the program without a command serves.
func TestTheCommand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		want string
		args []string
	}{{"health", []string{"health"}}, {"run", nil}, {"run", []string{"--listen=127.0.0.1:0"}}, {"run", []string{"run"}}} {
		if got := parse(t, tt.args...).Command(); got != tt.want {
			t.Errorf("api %v runs %s", tt.args, got)
		}
	}
}
