package problem

import (
	"errors"
	"net/http"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
)

// Problems of requests without a valid credential.
var (
	ErrNoKey = New(http.StatusUnauthorized, "API_KEY_REQUIRED",
		"Send an API key, as the header Authorization: Bearer <key>.")
	ErrFirstKey = New(http.StatusUnauthorized, "FIRST_KEY_REQUIRED",
		"There is no API key yet, and this request did not come directly from the machine of the service. "+
			"Make the first key there: api keys create --name NAME --role owner.")
	errUnknownKey = New(http.StatusUnauthorized, "API_KEY_UNKNOWN",
		"This API key is not known here: it is mistyped, or of another service.")
	errExpiredKey = New(http.StatusUnauthorized, "API_KEY_EXPIRED",
		"The time of this API key or session is over.")
	errRevokedKey = New(http.StatusUnauthorized, "API_KEY_REVOKED",
		"This API key was revoked.")
)

// CodeGuessing is the code of a wrong credential after too many wrong ones.
const CodeGuessing = "TOO_MANY_WRONG_KEYS"

// tooManyWrongKeys returns the problem of a wrong credential after too many wrong ones.
func tooManyWrongKeys() *Problem {
	p := New(http.StatusTooManyRequests, CodeGuessing,
		"This API key is wrong, and too many wrong ones came before it.")
	p.RetryAfter = int(access.GuessPause / time.Second)
	return p
}

// known is an error and its problem.
type known struct {
	err error
	p   *Problem
}

// problemOf returns the problem of the first known error that err is, or nil.
func problemOf(err error, list []known) *Problem {
	for _, k := range list {
		if errors.Is(err, k.err) {
			return k.p
		}
	}
	return nil
}

// ofAccess returns the problem of an error of package access, or nil.
func ofAccess(err error) *Problem {
	return problemOf(err, []known{
		{access.ErrUnknown, errUnknownKey},
		{access.ErrExpired, errExpiredKey},
		{access.ErrRevoked, errRevokedKey},
		{access.ErrGuessing, tooManyWrongKeys()},
		{access.ErrNotFound, ErrNotFound},
	})
}

var (
	errBadToken = New(http.StatusUnauthorized, "TOKEN_INVALID",
		"This token is not one of the service where people sign in, not for this service, or does not count yet.")
	errExpiredToken = New(http.StatusUnauthorized, "TOKEN_EXPIRED",
		"The time of this token is over. Get another where you sign in.")
	errNoTenant = New(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is good, but tells no tenant. Who runs the service where you sign in can mend that.")
	errNoRole = New(http.StatusUnauthorized, "TOKEN_WITHOUT_ROLE",
		"This token is good, but gives no role that is known here. Who runs the service where you sign in can mend that.")
	errNoSignIn = Temporary("SIGN_IN_UNAVAILABLE",
		"The service where people sign in cannot be asked now, so this token cannot be judged. Try again in a few seconds.")
)

// ofToken returns the problem of an external token, or nil.
func ofToken(err error) *Problem {
	return problemOf(err, []known{
		{sso.ErrAway, errNoSignIn},
		{sso.ErrToken, errBadToken},
		{sso.ErrExpired, errExpiredToken},
		{sso.ErrNoTenant, errNoTenant},
		{access.ErrPerson, errNoTenant},
		{sso.ErrNoRole, errNoRole},
	})
}
