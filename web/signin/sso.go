package signin

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/sso"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// flowTime is the longest time that a sign-in at the provider may take. ssoTimeout bounds the last request
// of a sign-in, in which the service calls the provider.
const (
	flowCookie = "rollcall_sign_in"
	flowTime   = 10 * time.Minute
	ssoTimeout = 20 * time.Second
	maxReturn  = 1000 // bytes of the address of the redirect after the sign-in
)

// flow is a sign-in at the provider that has begun. The browser stores it in a signed cookie.
type flow struct {
	sso.Flow
	To string `json:"t"` // address of the redirect after the sign-in, on this service
	At int64  `json:"a"` // start of the sign-in, unix ms
}

// beginSSO serves GET /sign-in/oidc, which redirects to the sign-in provider.
func (p *Handlers) beginSSO(c *gin.Context) error {
	if p.SSO == nil || p.Access == nil {
		return problem.ErrNoPath
	}
	to := render.Inside(c.Query("to"))
	if len(to) > maxReturn {
		to = "/"
	}
	at, begun, err := p.SSO.Begin(c.Request.Context())
	if err != nil {
		return p.refuseSSO(c, to, err)
	}
	text, err := json.Marshal(flow{begun, to, p.Now().UnixMilli()})
	if err != nil {
		return err
	}
	value, err := p.Secret.SignCookie(c.Request.Context(), flowCookie, text)
	if err != nil {
		return err
	}
	p.setCookie(c, flowCookie, value, int(flowTime/time.Second))
	c.Header("Cache-Control", "no-store")
	c.Redirect(http.StatusSeeOther, at)
	return nil
}

// endSSO serves GET /sign-in/oidc/callback, which starts a session for the user that the provider has
// authenticated. It deletes the cookie of the flow, even if the sign-in is rejected.
func (p *Handlers) endSSO(c *gin.Context) error {
	if p.SSO == nil || p.Access == nil {
		return problem.ErrNoPath
	}
	ctx := c.Request.Context()
	under, err := p.flowOf(c.Request)
	if err != nil {
		return err
	}
	p.setCookie(c, flowCookie, "", -1)
	c.Header("Cache-Control", "no-store")
	c.Set(request.SenderKey, request.Sender{Via: "issuer"})
	someone, err := p.SSO.Finish(ctx, under.Flow, c.Request.URL.Query())
	if err != nil {
		return p.refuseSSO(c, under.To, err)
	}
	person := p.Guard.Person(someone)
	session, err := p.Access.StartSession(ctx, person, sessionTime)
	if err != nil {
		c.Set(request.SenderKey, request.Sender{Via: "issuer", Grant: access.Grant{Key: person.ID(), Tenant: person.Tenant}})
		return p.refuseSSO(c, under.To, err)
	}
	p.setCookie(c, auth.SessionCookie, session, int(sessionTime/time.Second))
	c.Redirect(http.StatusSeeOther, under.To)
	return nil
}

// flowOf returns the flow in the cookie. If the cookie is missing, expired or not signed by this
// service, it returns a flow whose values, except To, are empty. Package sso rejects such a flow.
func (p *Handlers) flowOf(r *http.Request) (flow, error) {
	none := flow{To: "/"}
	text, ok, err := p.Secret.VerifyCookie(r.Context(), flowCookie, p.Guard.Cookies.Get(r, flowCookie))
	var f flow
	if !ok || json.Unmarshal(text, &f) != nil {
		return none, err
	}
	f.To = render.Inside(f.To)
	if age := p.Now().Sub(time.UnixMilli(f.At)); age < 0 || age > flowTime {
		none.To = f.To
		return none, nil
	}
	return f, nil
}

// refusals maps errors of a sign-in to statuses and texts. Each text names the user's next step.
var refusals = []struct {
	err    error
	status int
	say    string // key of the text, below "page."
}{
	{sso.ErrAway, http.StatusServiceUnavailable, "sso.away"},
	{sso.ErrFlow, http.StatusBadRequest, "sso.over"},
	{sso.ErrDenied, http.StatusForbidden, "sso.denied"},
	{sso.ErrExpired, http.StatusForbidden, "sso.clock"},
	{sso.ErrToken, http.StatusForbidden, "sso.token"},
	{sso.ErrNoTenant, http.StatusForbidden, "sso.tenant"},
	{access.ErrPerson, http.StatusForbidden, "sso.tenant"},
	{sso.ErrNoRole, http.StatusForbidden, "sso.role"},
	{access.ErrRevoked, http.StatusForbidden, "sso.revoked"},
}

// refuseSSO answers with the sign-in page and the reason why the sign-in failed. It logs the error for
// the operators of the service and of the provider. If refusals lacks the error, refuseSSO only returns
// the error.
func (p *Handlers) refuseSSO(c *gin.Context, to string, err error) error {
	for _, one := range refusals {
		if !errors.Is(err, one.err) {
			continue
		}
		request.Refuse(c, "SIGN_IN_REFUSED", err)
		if one.err == sso.ErrAway {
			c.Header("Retry-After", "5")
		}
		return p.AskKey(c, one.status, to, request.Printer(c).Text(one.say, "name", p.SSO.Name()))
	}
	return err
}
