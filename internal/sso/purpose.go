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

// headerTypes holds the types that the header of a token may have for a purpose, in lower case and
// without "application/". A token without a type is a JWT.
var headerTypes = map[purpose][]string{
	forSignIn: {"", "jwt"},
	forAPI:    {"", "jwt", "at+jwt"}, // RFC 9068
}

// claimTypes holds the values that Keycloak's claim `typ` may have for a purpose.
var claimTypes = map[purpose][]string{
	forSignIn: {"", "ID", "JWT"},
	forAPI:    {"", "ID", "JWT", "Bearer"},
}

// typeClaims holds the claims that distinguish tokens of different purposes.
type typeClaims struct {
	Type  string `json:"typ"`
	Party string `json:"azp"`
}

// suits returns an error if a token of the issuer is not valid for a purpose. For example, a logout
// token is valid for no purpose.
//
// An ID token must be made for this client: the claim `azp`, if present, names the client. If the token
// has several audiences, it must have `azp`. An access token has the `azp` of the program that requested
// it, so only its audience counts. For forAPI, only a token whose claim `typ` is ID counts as an ID
// token.
func (p *Provider) suits(text string, token *oidc.IDToken, why purpose) error {
	var claims typeClaims
	if err := token.Claims(&claims); err != nil {
		return fmt.Errorf("sso: %w: %w", ErrToken, err)
	}
	header := headerType(text)
	if !slices.Contains(headerTypes[why], header) || !slices.Contains(claimTypes[why], claims.Type) {
		return fmt.Errorf("sso: %w: its typ is %.50q, %.50q", ErrToken, header, claims.Type)
	}
	if why == forAPI && claims.Type != "ID" {
		return nil
	}
	if claims.Party != p.opt.ClientID && (claims.Party != "" || len(token.Audience) > 1) {
		return fmt.Errorf("sso: %w: its azp is %.100q", ErrToken, claims.Party)
	}
	return nil
}

// headerType returns the type in the header of a token, in lower case; "unreadable" for an invalid
// header.
func headerType(text string) string {
	head, _, _ := strings.Cut(text, ".")
	var claims typeClaims
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil || json.Unmarshal(raw, &claims) != nil {
		return "unreadable"
	}
	return strings.TrimPrefix(strings.ToLower(claims.Type), "application/")
}
