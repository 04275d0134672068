package sso

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// maxToken is the maximal length of a token, in bytes.
const maxToken = 16 << 10

// skew is how long a token is still accepted after its expiry, since clocks differ. Package oidc accepts
// a claim `nbf` up to five minutes in the future. Since verify subtracts skew from the current time, it
// accepts only four minutes.
const skew = time.Minute

// signatures lists the accepted signature algorithms. All of them sign with a private key. The list
// excludes the algorithm "none" and algorithms with a shared secret.
var signatures = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// Check validates a token and returns its user. It returns ErrToken, ErrExpired, ErrNoTenant,
// ErrNoRole or ErrAway.
func (p *Provider) Check(ctx context.Context, token string) (Person, error) {
	from, err := p.issuer(ctx)
	if err != nil {
		return Person{}, err
	}
	good, err := p.verify(ctx, from, token, forAPI)
	if err != nil {
		return Person{}, err
	}
	return p.person(good)
}

func (p *Provider) verify(ctx context.Context, from *issuer, token string, why purpose) (*oidc.IDToken, error) {
	if len(token) > maxToken {
		return nil, fmt.Errorf("sso: %w: it is too large, with %d bytes", ErrToken, len(token))
	}
	keys := &keys{from: from.keys}
	good, err := oidc.NewVerifier(p.opt.Issuer, keys, &oidc.Config{
		ClientID: p.opt.ClientID, SupportedSigningAlgs: signatures,
		Now: func() time.Time { return p.opt.Now().Add(-skew) },
	}).Verify(ctx, token)
	var over *oidc.TokenExpiredError
	switch {
	case keys.away != nil:
		return nil, fmt.Errorf("sso: %w: %w", ErrAway, keys.away)
	case errors.As(err, &over):
		return nil, fmt.Errorf("sso: %w: %w", ErrExpired, err)
	case err != nil:
		return nil, fmt.Errorf("sso: %w: %w", ErrToken, err)
	case good.Subject == "":
		return nil, fmt.Errorf("sso: %w: it has no subject", ErrToken)
	}
	return good, p.suits(token, good, why)
}

// keys is a KeySet that distinguishes an unreachable issuer from a wrong signature.
type keys struct {
	from oidc.KeySet
	away error // why the keys could not be fetched; nil without a failure
}

// VerifySignature implements oidc.KeySet.
func (k *keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.from.VerifySignature(ctx, token)
	if err != nil && strings.HasPrefix(err.Error(), "fetching keys") { // the error has no type
		k.away = err
	}
	return payload, err
}
