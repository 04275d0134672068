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
	// ErrUnknown means that the credential does not exist, or has a typing error.
	ErrUnknown = errors.New("unknown credential")

	// ErrExpired means that the credential has expired. Create another.
	ErrExpired = errors.New("credential has expired")

	// ErrRevoked means that the key was revoked.
	ErrRevoked = errors.New("credential is revoked")

	// ErrGuessing means that a credential is wrong, and that too many wrong ones came from its
	// address or claimed to be the same; see GuessPause.
	ErrGuessing = errors.New("too many wrong credentials")

	// ErrNotFound means that the tenant has no key with that id.
	ErrNotFound = errors.New("no such key")

	// ErrPerson means that the tenant or role of a person is invalid.
	ErrPerson = errors.New("no such tenant or role")

	// ErrDraft means that a draft of a key is invalid. Its text gives the reason.
	ErrDraft = errors.New("no such key can be made")
)

// Limits of drafts.
const (
	MaxName  = 100                 // characters of a name, or of a tenant's
	MaxGrace = 30 * 24 * time.Hour // the longest validity of a secret after its rotation
)

// Key is an API key without its secret. Times are unix milliseconds.
type Key struct {
	Num        int64
	ID         string // "key_…": the actor in tasks and audits; "usr_…" for a person
	Prefix     string // of its newest secret, to identify it; empty for a person, who has none
	Tenant     string // empty for the owner of the service
	Name       string
	Role       Role
	CreatedBy  string
	Maker      string // id of the key or person that made it; empty if unknown, or if a command made it
	CreatedAt  int64
	ExpiresAt  int64 // 0: never
	RevokedAt  int64 // 0: not revoked
	LastUsedAt int64 // to the minute; 0 means never
}

// TableName returns the table for gorm.
func (Key) TableName() string { return "rollcall.api_keys" }

// Draft is a key to create.
type Draft struct {
	Tenant    string
	Name      string
	Role      Role
	ExpiresAt time.Time // zero: never
	Maker     string    // id of the key or person that requests it; empty for none
}

// check returns the fault of a draft.
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

// checkOwner returns the reason why a draft of an owner's key is invalid.
func (d Draft) checkOwner(now time.Time) error {
	if d.Tenant != "" {
		return errors.New("a key of the owner belongs to no tenant")
	}
	d.Tenant, d.Role = "none", Admin // the other rules are those of a tenant's key
	return d.check(now)
}

// ValidTenant reports whether the name of a tenant is valid: one word of up to MaxName characters,
// without a slash.
func ValidTenant(name string) bool { return tenantName(name) }

// tenantName reports whether the name of a tenant is valid.
func tenantName(s string) bool { return named(s) && !strings.ContainsAny(s, "/ ") }

func named(s string) bool {
	line := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
	return s != "" && line && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxName &&
		strings.TrimSpace(s) == s
}

// Grant is the result of a good credential.
type Grant struct {
	Key    string // id of the key, or of the person; empty if no credential was required
	Name   string // of the key or the person
	Tenant string // empty for a key of the owner
	Role   Role
	Until  int64 // its expiry in unix ms; 0 means never
}

// bare returns the name of a grant without its rights.
func (g Grant) bare() Grant { return Grant{Key: g.Key, Name: g.Name, Tenant: g.Tenant} }

// May reports whether the grant has a scope.
func (g Grant) May(s Scope) bool { return g.Role.May(s) }
