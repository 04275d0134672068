package sso

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// purpose is the use of a token.
type purpose int

const (
	forSignIn purpose = iota // an ID token, for a code
	forAPI                   // an ID token or an access token, as a credential
)

// headerTypes holds the types in the header of tokens of a purpose, in lower case. "application/" is optional; a
// token without a type is a JWT.
var headerTypes = map[purpose][]string{
	forSignIn: {"", "jwt"},
	forAPI:    {"", "jwt", "at+jwt"}, // RFC 9068
}

// claimTypes holds the values of Keycloak's claim typ for tokens of a purpose.
var claimTypes = map[purpose][]string{
	forSignIn: {"", "ID", "JWT"},
	forAPI:    {"", "ID", "JWT", "Bearer"},
}

// kinship holds the claims that distinguish tokens of different purposes.
type kinship struct {
	Type  string `json:"typ"`
	Party string `json:"azp"`
}

// suits returns the reason why a token of the issuer is invalid for a purpose, such as a token for
// the end of a session. An ID token must be made for this client: azp, if present, names it, and
// several audiences require azp. An access token has the azp of the program that got it, so only
// its audience counts.
func (p *Provider) suits(text string, token *oidc.IDToken, why purpose) error {
	var said kinship
	if err := token.Claims(&said); err != nil {
		return fmt.Errorf("sso: %w: %w", ErrToken, err)
	}
	header := headerType(text)
	if !slices.Contains(headerTypes[why], header) || !slices.Contains(claimTypes[why], said.Type) {
		return fmt.Errorf("sso: %w: its typ is %.50q, %.50q", ErrToken, header, said.Type)
	}
	if why == forAPI && said.Type != "ID" {
		return nil
	}
	if said.Party != p.opt.ClientID && (said.Party != "" || len(token.Audience) > 1) {
		return fmt.Errorf("sso: %w: its azp is %.100q", ErrToken, said.Party)
	}
	return nil
}

// headerType returns the type in the header of a token, in lower case.
func headerType(text string) string {
	head, _, _ := strings.Cut(text, ".")
	var said kinship
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil || json.Unmarshal(raw, &said) != nil {
		return "unreadable"
	}
	return strings.TrimPrefix(strings.ToLower(said.Type), "application/")
}
