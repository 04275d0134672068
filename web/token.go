package web

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

// isToken tells a token of another service from a key, which has no dots.
func isToken(secret string) bool { return strings.Count(secret, ".") == 2 }

// readToken judges a token for access: one that is not good is a guess.
func (s *Server) readToken(ctx context.Context, token string) (access.Person, error) {
	someone, err := s.opt.SSO.Check(ctx, token)
	switch {
	case errors.Is(err, sso.ErrToken):
		err = fmt.Errorf("%w: %w", access.ErrUnknown, err)
	case errors.Is(err, sso.ErrExpired):
		err = fmt.Errorf("%w: %w", access.ErrExpired, err)
	}
	p := s.vouched(someone)
	p.Until = someone.Until
	return p, err
}

// vouched is a person as access knows them.
func (s *Server) vouched(p sso.Person) access.Person {
	return access.Person{
		Issuer: s.opt.SSO.Issuer(), Subject: p.Subject, Name: p.Name,
		Tenant: p.Tenant, Role: access.Role(p.Role), Issued: p.Issued,
	}
}
