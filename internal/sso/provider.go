package sso

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/rollcall-dev/rollcall/internal/flight"
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrAway means that the issuer did not answer, or that its response was invalid. A retry may
	// succeed later.
	ErrAway = errors.New("the OpenID Connect provider is unavailable")

	// ErrToken means that a token is not from the issuer, not for this service, or not valid yet.
	ErrToken = errors.New("not a token of the OpenID Connect provider for this service")

	// ErrExpired means that a token has expired. If the token is new, the clocks of the issuer and of
	// this machine differ.
	ErrExpired = errors.New("token has expired")

	// ErrFlow means that a sign-in was not started in this browser or has already ended, or that the
	// issuer no longer accepts its code. The user must start again.
	ErrFlow = errors.New("the sign-in was not started in this browser, or has ended")

	// ErrDenied means that the issuer refused the user, or that the user canceled the sign-in.
	ErrDenied = errors.New("the OpenID Connect provider denied the sign-in")

	// ErrNoTenant means that the token names no tenant.
	ErrNoTenant = errors.New("no tenant in the token")

	// ErrNoRole means that the token contains no known role.
	ErrNoRole = errors.New("no known role in the token")
)

// Rule gives a role to users that have Value in the claim RolesClaim.
type Rule struct {
	Value string // of RolesClaim
	Role  string
}

// Options holds the settings of a Provider.
type Options struct {
	// Issuer is the address of the issuer, as in its tokens. Required.
	Issuer string

	// ClientID is the name of this service at the issuer, and the audience of tokens for this
	// service. Required.
	ClientID string

	// ClientSecret authenticates this service at the issuer. Default: none, for a public client.
	ClientSecret string

	// Callback is the address of this service to which the issuer redirects browsers. Required for
	// Provider.Begin.
	Callback string

	// Tenant is the tenant of all users of the issuer. Default: the tenant in the claim TenantClaim.
	Tenant string

	// TenantClaim names the claim with the tenant, which is a text. Like RolesClaim, it may be a
	// path into objects, with dots as separators. Default "tenant".
	TenantClaim string

	// RolesClaim names the claim with roles or groups, which is a text or a list. Default "roles".
	RolesClaim string

	// Rules map values of RolesClaim to roles. The first rule whose value occurs determines the role.
	// Default: none, so that no user has a role.
	Rules []Rule

	// Timeout bounds each request to the issuer. Default 5s.
	Timeout time.Duration

	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

// retryAfter is the pause between a query that the issuer did not answer and the next query.
const retryAfter = 2 * time.Second

// Provider is a client of one issuer. Make it with New.
type Provider struct {
	opt   Options
	http  *http.Client
	loads flight.Group[*issuer]

	mu     sync.Mutex
	known  *issuer // nil until the issuer has answered
	missed error
	at     time.Time // when `known` and `missed` were set
}

// issuer holds the signing keys and the addresses for a sign-in, from the metadata of the issuer.
type issuer struct {
	keys  oidc.KeySet
	login oauth2.Config
}

// New returns a provider. It does no I/O: the first sign-in or token queries the issuer, so that a
// service starts even while the issuer is unreachable.
func New(opt Options) *Provider {
	opt.TenantClaim = cmp.Or(opt.TenantClaim, "tenant")
	opt.RolesClaim = cmp.Or(opt.RolesClaim, "roles")
	opt.Timeout = cmp.Or(opt.Timeout, 5*time.Second)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Provider{opt: opt, http: &http.Client{Timeout: opt.Timeout}}
}

// Name returns the host of the issuer, for users.
func (p *Provider) Name() string {
	u, err := url.Parse(p.opt.Issuer)
	if err != nil || u.Host == "" {
		return p.opt.Issuer
	}
	return u.Host
}

// Issuer returns the address of the issuer.
func (p *Provider) Issuer() string { return p.opt.Issuer }

// issuer returns the metadata of the issuer, with one query for all concurrent callers. Metadata is
// cached forever, because its set of signing keys reloads itself. A failure is cached for retryAfter. If
// ctx ends first, issuer returns ErrAway.
func (p *Provider) issuer(ctx context.Context) (*issuer, error) {
	if known, err := p.last(); known != nil || err != nil {
		return known, err
	}
	answer := p.loads.Do("discover", func() (*issuer, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.opt.Timeout)
		defer cancel()
		return p.discover(ctx)
	})
	select {
	case r := <-answer:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("sso: %w: %w", ErrAway, context.Cause(ctx))
	}
}

// last returns the cached metadata, or the error of a query within the last retryAfter. It returns nil
// for both if it has no cached result.
func (p *Provider) last() (*issuer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := p.opt.Now().Sub(p.at)
	if p.missed != nil && age >= 0 && age < retryAfter {
		return nil, p.missed
	}
	return p.known, nil
}

func (p *Provider) discover(ctx context.Context) (*issuer, error) {
	found, err := p.query(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known, p.missed, p.at = found, err, p.opt.Now()
	return found, err
}

func (p *Provider) query(ctx context.Context) (*issuer, error) {
	doc, err := oidc.NewProvider(oidc.ClientContext(ctx, p.http), p.opt.Issuer)
	if err != nil {
		return nil, fmt.Errorf("sso: %w: %w", ErrAway, err)
	}
	var more struct {
		Keys   string   `json:"jwks_uri"`
		Scopes []string `json:"scopes_supported"`
	}
	if err := doc.Claims(&more); err != nil {
		return nil, fmt.Errorf("sso: %w: %w", ErrAway, err)
	}
	lasting := oidc.ClientContext(context.Background(), p.keyClient())
	return &issuer{keys: oidc.NewRemoteKeySet(lasting, more.Keys), login: oauth2.Config{
		ClientID: p.opt.ClientID, ClientSecret: p.opt.ClientSecret, RedirectURL: p.opt.Callback,
		Endpoint: doc.Endpoint(), Scopes: scopes(more.Scopes),
	}}, nil
}

// keyClient returns the HTTP client that fetches the signing keys of the issuer. It delays a request
// that follows another within keyGap, or within half of Options.Timeout if that is shorter.
func (p *Provider) keyClient() *http.Client {
	return &http.Client{
		Timeout:   p.opt.Timeout,
		Transport: &spaced{next: http.DefaultTransport, gap: min(keyGap, p.opt.Timeout/2)},
	}
}

// scopes returns the scopes to request. It leaves out optional scopes that the issuer does not
// offer, since some issuers refuse unknown scopes. If the issuer lists no scopes, it requests all
// scopes except `groups`.
func scopes(offered []string) []string {
	out := []string{oidc.ScopeOpenID}
	for _, scope := range []string{"profile", "email", "groups"} {
		if slices.Contains(offered, scope) || len(offered) == 0 && scope != "groups" {
			out = append(out, scope)
		}
	}
	return out
}
