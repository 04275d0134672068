package sso

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Person is somebody whom the issuer vouches for.
type Person struct {
	// Subject is what the issuer calls them: the same for ever, and nobody
	// else's there.
	Subject string

	// Name is their mail address if the issuer has verified it, else Subject:
	// what they could choose by themselves is no name for an audit.
	Name string

	Tenant string
	Role   string
	Until  time.Time // when the token ends, and some time for clocks that differ
	Issued time.Time // when the issuer made it; zero: the token does not have the time
}

// person reads a token that is good.
func (p *Provider) person(token *oidc.IDToken) (Person, error) {
	var claims map[string]json.RawMessage
	if err := token.Claims(&claims); err != nil {
		return Person{}, fmt.Errorf("sso: %w: %w", ErrToken, err)
	}
	out := Person{Subject: token.Subject, Name: name(token.Subject, claims), Until: token.Expiry.Add(skew), Issued: token.IssuedAt}
	if out.Tenant = p.opt.Tenant; out.Tenant == "" {
		_ = json.Unmarshal(find(claims, p.opt.TenantClaim), &out.Tenant) // what is no text is none
	}
	if out.Tenant == "" {
		return Person{}, fmt.Errorf("sso: %w: claim %q of %q", ErrNoTenant, p.opt.TenantClaim, out.Name)
	}
	values := texts(find(claims, p.opt.RolesClaim))
	for _, rule := range p.opt.Rules {
		if slices.Contains(values, rule.Value) {
			out.Role = rule.Role
			return out, nil
		}
	}
	return Person{}, fmt.Errorf("sso: %w: claim %q of %q", ErrNoRole, p.opt.RolesClaim, out.Name)
}

func name(subject string, claims map[string]json.RawMessage) string {
	var mail string
	_ = json.Unmarshal(claims["email"], &mail) // what is no text is none
	verified := string(claims["email_verified"])
	if mail != "" && (verified == "true" || verified == `"true"`) {
		return mail
	}
	return subject
}

// find is the claim of that name, or else at the end of that path; nil if there
// is none.
func find(claims map[string]json.RawMessage, path string) json.RawMessage {
	for {
		if value, ok := claims[path]; ok {
			return value
		}
		head, rest, more := strings.Cut(path, ".")
		var inner map[string]json.RawMessage
		if !more || json.Unmarshal(claims[head], &inner) != nil {
			return nil
		}
		claims, path = inner, rest
	}
}

// texts are the texts of a claim that is one, or a list of them.
func texts(claim json.RawMessage) []string {
	var one string
	if json.Unmarshal(claim, &one) == nil {
		return []string{one}
	}
	var list []any
	_ = json.Unmarshal(claim, &list) // anything else holds none
	var out []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
