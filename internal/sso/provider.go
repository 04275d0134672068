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

// Errors that callers may test for with errors.Is.
var (
	// ErrAway means that the issuer did not answer, or gave an invalid answer. A retry may succeed
	// later.
	ErrAway = errors.New("the issuer cannot be asked")

	// ErrToken means that a token is not from the issuer, not for this service, or not valid yet.
	ErrToken = errors.New("not a token of the issuer for this service")

	// ErrExpired means that a token has expired. If the token is new, the clocks of both sides differ.
	ErrExpired = errors.New("token has expired")

	// ErrFlow means that a sign-in was not started in this browser, has already ended, or took too
	// long. The user must start again.
	ErrFlow = errors.New("no such sign-in is under way")

	// ErrDenied means that the issuer refused the user, or the user canceled.
	ErrDenied = errors.New("the issuer denied the sign-in")

	// ErrNoTenant means that the token names no tenant.
	ErrNoTenant = errors.New("no tenant in the token")

	// ErrNoRole means that the token gives no known role.
	ErrNoRole = errors.New("no known role in the token")
)

// Rule gives a role to users with a value.
type Rule struct {
	Value string // of RolesClaim
	Role  string
}

// Options configures a Provider.
type Options struct {
	// Issuer is the address of the issuer, as in its tokens. Required.
	Issuer string

	// ClientID is the issuer's name of this service, and the audience of tokens for it. Required.
	ClientID string

	// ClientSecret authenticates this service at the issuer. Default: none, for a public client.
	ClientSecret string

	// Callback is the address of this service to which the issuer redirects browsers. Required for
	// Begin.
	Callback string

	// Tenant is the tenant of all users of the issuer. Default: the claim TenantClaim.
	Tenant string

	// TenantClaim names the claim with the tenant, a text. Like RolesClaim, it may be a path into
	// objects, with dots. Default "tenant".
	TenantClaim string

	// RolesClaim names the claim with roles or groups, a text or a list. Default "roles".
	RolesClaim string

	// Rules map values of RolesClaim to roles; the first match counts. Default: none, so that no
	// user has a role.
	Rules []Rule

	// Timeout bounds each exchange with the issuer. Default 5s.
	Timeout time.Duration

	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

// rest is the pause of queries after an issuer did not answer.
const rest = 2 * time.Second

// Provider is a client of one issuer. Make it with New.
type Provider struct {
	opt  Options
	http *http.Client
	one  flight.Group[*issuer]

	mu     sync.Mutex
	known  *issuer // nil until it has answered
	missed error
	at     time.Time // of missed
}

// issuer holds the metadata of the issuer.
type issuer struct {
	keys  oidc.KeySet
	login oauth2.Config
}

// New returns a provider. It does no I/O: the first sign-in or token queries the issuer, so that a
// service starts without it.
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

// issuer returns the metadata of the issuer, with one query for all concurrent callers. A success
// is cached for ever, since its keys are reloaded when they change. A failure is cached for a
// moment.
func (p *Provider) issuer(ctx context.Context) (*issuer, error) {
	if known, err := p.last(); known != nil || err != nil {
		return known, err
	}
	answer := p.one.Do("discover", func() (*issuer, error) {
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

// last returns the cached metadata or a recent error; nil if there is neither.
func (p *Provider) last() (*issuer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := p.opt.Now().Sub(p.at)
	if p.missed != nil && age >= 0 && age < rest {
		return nil, p.missed
	}
	return p.known, nil
}

func (p *Provider) discover(ctx context.Context) (*issuer, error) {
	found, err := p.ask(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known, p.missed, p.at = found, err, p.opt.Now()
	return found, err
}

func (p *Provider) ask(ctx context.Context) (*issuer, error) {
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

// keyClient returns the client that fetches the keys of the issuer.
func (p *Provider) keyClient() *http.Client {
	return &http.Client{
		Timeout:   p.opt.Timeout,
		Transport: &spaced{next: http.DefaultTransport, gap: min(keyGap, p.opt.Timeout/2)},
	}
}

// scopes returns the requested scopes: those with names and groups that the issuer offers, since
// some issuers refuse unknown ones.
func scopes(offered []string) []string {
	out := []string{oidc.ScopeOpenID}
	for _, one := range []string{"profile", "email", "groups"} {
		if slices.Contains(offered, one) || len(offered) == 0 && one != "groups" {
			out = append(out, one)
		}
	}
	return out
}
