package access_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// desk is two processes on one ledger, with a clock that the test moves.
type desk struct {
	*testing.T
	db          *ledger.DB
	keys, other *access.Store
	now         atomic.Int64 // unix ms
}

// on runs a test on both databases.
func on(t *testing.T, story func(*desk)) { ledgers.Each(t, opened(story)) }

// byTier runs a test on the databases of ledgers.ByTier. It is for tests whose statements other
// tests run on Postgres in `make test`.
func byTier(t *testing.T, story func(*desk)) { ledgers.ByTier(t, opened(story)) }

func opened(story func(*desk)) func(*testing.T, string) {
	return func(t *testing.T, url string) {
		d := &desk{T: t}
		d.now.Store(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC).UnixMilli())
		var err error
		d.db, err = ledger.Open(t.Context(), url, ledger.Options{})
		d.fine(err)
		t.Cleanup(func() { d.fine(d.db.Close()) })
		d.keys = access.New(d.db, access.Options{Now: d.clock})
		d.other = access.New(d.db, access.Options{Now: d.clock})
		story(d)
	}
}

func (d *desk) clock() time.Time { return time.UnixMilli(d.now.Load()) }

func (d *desk) pass(by time.Duration) { d.now.Add(by.Milliseconds()) }

func (d *desk) fine(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// key creates a key of tenant acme.
func (d *desk) key(role access.Role) (*access.Key, string) {
	d.Helper()
	k, secret, err := d.keys.Create(d.Context(), "ann", access.Draft{
		Tenant: "acme", Name: "a key", Role: role,
	})
	d.fine(err)
	return k, secret
}

const home = "192.0.2.1"

// opens checks the error of a secret in a process; nil means that it is accepted.
func (d *desk) opens(in *access.Store, secret string, want error) access.Grant {
	d.Helper()
	g, err := in.Check(d.Context(), secret, home)
	if !errors.Is(err, want) {
		d.Fatalf("Check = %+v, %v, want %v", g, err, want)
	}
	return g
}

func TestAKeyOpensUntilItIsRevoked(t *testing.T) {
	on(t, func(d *desk) {
		if any, err := d.other.Any(d.Context()); err != nil || any {
			d.Fatalf("Any = %v, %v, before there was a key", any, err)
		}
		k, secret := d.key(access.Operator)
		d.pass(time.Second)
		if any, err := d.other.Any(d.Context()); err != nil || !any {
			d.Fatalf("Any = %v, %v, with a key", any, err)
		}
		want := access.Grant{Key: k.ID, Name: "a key", Tenant: "acme", Role: access.Operator}
		for _, s := range []*access.Store{d.keys, d.other} {
			if g := d.opens(s, secret, nil); g != want {
				d.Errorf("grant = %+v, want %+v", g, want)
			}
		}
		d.fine(d.keys.Revoke(d.Context(), "ben", "acme", k.ID))
		d.opens(d.keys, secret, access.ErrRevoked)
		d.pass(time.Second)
		d.opens(d.other, secret, access.ErrRevoked)
		if _, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, 0); !errors.Is(err, access.ErrNotFound) {
			d.Errorf("Rotate of a revoked key: %v", err)
		}
		if any, err := access.New(d.db, access.Options{}).Any(d.Context()); err != nil || !any {
			d.Errorf("Any = %v, %v: with the last key the door fell open", any, err)
		}
	})
}

func TestAKeyExpiresToTheMillisecond(t *testing.T) {
	byTier(t, func(d *desk) {
		_, secret, err := d.keys.Create(d.Context(), "ann", access.Draft{
			Tenant: "acme", Name: "short", Role: access.Viewer, ExpiresAt: d.clock().Add(time.Second / 2),
		})
		d.fine(err)
		d.pass(time.Second/2 - time.Millisecond)
		d.opens(d.keys, secret, nil)
		d.pass(time.Millisecond) // the result of the last check is still cached
		d.opens(d.keys, secret, access.ErrExpired)
		d.opens(d.other, secret, access.ErrExpired)
	})
}

