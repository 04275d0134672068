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

// personPrefix is the prefix of the id of each person.
const personPrefix = "usr_"

// Person is a user of an OpenID Connect provider. The store holds a person as an API key without a secret.
// Only the person's sessions and tokens use this key. Revoking the key ends them.
type Person struct {
	Issuer  string // the provider
	Subject string // the provider's permanent id of the user
	Name    string // name for people and audits; Subject replaces a name that is not a line of 1 to 100 characters
	Tenant  string
	Role    Role
	Until   time.Time // expiry of the token; zero if unknown
	Issued  time.Time // issue time of the token; zero if unknown
}

// ID returns the id of a person. It differs from the ids of all API keys.
func (p Person) ID() string { return p.id() }

// id returns the id of a person. It depends only on the provider, the user and the tenant, so it never
// changes.
func (p Person) id() string {
	sum := sha256.Sum256([]byte(p.Issuer + "\x00" + p.Subject + "\x00" + p.Tenant))
	return personPrefix + letters.EncodeToString(sum[:10])
}

// name returns the name that pages and audit logs show: Name, Subject or, if neither is a valid name, the
// id.
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

// check returns an error that wraps ErrPerson and has the reason, unless the person is valid.
func (p Person) check() error {
	if !tenantName(p.Tenant) || p.Subject == "" || !slices.Contains(Roles(), p.Role) {
		return fmt.Errorf("access: %w: tenant %.50q, role %.50q", ErrPerson, p.Tenant, p.Role)
	}
	return nil
}

// Actor returns the holder of the grant for the audit log: the id of an API key, or "oidc:" and the name
// of a person. It returns "" if the request needed no credential.
func (g Grant) Actor() string {
	if g.Personal() {
		return "oidc:" + g.Name
	}
	return g.Key
}

// Personal reports whether the grant belongs to a person.
func (g Grant) Personal() bool { return strings.HasPrefix(g.Key, personPrefix) }

// StartSession starts a session for a user after the sign-in at the provider. The session ends after
// `ttl`, by SignOut, or when the person is revoked.
//
// StartSession updates the person's name and role for all sessions, unless a newer token has set them. It
// returns ErrPerson for an invalid tenant or role, and ErrRevoked for a revoked person.
func (s *Store) StartSession(ctx context.Context, p Person, ttl time.Duration) (session string, err error) {
	if err := p.check(); err != nil {
		return "", err
	}
	now := s.now()
	session = newSecret(sessionTag)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		if err := s.recordPerson(ctx, tx, p, cmp.Or(p.issued(now), now.UnixMilli())); err != nil {
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

// recordPerson records a person, or a change of the person's name or role, from a token. The argument
// `issued` is the issue time of the token, in unix ms. It returns ErrRevoked for a revoked person.
func (s *Store) recordPerson(ctx context.Context, tx ledger.Tx, p Person, issued int64) error {
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
		_, err = tx.Exec(ctx, recordIssuedSQL, ledger.Args{"id": p.id(), "vouched": issued})
	}
	return err
}

// Token returns the rights of a provider's token. The argument `from` is the IP address of the caller,
// and the function `read` validates the token. Token returns ErrUnknown for an invalid token, which
// counts as a guess, and ErrExpired for an expired one. It returns ErrPerson for an invalid tenant or
// role. It also returns the errors of Check and `read`.
//
// Token records the person with the first token. The list of persons and the revocation therefore
// include persons without a session. An older token of a person never gives more rights than the
// person's newest token.
func (s *Store) Token(
	ctx context.Context, token, from string, read func(context.Context, string) (Person, error),
) (Grant, error) {
	return s.checkCached(token, from, true, func(bool) (Grant, error) {
		now := s.now()
		p, err := read(ctx, token)
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return Grant{}, err
		}
		if over(p.grant(), now) != nil {
			return p.grant().withoutRights(), ErrExpired
		}
		g, err := s.recognize(ctx, p)
		if err == nil {
			s.keep(digest(token), seen{g, now})
		}
		return g, err
	})
}
