package access

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/insert_person.sql
	insertPersonSQL string
	//go:embed sql/update_person.sql
	updatePersonSQL string
)

// personMark begins the id of a person.
const personMark = "usr_"

// Person is somebody for whom another service vouches. Kept, a person is a key
// that has no secret: sessions alone open it, and who revokes it shuts them out.
type Person struct {
	Issuer  string // who vouches
	Subject string // what the issuer calls them, for ever
	Name    string // what people call them, and audits; Subject if it is no line of 1 to 100 characters
	Tenant  string
	Role    Role
	Until   time.Time // of what they came with; zero: not known
	Issued  time.Time // when the issuer made what they came with; zero: not known
}

// ID returns the id of a person, which a key of the same tenant never has.
func (p Person) ID() string { return p.id() }

// id is the same for the same person of the same tenant.
func (p Person) id() string {
	sum := sha256.Sum256([]byte(p.Issuer + "\x00" + p.Subject + "\x00" + p.Tenant))
	return personMark + letters.EncodeToString(sum[:10])
}

// name is what is shown.
func (p Person) name() string {
	for _, one := range []string{p.Name, p.Subject} {
		if named(one) {
			return one
		}
	}
	return p.id()
}

func (p Person) grant() Grant {
	g := Grant{Key: p.id(), Name: p.name(), Tenant: p.Tenant, Role: p.Role}
	if !p.Until.IsZero() {
		g.Until = p.Until.UnixMilli()
	}
	return g
}

// check tells why there can be no such person here; ErrPerson.
func (p Person) check() error {
	if !tenantName(p.Tenant) || p.Subject == "" || !slices.Contains(Roles(), p.Role) {
		return fmt.Errorf("access: %w: tenant %.50q, role %.50q", ErrPerson, p.Tenant, p.Role)
	}
	return nil
}

// Actor is who does what a grant allows, for audits: the id of a key, the name
// of a person behind "oidc:", or "" if no credential was asked for.
func (g Grant) Actor() string {
	if g.Personal() {
		return "oidc:" + g.Name
	}
	return g.Key
}

// Personal tells whether a person has the grant, not a key.
func (g Grant) Personal() bool { return strings.HasPrefix(g.Key, personMark) }

// Admit opens a session for a person who has just signed in elsewhere. It ends
// after ttl, with SignOut, and when the person is revoked. Their name and role are from then
// on those, in their other sessions too, unless a newer token has said otherwise. ErrPerson if
// their tenant or role cannot be, ErrRevoked if they are shut out.
func (s *Store) Admit(ctx context.Context, p Person, ttl time.Duration) (session string, err error) {
	if err := p.check(); err != nil {
		return "", err
	}
	now := s.now()
	session = newSecret(sessionMark)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if err := s.enter(ctx, tx, p, cmp.Or(p.issued(now), now.UnixMilli())); err != nil {
			return err
		}
		if err := s.addSecret(ctx, tx, p.id(), session, now.Add(ttl).UnixMilli()); err != nil {
			return err
		}
		return sweep(ctx, tx, now)
	})
	s.forget(p.id())
	if err != nil {
		return "", fmt.Errorf("access: admit %s: %w", p.id(), err)
	}
	s.any.Store(true)
	return session, nil
}

// enter records a person and what has changed about them, by what was issued at a time.
func (s *Store) enter(ctx context.Context, tx ledger.Tx, p Person, issued int64) error {
	args := ledger.Args{
		"id": p.id(), "tenant": p.Tenant, "name": p.name(), "role": string(p.Role),
		"issuer": p.Issuer, "now": s.now().UnixMilli(), "vouched": issued,
	}
	for _, step := range []struct{ sql, act string }{
		{insertPersonSQL, "create"}, {updatePersonSQL, "change"},
	} {
		n, err := tx.Exec(ctx, step.sql, args)
		if err == nil && n > 0 {
			err = s.note(ctx, tx, change{p.Tenant, p.id(), p.grant().Actor(), step.act, string(p.Role)})
		}
		if err != nil {
			return err
		}
	}
	err := s.hold(ctx, tx, p.id())
	if err == nil {
		_, err = tx.Exec(ctx, vouchSQL, ledger.Args{"id": p.id(), "vouched": issued})
	}
	return err
}

// Token returns what a token of another service gives to a caller from an address. read
// judges the token. It returns ErrUnknown for a token that is not good, which counts as a
// guess, and ErrExpired for one whose time is over. Token records the person at the first
// token, so a person who never signs in is listed and revoked like others. A token that is
// older than the newest one of its person gives no greater role. Other errors are those of
// Check and of read, and ErrPerson if the tenant or role cannot be.
func (s *Store) Token(
	ctx context.Context, token, from string, read func(context.Context, string) (Person, error),
) (Grant, error) {
	return s.remember(token, from, true, func(bool) (Grant, error) {
		now := s.now()
		p, err := read(ctx, token)
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return Grant{}, err
		}
		if over(p.grant(), now) != nil {
			return p.grant().bare(), ErrExpired
		}
		g, err := s.recognize(ctx, p)
		if err == nil {
			s.keep(digest(token), seen{g, now})
		}
		return g, err
	})
}
