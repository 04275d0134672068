package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

// isToken reports whether a secret is a token of a sign-in provider. Such a token has two dots; an API
// key has none.
func isToken(secret string) bool { return strings.Count(secret, ".") == 2 }

// readToken verifies a token of the sign-in provider, and returns its user. The error wraps
// access.ErrUnknown for an invalid token, and access.ErrExpired for an expired one.
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

// Person converts a user of the sign-in provider into a user of package access.
func (g *Guard) Person(user sso.Person) access.Person {
	return access.Person{
		Issuer: g.SSO.Issuer(), Subject: user.Subject, Name: user.Name,
		Tenant: user.Tenant, Role: access.Role(user.Role), Issued: user.Issued,
	}
}
