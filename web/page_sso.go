package web

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
)

// A sign-in elsewhere may take flowTime; what the issuer is asked at its end,
// ssoTimeout.
const (
	flowCookie = "rollcall_sign_in"
	flowTime   = 10 * time.Minute
	ssoTimeout = 20 * time.Second
	maxReturn  = 1000 // bytes of the address to go on to
)

// flow is a sign-in elsewhere as the browser keeps it.
type flow struct {
	sso.Flow
	To string `json:"t"` // where to go on; an address of this service
	At int64  `json:"a"` // unix ms when it began
}

// beginSSO serves GET /sign-in/oidc: on to the service where people sign in.
func (p *pages) beginSSO(c *gin.Context) error {
	if p.opt.SSO == nil || p.opt.Access == nil {
		return problem.ErrNoPath
	}
	to := inside(c.Query("to"))
	if len(to) > maxReturn {
		to = "/"
	}
	at, begun, err := p.opt.SSO.Begin(c.Request.Context())
	if err != nil {
		return p.refuseSSO(c, to, err)
	}
	text, err := json.Marshal(flow{begun, to, p.opt.Now().UnixMilli()})
	if err != nil {
		return err
	}
	value, err := p.secret.SignCookie(c.Request.Context(), flowCookie, text)
	if err != nil {
		return err
	}
	p.setCookie(c, flowCookie, value, int(flowTime/time.Second))
	c.Header("Cache-Control", "no-store")
	c.Redirect(http.StatusSeeOther, at)
	return nil
}

// endSSO serves GET /sign-in/oidc/callback: a session for whom the other service
// sent back. Whatever comes of it, the browser keeps nothing of the way there.
func (p *pages) endSSO(c *gin.Context) error {
	if p.opt.SSO == nil || p.opt.Access == nil {
		return problem.ErrNoPath
	}
	ctx := c.Request.Context()
	under, err := p.flowOf(c.Request)
	if err != nil {
		return err
	}
	p.setCookie(c, flowCookie, "", -1)
	c.Header("Cache-Control", "no-store")
	c.Set(suspectKey, suspect{via: "issuer"})
	someone, err := p.opt.SSO.Finish(ctx, under.Flow, c.Request.URL.Query())
	if err != nil {
		return p.refuseSSO(c, under.To, err)
	}
	person := p.guard.Person(someone)
	session, err := p.opt.Access.Admit(ctx, person, sessionTime)
	if err != nil {
		c.Set(suspectKey, suspect{via: "issuer", grant: access.Grant{Key: person.ID(), Tenant: person.Tenant}})
		return p.refuseSSO(c, under.To, err)
	}
	p.setCookie(c, auth.SessionCookie, session, int(sessionTime/time.Second))
	c.Redirect(http.StatusSeeOther, under.To)
	return nil
}

// flowOf returns the sign-in that a browser has under way. It returns a blank one, with which
// no sign-in ends well, if there is none, if it is too old, or if the service did not sign it.
func (p *pages) flowOf(r *http.Request) (flow, error) {
	none := flow{To: "/"}
	text, ok, err := p.secret.VerifyCookie(r.Context(), flowCookie, p.guard.Cookies.Get(r, flowCookie))
	var f flow
	if !ok || json.Unmarshal(text, &f) != nil {
		return none, err
	}
	f.To = inside(f.To)
	if age := p.opt.Now().Sub(time.UnixMilli(f.At)); age < 0 || age > flowTime {
		none.To = f.To
		return none, nil
	}
	return f, nil
}

// refusals tell people why they were not let in, and what to do.
var refusals = []struct {
	err    error
	status int
	say    string // below page.sso
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

// refuseSSO shows the sign-in page with the reason. The log has the cause, which the operator
// of the service or of the issuer can mend.
func (p *pages) refuseSSO(c *gin.Context, to string, err error) error {
	for _, one := range refusals {
		if !errors.Is(err, one.err) {
			continue
		}
		because(c, "SIGN_IN_REFUSED", err)
		if one.err == sso.ErrAway {
			c.Header("Retry-After", "5")
		}
		return p.askKey(c, one.status, to, tongueOf(c).say(one.say, "name", p.opt.SSO.Name()))
	}
	return err
}