func TestARotationLeavesTheOldSecretAGrace(t *testing.T) {
	byTier(t, func(d *desk) {
		k, first := d.key(access.Viewer)
		second, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, time.Hour)
		d.fine(err)
		d.opens(d.keys, first, nil)
		d.opens(d.keys, second, nil)
		after, err := d.keys.Get(d.Context(), "acme", k.ID)
		d.fine(err)
		if !strings.HasPrefix(second, after.Prefix+"_") || after.Prefix == k.Prefix {
			d.Errorf("prefix %q of secret %q", after.Prefix, second)
		}
		d.pass(time.Hour)
		d.opens(d.keys, first, access.ErrExpired)
		d.opens(d.keys, second, nil)
		third, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, 0)
		d.fine(err)
		d.opens(d.keys, second, access.ErrExpired)
		d.opens(d.keys, third, nil)
		d.pass(31 * 24 * time.Hour)
		_, err = d.keys.Rotate(d.Context(), "ben", "acme", k.ID, 0)
		d.fine(err)
		d.opens(d.keys, first, access.ErrUnknown) // the expired secret is deleted by now
		for _, grace := range []time.Duration{-1, access.MaxGrace + 1} {
			if _, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, grace); !errors.Is(err, access.ErrDraft) {
				d.Errorf("Rotate with a grace of %v: %v", grace, err)
			}
		}
	})
}

func TestASessionEndsWithItsTimeItsKeyAndSignOut(t *testing.T) {
	on(t, func(d *desk) {
		k, secret := d.key(access.Reviewer)
		session := func() string {
			d.Helper()
			text, err := d.keys.SignIn(d.Context(), secret, home, time.Hour)
			d.fine(err)
			return text
		}
		stands := func(text string, want error) {
			d.Helper()
			g, err := d.keys.Session(d.Context(), text, home)
			if !errors.Is(err, want) || err == nil && g.Key != k.ID {
				d.Fatalf("Session = %+v, %v, want %v", g, err, want)
			}
		}
		one, two := session(), session()
		stands(one, nil)
		d.opens(d.keys, one, access.ErrUnknown) // a session is no key
		stands(secret, access.ErrUnknown)       // and a key is no session
		d.fine(d.keys.SignOut(d.Context(), one))
		stands(one, access.ErrUnknown)
		d.fine(d.keys.SignOut(d.Context(), secret))
		d.opens(d.keys, secret, nil)
		stands(two, nil)
		d.pass(time.Hour)
		stands(two, access.ErrExpired)
		three := session()
		d.fine(d.keys.Revoke(d.Context(), "ben", "acme", k.ID))
		stands(three, access.ErrRevoked)
	})
}

// TestASecretTakenBackOpensNoSession: a secret that was rotated or revoked cannot sign in, even in
// a process that has it in its cache.
func TestASecretTakenBackOpensNoSession(t *testing.T) {
	on(t, func(d *desk) {
		signIn := func(secret string, want error) {
			d.Helper()
			d.opens(d.other, secret, nil)
			session, err := d.other.SignIn(d.Context(), secret, home, time.Hour)
			if !errors.Is(err, want) {
				d.Fatalf("SignIn = %q, %v, want %v", session, err, want)
			}
		}
		k, first := d.key(access.Viewer)
		signIn(first, nil)
		second, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, 0)
		d.fine(err)
		signIn(first, access.ErrExpired)
		third, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, time.Minute)
		d.fine(err)
		session, err := d.keys.SignIn(d.Context(), second, home, time.Hour)
		d.fine(err)
		d.pass(time.Minute)
		if _, err := d.keys.Session(d.Context(), session, home); !errors.Is(err, access.ErrExpired) {
			d.Errorf("a session outlives its secret: %v", err)
		}
		signIn(third, nil)
		d.fine(d.keys.Revoke(d.Context(), "ben", "acme", k.ID))
		signIn(third, access.ErrRevoked)
	})
}

