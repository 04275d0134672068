package access_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
)

// bearer returns a user of an issuer with a role, whose token was issued at the given time.
func bearer(role access.Role, issued time.Time) access.Person {
	return access.Person{
		Issuer: "https://login.example", Subject: "u-7", Name: "bea@example.com", Tenant: "acme", Role: role, Issued: issued,
	}
}

// token sends a token to a process. The text names the token.
func (d *desk) token(in *access.Store, text string, p access.Person) (access.Grant, error) {
	return in.Token(d.Context(), text, home, func(context.Context, string) (access.Person, error) { return p, nil })
}

// gives checks the role of a token.
func (d *desk) gives(in *access.Store, text string, p access.Person, want access.Role) {
	d.Helper()
	g, err := d.token(in, text, p)
	if err != nil || g.Role != want {
		d.Fatalf("token %s gives %+v, %v, want %s", text, g, err, want)
	}
}

func TestToken_PersonWhoNeverSignedIn_IsListedAndRevoked(t *testing.T) {
	byTier(t, func(d *desk) {
		p := bearer(access.Operator, d.clock())
		d.gives(d.keys, "a", p, access.Operator)
		list, err := d.keys.List(d.Context(), "acme", 0, 10)
		d.fine(err)
		if len(list) != 1 || list[0].ID != p.ID() || list[0].Name != p.Name || list[0].Role != access.Operator ||
			list[0].LastUsedAt == 0 || list[0].Prefix != "" {
			d.Fatalf("listed: %+v", list)
		}
		d.pass(time.Minute)
		d.gives(d.other, "a", p, access.Operator)
		k, err := d.keys.Get(d.Context(), "acme", p.ID())
		d.fine(err)
		if k.LastUsedAt != d.now.Load() {
			d.Errorf("last used at %d, want %d", k.LastUsedAt, d.now.Load())
		}
		d.fine(d.keys.Revoke(d.Context(), "ann", "acme", p.ID()))
		if g, err := d.token(d.keys, "a", p); !errors.Is(err, access.ErrRevoked) || g.Key != p.ID() || g.Role != "" {
			d.Errorf("after the revocation: %+v, %v", g, err)
		}
		d.pass(time.Second)
		p.Issued = d.clock()
		if _, err := d.token(d.other, "b", p); !errors.Is(err, access.ErrRevoked) {
			d.Errorf("a newer token after the revocation: %v", err)
		}
	})
}

func TestToken_OlderThanTheNewest_GivesNoGreaterRole(t *testing.T) {
	byTier(t, func(d *desk) {
		dawn := d.clock()
		d.pass(10 * time.Minute)
		boss, clerk := bearer(access.Admin, dawn), bearer(access.Viewer, dawn.Add(time.Minute))
		d.gives(d.keys, "boss", boss, access.Admin)
		d.gives(d.keys, "clerk", clerk, access.Viewer)
		d.gives(d.keys, "boss", boss, access.Viewer)
		d.pass(time.Second)
		d.gives(d.other, "boss", boss, access.Viewer)
		session, err := d.keys.StartSession(d.Context(), boss, time.Hour)
		d.fine(err)
		if g, err := d.other.Session(d.Context(), session, home); err != nil || g.Role != access.Viewer {
			d.Errorf("a sign-in by the older token gives %+v, %v", g, err)
		}
		lead := bearer(access.Operator, dawn.Add(2*time.Minute))
		d.gives(d.keys, "lead", lead, access.Operator)
		d.pass(time.Second)
		d.gives(d.other, "clerk", clerk, access.Viewer)
		if g, err := d.other.Session(d.Context(), session, home); err != nil || g.Role != access.Operator {
			d.Errorf("after a newer token, the session gives %+v, %v", g, err)
		}
		d.gives(d.keys, "undated", bearer(access.Admin, time.Time{}), access.Operator)
	})
}

func TestToken_ClockOfTheIssuerIsAhead_LaterTokensCount(t *testing.T) {
	byTier(t, func(d *desk) {
		d.gives(d.keys, "early", bearer(access.Viewer, d.clock().Add(time.Hour)), access.Viewer)
		d.pass(time.Minute)
		d.gives(d.keys, "next", bearer(access.Operator, d.clock()), access.Operator)
	})
}

func TestToken_ClockOfTheIssuerIsALittleAhead_OlderTokenGivesNoGreaterRole(t *testing.T) {
	byTier(t, func(d *desk) {
		now := d.clock()
		boss, clerk := bearer(access.Admin, now.Add(30*time.Second)), bearer(access.Viewer, now.Add(40*time.Second))
		d.gives(d.keys, "boss", boss, access.Admin)
		d.pass(10 * time.Second)
		d.gives(d.keys, "clerk", clerk, access.Viewer)
		d.pass(time.Second)
		d.gives(d.keys, "boss", boss, access.Viewer)
		d.gives(d.other, "boss", boss, access.Viewer)
	})
}

func TestToken_ManyAtOnce_RecordThePersonOnce(t *testing.T) {
	on(t, func(d *desk) {
		p := bearer(access.Viewer, d.clock())
		var wg sync.WaitGroup
		for n := range 20 {
			wg.Go(func() {
				in := []*access.Store{d.keys, d.other}[n%2]
				if _, err := d.token(in, string(rune('a'+n)), p); err != nil {
					d.Error(err)
				}
			})
		}
		wg.Wait()
		log, err := audit.New(d.db, d.clock).List(d.Context(), audit.Key(p.ID()), 0, 10)
		d.fine(err)
		if len(log) != 1 || log[0].Act != "create" || log[0].Actor != "oidc:bea@example.com" {
			d.Errorf("on record: %+v", log)
		}
	})
}
