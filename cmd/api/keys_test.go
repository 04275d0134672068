package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// shell runs "api …" on one ledger.
type shell struct {
	t     *testing.T
	store *access.Store
}

func (s shell) api(args ...string) (out, notes string) {
	s.t.Helper()
	var c command
	parser, err := kong.New(&c, kong.Exit(func(int) { s.t.Fatal("kong gave up") }))
	if err != nil {
		s.t.Fatal(err)
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		s.t.Fatal(err)
	}
	var o, n bytes.Buffer
	asked := strings.Fields(parsed.Command())
	if err := c.Keys.run(s.t.Context(), asked[1], office{s.store, &o, &n}); err != nil {
		s.t.Fatal(err)
	}
	return o.String(), n.String()
}

func newShell(t *testing.T) shell {
	t.Helper()
	db, err := ledger.Open(t.Context(), ledgers.SQLite(t), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return shell{t, access.New(db, access.Options{})}
}

func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, notes := s.api("keys", "create", "--name=shop", "--role=reviewer", "--tenant=acme", "--expires=48h")
	secret := strings.TrimSuffix(out, "\n")
	g, err := s.store.Check(t.Context(), secret, "")
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
	if _, err := s.store.Check(t.Context(), secret, ""); !errors.Is(err, access.ErrExpired) {
		t.Errorf("the old secret: %v", err)
	}
	if _, err := s.store.Check(t.Context(), turned, ""); err != nil {
		t.Errorf("the new secret: %v", err)
	}
	s.api("keys", "revoke", g.Key)
	if _, err := s.store.Check(t.Context(), turned, ""); !errors.Is(err, access.ErrRevoked) {
		t.Errorf("after it was revoked: %v", err)
	}
	if out, _ := s.api("keys", "list"); !strings.Contains(out, "revoked") {
		t.Errorf("list: %s", out)
	}
}

func TestKeysAsJSON(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	var made, listed keyLine
	out, _ := s.api("keys", "create", "--name=ops", "--json")
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Secret == "" || made.Role != access.Admin {
		t.Errorf("create: %s, %v", out, err)
	}
	out, _ = s.api("keys", "--json", "list")
	if err := json.Unmarshal([]byte(out), &listed); err != nil || listed.ID != made.ID || listed.Secret != "" {
		t.Errorf("list: %s, %v", out, err)
	}
}

// TestHealthIsAskedFor: as the image's HEALTHCHECK does.
func TestHealthIsAskedFor(t *testing.T) {
	t.Parallel()
	var c command
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err := parser.Parse([]string{"health"}); err != nil || parsed.Command() != "health" {
		t.Errorf("api health: %v", err)
	}
}

// TestNoCommandServes: the plain start goes on to work.
func TestNoCommandServes(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--listen=127.0.0.1:0"}, {"run"}} {
		var c command
		parser, err := kong.New(&c)
		if err != nil {
			t.Fatal(err)
		}
		if parsed, err := parser.Parse(args); err != nil || parsed.Command() != "run" {
			t.Errorf("api %v: %v", args, err)
		}
	}
}
