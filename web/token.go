package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

var (
	errBadToken = refuse(http.StatusUnauthorized, "TOKEN_INVALID",
		"This token is not one of the service where people sign in, not for this service, or does not count yet.")
	errOldToken = refuse(http.StatusUnauthorized, "TOKEN_EXPIRED",
		"The time of this token is over. Get another where you sign in.")
	errNoTenant = refuse(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is good, but tells no tenant. Who runs the service where you sign in can mend that.")
	errNoRole = refuse(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is good, but gives no role that is known here. Who runs the service where you sign in can mend that.")
	errNoSignIn = later("SIGN_IN_UNAVAILABLE",
		"The service where people sign in cannot be asked now, so this token cannot be judged. Try again in a few seconds.")
)

// isToken tells a token of another service from a key, which has no dots.
func isToken(secret string) bool { return strings.Count(secret, ".") == 2 }

// tokenProblem is the problem of a token; nil if err is none.
func tokenProblem(err error) *problem {
	for _, known := range []struct {
		err error
		p   *problem
	}{
		{sso.ErrAway, errNoSignIn},
		{sso.ErrToken, errBadToken},
		{sso.ErrExpired, errOldToken},
		{sso.ErrNoTenant, errNoTenant},
		{access.ErrPerson, errNoTenant},
		{sso.ErrNoRole, errNoRole},
	} {
		if errors.Is(err, known.err) {
			return known.p
		}
	}
	return nil
}

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
