package access

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// These are the errors of this package. Callers test for them with errors.Is.
var (
	// ErrUnknown means that the credential does not exist, or is mistyped.
	ErrUnknown = errors.New("unknown credential")

	// ErrExpired means that the credential has expired. The user needs a new one.
	ErrExpired = errors.New("credential has expired")

	// ErrRevoked means that the API key or person was revoked.
	ErrRevoked = errors.New("credential is revoked")

	// ErrGuessing means that a credential is wrong, after 20 wrong credentials within GuessPause from the
	// same address range or with the same prefix.
	ErrGuessing = errors.New("too many wrong credentials")

	// ErrNotFound means that the tenant has no API key or person with this id. Store.Rotate also
	// returns it for a key that it cannot rotate.
	ErrNotFound = errors.New("no such key")

	// ErrPerson means that the tenant or role of a person is invalid.
	ErrPerson = errors.New("no such tenant or role")

	// ErrDraft means that the draft of an API key is invalid. The text of the error has the reason.
	ErrDraft = errors.New("no such key can be made")
)

// These are the limits of API keys and their secrets.
const (
	MaxName  = 100                 // characters of the name of a key or a tenant
	MaxGrace = 30 * 24 * time.Hour // the longest validity of a secret after its rotation
)

// Key is an API key without its secret. Times are unix milliseconds.
type Key struct {
	Num        int64
	ID         string // "key_…": the actor in tasks and audits; "usr_…" for a person
	Prefix     string // of its newest secret, to identify it; empty for a person
	Tenant     string // empty for the owner of the service
	Name       string
	Role       Role
	CreatedBy  string
	Maker      string // id of the key or person with which it was made; empty if unknown or made by a command
	CreatedAt  int64
	ExpiresAt  int64 // 0: never
	RevokedAt  int64 // 0: not revoked
	LastUsedAt int64 // to the minute; 0 means never
}

// TableName returns the name of the table for gorm.
func (Key) TableName() string { return "rollcall.api_keys" }

// Draft is an API key to create.
type Draft struct {
	Tenant    string
	Name      string
	Role      Role
	ExpiresAt time.Time // zero: never
	Maker     string    // id of the key or person that requests it; empty for none
}

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

// checkOwner returns the reason why the draft cannot become an API key of the owner; nil if it can.
func (d Draft) checkOwner(now time.Time) error {
	if d.Tenant != "" {
		return errors.New("a key of the owner belongs to no tenant")
	}
	d.Tenant, d.Role = "none", Admin // the other rules are those of a tenant's key
	return d.check(now)
}

// ValidTenant reports whether a tenant may have this name: one word of 1 to MaxName characters without
// a slash.
func ValidTenant(name string) bool { return tenantName(name) }

func tenantName(s string) bool { return named(s) && !strings.ContainsAny(s, "/ ") }

func named(s string) bool {
	line := !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
	return s != "" && line && utf8.ValidString(s) && utf8.RuneCountInString(s) <= MaxName &&
		strings.TrimSpace(s) == s
}

// Grant holds the rights that a valid credential gives.
type Grant struct {
	Key    string // id of the key, or of the person; empty if no credential was required
	Name   string // of the key or the person
	Tenant string // empty for a key of the owner
	Role   Role
	Until  int64 // its expiry in unix ms; 0 means never
}

// withoutRights returns the grant with its names but without its rights.
func (g Grant) withoutRights() Grant { return Grant{Key: g.Key, Name: g.Name, Tenant: g.Tenant} }

// May reports whether the grant includes a scope.
func (g Grant) May(s Scope) bool { return g.Role.May(s) }