// TestAPersonIsAKeyWithoutASecret signs a user in. A revoked user is rejected, even if the issuer still
// issues tokens for the user.
func TestAPersonIsAKeyWithoutASecret(t *testing.T) {
	byTier(t, func(d *desk) {
		ctx := d.Context()
		ann := access.Person{
			Issuer: "https://x.example", Subject: "u1", Name: "ann@x.example", Tenant: "acme", Role: access.Viewer,
		}
		first, err := d.keys.StartSession(ctx, ann, time.Hour)
		d.fine(err)
		stands := func(session string, role access.Role, want error) {
			d.Helper()
			g, err := d.other.Session(ctx, session, home)
			if !errors.Is(err, want) || err == nil && (g.Role != role || g.Actor() != "oidc:ann@x.example") {
				d.Fatalf("Session = %+v, %v, want %s, %v", g, err, role, want)
			}
		}
		stands(first, access.Viewer, nil)
		if any, err := d.other.Any(ctx); err != nil || !any {
			d.Errorf("Any = %v, %v: once somebody signed in, nobody is unknown", any, err)
		}
		list, err := d.keys.List(ctx, "acme", 0, 9)
		if err != nil || len(list) != 1 || list[0].Prefix != "" || list[0].CreatedBy != ann.Issuer {
			d.Fatalf("kept as %+v, %v", list, err)
		}
		if _, err := d.keys.Rotate(ctx, "ben", "acme", list[0].ID, 0); !errors.Is(err, access.ErrNotFound) {
			d.Errorf("Rotate of a person: %v", err)
		}
		ann.Role = access.Operator
		second, err := d.keys.StartSession(ctx, ann, time.Hour)
		d.fine(err)
		d.pass(time.Second)
		stands(first, access.Operator, nil)
		d.fine(d.keys.SignOut(ctx, first))
		d.pass(time.Second)
		stands(first, "", access.ErrUnknown)

		token := func(want error) {
			d.Helper()
			g, err := d.other.Token(ctx, "a.b.c", home, func(context.Context, string) (access.Person, error) {
				return ann, nil
			})
			if !errors.Is(err, want) || err == nil && g.Key != list[0].ID {
				d.Fatalf("Token = %+v, %v, want %v", g, err, want)
			}
		}
		token(nil)
		d.fine(d.keys.Revoke(ctx, "ben", "acme", list[0].ID))
		d.pass(time.Second)
		token(access.ErrRevoked)
		stands(second, "", access.ErrRevoked)
		if _, err := d.other.StartSession(ctx, ann, time.Hour); !errors.Is(err, access.ErrRevoked) {
			d.Errorf("Admit of who was shut out: %v", err)
		}
		ann.Tenant = "globex"
		if _, err := d.keys.StartSession(ctx, ann, time.Hour); err != nil {
			d.Errorf("in another tenant: %v", err)
		}
		for _, bad := range []access.Person{
			{Subject: "u", Tenant: "a b", Role: access.Viewer},
			{Subject: "u", Tenant: "a", Role: "root"},
			{Subject: "u", Tenant: "a", Role: access.Owner},
			{Tenant: "a", Role: access.Viewer},
		} {
			if _, err := d.keys.StartSession(ctx, bad, time.Hour); !errors.Is(err, access.ErrPerson) {
				d.Errorf("Admit(%+v): %v", bad, err)
			}
		}
	})
}

func TestOtherTenantsKeysAreNotThere(t *testing.T) {
	on(t, func(d *desk) {
		k, secret := d.key(access.Admin)
		ctx := d.Context()
		_, err := d.keys.Get(ctx, "globex", k.ID)
		_, err2 := d.keys.Rotate(ctx, "eve", "globex", k.ID, 0)
		for _, err := range []error{err, err2, d.keys.Revoke(ctx, "eve", "globex", k.ID)} {
			if !errors.Is(err, access.ErrNotFound) {
				d.Errorf("another tenant's key: %v", err)
			}
		}
		list, err := d.keys.List(ctx, "globex", 0, 10)
		if err != nil || len(list) > 0 {
			d.Errorf("another tenant sees %v, %v", list, err)
		}
		ids := []string{k.ID, "key_none"}
		if names, err := d.keys.Names(ctx, "globex", ids); err != nil || len(names) > 0 {
			d.Errorf("Names for another tenant = %v, %v", names, err)
		}
		if names, err := d.keys.Names(ctx, "acme", ids); err != nil || !maps.Equal(names, map[string]string{k.ID: k.Name}) {
			d.Errorf("Names = %v, %v, want the one of %q", names, err, k.Name)
		}
		d.opens(d.keys, secret, nil)
		if owner, err := d.keys.Owner(ctx, k.ID); err != nil || owner != "acme" {
			d.Errorf("Owner = %q, %v", owner, err)
		}
		if _, err := d.keys.Owner(ctx, "key_none"); !errors.Is(err, access.ErrNotFound) {
			d.Errorf("Owner of none: %v", err)
		}
	})
}

