package sso

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Flow is a sign-in in progress. It holds the values that the browser sends back at the end of the
// sign-in. It is a secret of the browser that started the sign-in, and valid for one call of Finish.
type Flow struct {
	State    string `json:"s"` // returned with the answer
	Nonce    string `json:"n"` // returned in the token
	Verifier string `json:"v"` // proves to the issuer that this service started the sign-in
}

// Begin starts a sign-in. The browser must keep `f` and open the address `at`. Begin returns ErrAway if
// the issuer is unreachable.
func (p *Provider) Begin(ctx context.Context) (at string, f Flow, err error) {
	from, err := p.issuer(ctx)
	if err != nil {
		return "", Flow{}, err
	}
	f = Flow{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	at = from.login.AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier))
	return at, f, nil
}

// Finish ends a sign-in with the issuer's response, which is the query of the request to
// Options.Callback. It returns ErrFlow, ErrDenied, or an error of Check.
func (p *Provider) Finish(ctx context.Context, f Flow, answer url.Values) (Person, error) {
	if !same(f.State, answer.Get("state")) {
		return Person{}, fmt.Errorf("sso: %w: the state does not match", ErrFlow)
	}
	if err := refused(answer); err != nil {
		return Person{}, err
	}
	if answer.Get("code") == "" {
		return Person{}, fmt.Errorf("sso: %w: the response has no code", ErrFlow)
	}
	from, err := p.issuer(ctx)
	if err != nil {
		return Person{}, err
	}
	token, err := p.exchange(ctx, from, f, answer.Get("code"))
	if err != nil {
		return Person{}, err
	}
	good, err := p.verify(ctx, from, token, forSignIn)
	if err != nil {
		return Person{}, err
	}
	if !same(f.Nonce, good.Nonce) {
		return Person{}, fmt.Errorf("sso: %w: the nonce does not match", ErrFlow)
	}
	return p.person(good)
}

// same reports whether two secrets are equal and not empty.
func same(ours, theirs string) bool {
	return ours != "" && subtle.ConstantTimeCompare([]byte(ours), []byte(theirs)) == 1
}

// refused returns the error in the issuer's response; nil if the response has none.
func refused(answer url.Values) error {
	code := answer.Get("error")
	switch {
	case code == "":
		return nil
	case slices.Contains([]string{"server_error", "temporarily_unavailable"}, code):
		return fmt.Errorf("sso: %w: it returned %.50q", ErrAway, code)
	}
	return fmt.Errorf("sso: %w: it returned %.50q", ErrDenied, code)
}

// exchange gets the ID token for a code from the issuer.
func (p *Provider) exchange(ctx context.Context, from *issuer, f Flow, code string) (string, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.http)
	got, err := from.login.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	var rejected *oauth2.RetrieveError
	switch {
	case errors.As(err, &rejected) && rejected.ErrorCode == "invalid_grant":
		return "", fmt.Errorf("sso: %w: the provider no longer accepts the code", ErrFlow)
	case errors.As(err, &rejected): // its text holds the whole response
		return "", fmt.Errorf("sso: %w: it rejected the code with %.50q", ErrAway, rejected.ErrorCode)
	case err != nil:
		return "", fmt.Errorf("sso: %w: %w", ErrAway, err)
	}
	token, _ := got.Extra("id_token").(string)
	if token == "" {
		return "", fmt.Errorf("sso: %w: the response has no id_token", ErrToken)
	}
	return token, nil
}
