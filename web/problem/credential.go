package problem

import (
	"errors"
	"net/http"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

// These are the problems of a missing or invalid credential.
var (
	ErrNoKey = New(http.StatusUnauthorized, "API_KEY_REQUIRED",
		"Send an API key in the header Authorization: Bearer <key>.")
	ErrFirstKey = New(http.StatusUnauthorized, "FIRST_KEY_REQUIRED",
		"No API key exists yet, and this request did not come directly from the machine of the service. "+
			"Create the first key there: api keys create --name NAME --role owner.")
	errUnknownKey = New(http.StatusUnauthorized, "API_KEY_UNKNOWN",
		"This API key is unknown: it is mistyped, or belongs to another service.")
	errExpiredKey = New(http.StatusUnauthorized, "API_KEY_EXPIRED",
		"This API key or session has expired.")
	errRevokedKey = New(http.StatusUnauthorized, "API_KEY_REVOKED",
		"This API key was revoked.")
)

// CodeGuessing is the code of a wrong credential after 20 wrong credentials from the same address range
// or with the same prefix, within access.GuessPause.
const CodeGuessing = "TOO_MANY_WRONG_KEYS"

// tooManyWrongKeys returns the problem with the code CodeGuessing.
func tooManyWrongKeys() *Problem {
	p := New(http.StatusTooManyRequests, CodeGuessing,
		"This API key is wrong, after too many other wrong keys. Check it, and try again later.")
	p.RetryAfter = int(access.GuessPause / time.Second)
	return p
}

// errorProblem is an error with its problem.
type errorProblem struct {
	err error
	p   *Problem
}

// problemOf returns the problem of the first error in `list` that `err` wraps; nil if there is none.
func problemOf(err error, list []errorProblem) *Problem {
	for _, k := range list {
		if errors.Is(err, k.err) {
			return k.p
		}
	}
	return nil
}

// ofAccess returns the problem of an error of package access; nil for other errors.
func ofAccess(err error) *Problem {
	return problemOf(err, []errorProblem{
		{access.ErrUnknown, errUnknownKey},
		{access.ErrExpired, errExpiredKey},
		{access.ErrRevoked, errRevokedKey},
		{access.ErrGuessing, tooManyWrongKeys()},
		{access.ErrNotFound, ErrNotFound},
	})
}

var (
	errBadToken = New(http.StatusUnauthorized, "TOKEN_INVALID",
		"This token has a wrong signature, is for another service, or is not valid yet.")
	errExpiredToken = New(http.StatusUnauthorized, "TOKEN_EXPIRED",
		"This token has expired. Get a new one from the OpenID Connect provider.")
	errNoTenant = New(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is valid, but has no tenant. The administrator of the OpenID Connect provider can add it.")
	errNoRole = New(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is valid, but has no role of this service. The administrator of the OpenID Connect provider can add one.")
	errNoSignIn = Temporary("SIGN_IN_UNAVAILABLE",
		"The OpenID Connect provider is not reachable now, so this token cannot be validated. Try again in a few seconds.")
)

// ofToken returns the problem of an invalid token of the sign-in provider; nil for other errors.
func ofToken(err error) *Problem {
	return problemOf(err, []errorProblem{
		{sso.ErrAway, errNoSignIn},
		{sso.ErrToken, errBadToken},
		{sso.ErrExpired, errExpiredToken},
		{sso.ErrNoTenant, errNoTenant},
		{access.ErrPerson, errNoTenant},
		{sso.ErrNoRole, errNoRole},
	})
}
