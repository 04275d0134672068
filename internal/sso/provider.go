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
	"golang.org/x/sync/singleflight"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrAway means that the issuer did not answer, or not as it should. It may
	// go well later.
	ErrAway = errors.New("the issuer cannot be asked")

	// ErrToken means that a token is not the issuer's, not for this service, or
	// does not count yet.
	ErrToken = errors.New("not a token of the issuer for this service")

	// ErrExpired means that the time of a token is over. If it has just been
	// made, the clocks of both sides differ.
	ErrExpired = errors.New("token has expired")

	// ErrFlow means that a sign-in was not begun in this browser, was ended
	// before, or was waited for too long. It has to begin again.
	ErrFlow = errors.New("no such sign-in is under way")

	// ErrDenied means that the issuer did not let somebody in, or that they gave
	// up.
	ErrDenied = errors.New("the issuer denied the sign-in")

	// ErrNoTenant means that the token does not say which tenant somebody is of.
	ErrNoTenant = errors.New("no tenant in the token")

	// ErrNoRole means that the token gives no role that is known here.
	ErrNoRole = errors.New("no known role in the token")
)

// Rule gives a role to whom the issuer gives a value.
type Rule struct {
	Value string // of RolesClaim
	Role  string
}

// Options is what a Provider works with.
type Options struct {
	// Issuer is the address of the issuer, as it stands in its tokens. Required.
	Issuer string

	// ClientID is the name of this service there, and the audience of tokens
	// for it. Required.
	ClientID string

	// ClientSecret proves to the issuer that this service asks. Default: none,
	// as of a public client.
	ClientSecret string

	// Callback is the address of this service to which the issuer sends people
	// back. Required to Begin.
	Callback string

	// Tenant is that of all whom the issuer lets in. Default: TenantClaim tells
	// it of each.
	Tenant string

	// TenantClaim names the claim that holds the tenant, a text. As that of
	// roles, it may be a path into objects, with dots. Default "tenant".
	TenantClaim string

	// RolesClaim names the claim that holds roles or groups, a text or a list.
	// Default "roles".
	RolesClaim string

	// Rules tell which role a value of RolesClaim gives; the first that applies
	// counts. Default: none, so that nobody has a role.
	Rules []Rule

	// Timeout bounds each exchange with the issuer. Default 5s.
	Timeout time.Duration

	// Now tells the time. Default time.Now.
	Now func() time.Time
}

// rest is how long an issuer that did not answer is not asked what it is.
const rest = 2 * time.Second

// Provider knows one issuer. Make it with New.
type Provider struct {
	opt  Options
	http *http.Client
	one  singleflight.Group

	mu     sync.Mutex
	known  *issuer // nil until it has answered
	missed error
	at     time.Time // of missed
}

// issuer is what the issuer tells of itself.
type issuer struct {
	keys  oidc.KeySet
	login oauth2.Config
}

// New returns a provider. It does no I/O: the issuer is asked when somebody
// comes, so that a service starts without it.
func New(opt Options) *Provider {
	opt.TenantClaim = cmp.Or(opt.TenantClaim, "tenant")
	opt.RolesClaim = cmp.Or(opt.RolesClaim, "roles")
	opt.Timeout = cmp.Or(opt.Timeout, 5*time.Second)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Provider{opt: opt, http: &http.Client{Timeout: opt.Timeout}}
}

// Name is what people know the issuer by: its host.
func (p *Provider) Name() string {
	u, err := url.Parse(p.opt.Issuer)
	if err != nil || u.Host == "" {
		return p.opt.Issuer
	}
	return u.Host
}

// Issuer is the address of the issuer.
func (p *Provider) Issuer() string { return p.opt.Issuer }

// issuer asks the issuer what it is, once for all who want to know at the same
// time. An answer counts for ever, for its keys are looked up anew as they
// change; none counts for a moment.
func (p *Provider) issuer(ctx context.Context) (*issuer, error) {
	if known, err := p.last(); known != nil || err != nil {
		return known, err
	}
	answer := p.one.DoChan("discover", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.opt.Timeout)
		defer cancel()
		return p.discover(ctx)
	})
	select {
	case r := <-answer:
		found, _ := r.Val.(*issuer) // with an error, it is none
		return found, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("sso: %w: %w", ErrAway, context.Cause(ctx))
	}
}

// last is what was found, or why nothing was a moment ago; nil if neither.
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

// scopes are those that are asked for: what is known to hold names and groups,
// as far as the issuer has it, for some refuse what they do not know.
func scopes(offered []string) []string {
	out := []string{oidc.ScopeOpenID}
	for _, one := range []string{"profile", "email", "groups"} {
		if slices.Contains(offered, one) || len(offered) == 0 && one != "groups" {
			out = append(out, one)
		}
	}
	return out
}