// TestOwnerKey_AnyTenant_CannotReachIt: a key of the owner belongs to no tenant, and Create creates
// no such key.
func TestOwnerKey_AnyTenant_CannotReachIt(t *testing.T) {
	on(t, func(d *desk) {
		ctx := d.Context()
		if _, _, err := d.keys.Create(ctx, "ann", access.Draft{Tenant: "acme", Name: "x", Role: access.Owner}); !errors.Is(err, access.ErrDraft) {
			d.Errorf("Create made a key of the owner: %v", err)
		}
		for _, bad := range []access.Draft{{Tenant: "acme", Name: "x"}, {Name: ""}} {
			if _, _, err := d.keys.CreateOwner(ctx, "ann", bad); !errors.Is(err, access.ErrDraft) {
				d.Errorf("CreateOwner(%+v): %v", bad, err)
			}
		}
		k, secret, err := d.keys.CreateOwner(ctx, "ann", access.Draft{Name: "ops"})
		d.fine(err)
		g, err := d.keys.Check(ctx, secret, "")
		if d.fine(err); g.Role != access.Owner || g.Tenant != "" || k.Role != access.Owner {
			d.Errorf("the key gives %+v", g)
		}
		for _, tenant := range []string{"acme", "default"} {
			_, err := d.keys.Get(ctx, tenant, k.ID)
			_, err2 := d.keys.Rotate(ctx, "eve", tenant, k.ID, 0)
			list, err3 := d.keys.List(ctx, tenant, 0, 10)
			err4 := d.keys.Revoke(ctx, "eve", tenant, k.ID)
			if d.fine(err3); len(list) > 0 || !errors.Is(err, access.ErrNotFound) || !errors.Is(err2, access.ErrNotFound) || !errors.Is(err4, access.ErrNotFound) {
				d.Errorf("%s reaches it: %v, %v, %v, %v", tenant, list, err, err2, err4)
			}
		}
		of, err := d.keys.Owner(ctx, k.ID)
		d.fine(err)
		d.fine(d.keys.Revoke(ctx, "shell:root", of, k.ID))
		d.opens(d.keys, secret, access.ErrRevoked)
	})
}

func TestEveryChangeIsOnRecord(t *testing.T) {
	on(t, func(d *desk) {
		k, _ := d.key(access.Admin)
		d.pass(time.Minute)
		_, err := d.keys.Rotate(d.Context(), "ben", "acme", k.ID, time.Hour)
		d.fine(err)
		d.fine(d.keys.Revoke(d.Context(), "cid", "acme", k.ID))
		d.fine(d.keys.Revoke(d.Context(), "dan", "acme", k.ID)) // nothing changes
		log, err := audit.New(d.db, nil).List(d.Context(), audit.Key(k.ID), 0, 10)
		d.fine(err)
		var entries []string
		for _, c := range log {
			entries = append(entries, c.Actor+" "+c.Act+" "+c.Detail.Note)
		}
		want := "cid revoke ,ben rotate grace 1h0m0s,ann create admin"
		if got := strings.Join(entries, ","); got != want || log[0].At-log[2].At != 60_000 {
			d.Errorf("audit = %q, want %q", got, want)
		}
	})
}

