package sso

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// Person is a user of the issuer.
type Person struct {
	// Subject is the issuer's permanent and unique id of the user.
	Subject string

	// Name is the user's verified mail address, or else Subject. Names that users can choose freely
	// are unsuitable for an audit log.
	Name string

	Tenant string
	Role   string
	Until  time.Time // when the token ends, plus a tolerance for differing clocks
	Issued time.Time // when the issuer made the token; zero if the token has no time
}

// person returns the user of a valid token.
func (p *Provider) person(token *oidc.IDToken) (Person, error) {
	var claims map[string]json.RawMessage
	if err := token.Claims(&claims); err != nil {
		return Person{}, fmt.Errorf("sso: %w: %w", ErrToken, err)
	}
	out := Person{Subject: token.Subject, Name: name(token.Subject, claims), Until: token.Expiry.Add(skew), Issued: token.IssuedAt}
	if out.Tenant = p.opt.Tenant; out.Tenant == "" {
		_ = json.Unmarshal(find(claims, p.opt.TenantClaim), &out.Tenant) // only a text counts
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
	_ = json.Unmarshal(claims["email"], &mail) // only a text counts
	verified := string(claims["email_verified"])
	if mail != "" && (verified == "true" || verified == `"true"`) {
		return mail
	}
	return subject
}

// find returns the claim of a token with the name `path`. If no claim has this name, it follows
// `path` through nested objects, with dots as separators. It returns nil for an unknown path.
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

// texts returns the texts in a claim of a token. The claim holds one text or a list of texts. Other
// values are left out.
func texts(claim json.RawMessage) []string {
	var one string
	if json.Unmarshal(claim, &one) == nil {
		return []string{one}
	}
	var list []any
	_ = json.Unmarshal(claim, &list) // anything else is empty
	var out []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
