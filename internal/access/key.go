package access

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrUnknown means that no such credential was ever given out here, or that
	// it is mistyped.
	ErrUnknown = errors.New("unknown credential")

	// ErrExpired means that the time of the credential is over. Another has to
	// be made.
	ErrExpired = errors.New("credential has expired")

	// ErrRevoked means that the key was taken back.
	ErrRevoked = errors.New("credential is revoked")

	// ErrGuessing means that a credential is wrong, and that too many wrong ones came
	// from its address or claimed to be the same; see GuessPause.
	ErrGuessing = errors.New("too many wrong credentials")

	// ErrNotFound means that the tenant has no key of that id.
	ErrNotFound = errors.New("no such key")

	// ErrPerson means that nobody can be of such a tenant, or have such a role.
	ErrPerson = errors.New("no such tenant or role")

	// ErrDraft means that a key cannot be as it was asked for. Its text says why.
	ErrDraft = errors.New("no such key can be made")
)

// Limits of what is asked for.
const (
	MaxName  = 100                 // characters of a name, or of a tenant's
	MaxGrace = 30 * 24 * time.Hour // for which a secret may outlive its rotation
)

// Key is an API key without its secret. Times are unix milliseconds.
type Key struct {
	Num        int64
	ID         string // "key_…": who did it, in tasks and audits; "usr_…" of a person
	Prefix     string // of its newest secret, to know it by; empty: of a person, who has none
	Tenant     string // empty: of the owner of the service
	Name       string
	Role       Role
	CreatedBy  string
	Maker      string // id of the key or person that made it; empty: not known, or a command did
	CreatedAt  int64
	ExpiresAt  int64 // 0: never
	RevokedAt  int64 // 0: not
	LastUsedAt int64 // to the minute; 0: never
}

// TableName is for gorm.
func (Key) TableName() string { return "api_keys" }

// Draft is a key to be made.
type Draft struct {
	Tenant    string
	Name      string
	Role      Role
	ExpiresAt time.Time // zero: never
	Maker     string    // id of the key or person that asks for it; empty: none does
}

// check tells what is wrong with a draft.
func (d Draft) check(now time.Time) error {
	switch {
	case !tenantName(d.Tenant):
		return errors.New("the tenant must be one word of at most 100 characters, without a slash")
	case !named(d.Name):
		return errors.New("the name must be one line of 1 to 100 characters")
	case !slices.Contains(Roles(), d.Role):
		return errors.New("the role must be viewer, reviewer, operator or admin")
	case !d.ExpiresAt.IsZero() && !d.ExpiresAt.After(now):
		return errors.New("the key would have expired already")
	}
	return nil
}

// checkOwner returns why there can be no such key of the owner.
func (d Draft) checkOwner(now time.Time) error {
	if d.Tenant != "" {
		return errors.New("a key of the owner belongs to no tenant")
	}
	d.Tenant, d.Role = "none", Admin // the other rules are those of a tenant's key
	return d.check(now)
}

// ValidTenant reports whether a tenant can be called so: one word of up to MaxName characters,
// without a slash.
func ValidTenant(name string) bool { return tenantName(name) }

// tenantName tells whether a tenant can be called so.
func tenantName(s string) bool { return named(s) && !strings.ContainsAny(s, "/ ") }

func named(s string) bool {
	line := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
	return s != "" && line && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxName &&
		strings.TrimSpace(s) == s
}

// Grant is what a good credential gives.
type Grant struct {
	Key    string // id of the key, or of the person; empty if none was asked for
	Name   string // of the key or the person
	Tenant string // empty for a key of the owner
	Role   Role
	Until  int64 // unix ms from which it is over; 0: never
}

// bare returns the name of a grant without its rights.
func (g Grant) bare() Grant { return Grant{Key: g.Key, Name: g.Name, Tenant: g.Tenant} }

// May tells whether the grant has a scope.
func (g Grant) May(s Scope) bool { return g.Role.May(s) }