func TestUseIsNotedOnceAMinute(t *testing.T) {
	byTier(t, func(d *desk) {
		k, secret := d.key(access.Viewer)
		used := func(in *access.Store) int64 {
			d.Helper()
			d.opens(in, secret, nil)
			now, err := d.keys.Get(d.Context(), "acme", k.ID)
			d.fine(err)
			return now.LastUsedAt
		}
		first := used(d.keys)
		if first != d.now.Load() {
			d.Fatalf("last used %d, want %d", first, d.now.Load())
		}
		d.pass(time.Minute - time.Millisecond)
		if at := used(d.other); at != first {
			d.Errorf("noted again after %d ms", at-first)
		}
		d.pass(time.Second)
		if at := used(d.other); at != d.now.Load() {
			d.Errorf("last used %d ms ago", d.now.Load()-at)
		}
	})
}

// TestNoSecretIsStored reads everything that is stored of keys and sessions.
func TestNoSecretIsStored(t *testing.T) {
	on(t, func(d *desk) {
		k, secret := d.key(access.Viewer)
		session, err := d.keys.SignIn(d.Context(), secret, home, time.Hour)
		d.fine(err)
		turned, err := d.keys.Rotate(d.Context(), "ann", "acme", k.ID, 0)
		d.fine(err)
		kept := ""
		for _, text := range []string{
			"SELECT prefix || key_id || digest FROM rollcall.api_secrets",
			"SELECT id || prefix || tenant || name || created_by FROM rollcall.api_keys",
			"SELECT subject || actor || act || target || detail FROM rollcall.audit_log",
		} {
			var rows []string
			d.fine(d.db.Read.Raw(text).Scan(&rows).Error)
			kept += strings.Join(rows, "\n")
		}
		for _, text := range []string{secret, session, turned} {
			if body := text[13:65]; strings.Contains(kept, body) || !strings.Contains(kept, text[:12]) {
				d.Errorf("of %q there is kept: %s", text, kept)
			}
		}
	})
}

func TestDrafts(t *testing.T) {
	byTier(t, func(d *desk) {
		good := access.Draft{Tenant: "acme", Name: "Café 1", Role: access.Viewer}
		for why, change := range map[string]func(*access.Draft){
			"no tenant":          func(f *access.Draft) { f.Tenant = "" },
			"a path as tenant":   func(f *access.Draft) { f.Tenant = "a/b" },
			"no name":            func(f *access.Draft) { f.Name = "" },
			"blanks around":      func(f *access.Draft) { f.Name = " a" },
			"two lines":          func(f *access.Draft) { f.Name = "a\nb" },
			"NUL":                func(f *access.Draft) { f.Name = "a\x00" },
			"no UTF-8":           func(f *access.Draft) { f.Name = "a\xff" },
			"too long":           func(f *access.Draft) { f.Name = strings.Repeat("é", 101) },
			"no role":            func(f *access.Draft) { f.Role = "" },
			"another role":       func(f *access.Draft) { f.Role = "root" },
			"a time that is now": func(f *access.Draft) { f.ExpiresAt = d.clock() },
		} {
			draft := good
			change(&draft)
			if _, _, err := d.keys.Create(d.Context(), "ann", draft); !errors.Is(err, access.ErrDraft) {
				d.Errorf("%s: %v", why, err)
			}
		}
		_, _, err := d.keys.Create(d.Context(), "ann", good)
		d.fine(err)
	})
}

// TestPagesOfKeys lists keys of one tenant and of all, newest first.
func TestPagesOfKeys(t *testing.T) {
	on(t, func(d *desk) {
		one, _ := d.key(access.Viewer)
		two, _ := d.key(access.Viewer)
		_, _, err := d.keys.Create(d.Context(), "ann", access.Draft{
			Tenant: "globex", Name: "theirs", Role: access.Viewer,
		})
		d.fine(err)
		first, err := d.keys.List(d.Context(), "acme", 0, 1)
		d.fine(err)
		next, err := d.keys.List(d.Context(), "acme", first[0].Num, 9)
		d.fine(err)
		if first[0].ID != two.ID || len(next) != 1 || next[0].ID != one.ID {
			d.Errorf("pages: %v, then %v", first, next)
		}
		if all, err := d.keys.All(d.Context(), 0, 9); err != nil || len(all) != 3 {
			d.Errorf("all: %v, %v", all, err)
		}
	})
}
