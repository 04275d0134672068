package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

// isToken reports whether a secret is a token of another service. A key has no dots.
func isToken(secret string) bool { return strings.Count(secret, ".") == 2 }

// readToken verifies a token for package access. An invalid one counts as a wrong key.
func (g *Guard) readToken(ctx context.Context, token string) (access.Person, error) {
	user, err := g.SSO.Check(ctx, token)
	switch {
	case errors.Is(err, sso.ErrToken):
		err = fmt.Errorf("%w: %w", access.ErrUnknown, err)
	case errors.Is(err, sso.ErrExpired):
		err = fmt.Errorf("%w: %w", access.ErrExpired, err)
	}
	p := g.Person(user)
	p.Until = user.Until
	return p, err
}

// Person returns a user of the provider as package access stores users.
func (g *Guard) Person(user sso.Person) access.Person {
	return access.Person{
		Issuer: g.SSO.Issuer(), Subject: user.Subject, Name: user.Name,
		Tenant: user.Tenant, Role: access.Role(user.Role), Issued: user.Issued,
	}
}
