package signin

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// sessionTime is the time after which a session ends, even if it is in use.
const sessionTime = 12 * time.Hour

// setCookie sets a cookie that the browser keeps for a number of seconds. A negative number deletes the
// cookie.
func (p *Handlers) setCookie(c *gin.Context, name, value string, seconds int) {
	p.Guard.Cookies.Set(c.Writer, c.Request, auth.Cookie{Name: name, Value: value, Seconds: seconds, TLS: c.GetBool(request.TLSKey)})
}

// signInPage holds the data of the page with the form for an API key. For a user with a session, the page
// shows the user and no form.
type signInPage struct {
	Title   string
	Refresh bool // always false: a reload would empty the form
	To      string
	Problem string
	Open    bool   // no sign-in is required
	Other   string // name of the sign-in provider; "" if there is none
	Who     *access.Grant
}

// OfNoPart marks a page for which the header highlights no link.
func (signInPage) OfNoPart() {}

// signIn serves GET /sign-in.
func (p *Handlers) signIn(c *gin.Context) error {
	g, err := p.Auth.Authenticate(c)
	if err == nil {
		request.SetCaller(c, g) // the header shows the links of the user
	}
	switch prob := problem.OfCredential(err); {
	case err == nil && g.Key == "":
		return p.Render.Page(c, http.StatusOK, "signin.html", signInPage{Title: request.Printer(c).Text("sign_in"), Open: true})
	case err == nil:
		return p.Render.Page(c, http.StatusOK, "signin.html", signInPage{Title: request.Printer(c).Text("signed_in"), Who: &g})
	case prob == nil:
		return err
	case prob == problem.ErrFirstKey:
		return p.AskKey(c, http.StatusOK, "/", prob.Localize(c.GetString(request.LangKey)).Detail)
	}
	return p.AskKey(c, http.StatusOK, "/", "")
}

// AskKey answers with the form for an API key, and a link to the sign-in provider if there is one.
func (p *Handlers) AskKey(c *gin.Context, status int, to, problem string) error {
	v := signInPage{Title: request.Printer(c).Text("sign_in"), To: to, Problem: problem}
	if p.SSO != nil {
		v.Other = p.SSO.Name()
	}
	return p.Render.Page(c, status, "signin.html", v)
}

// postSignIn serves POST /sign-in, which starts a session for a valid API key. For any other key, it
// answers with the form and the reason.
func (p *Handlers) postSignIn(c *gin.Context) error {
	if p.Access == nil {
		return problem.ErrNoPath
	}
	form := request.Form(c)
	to := render.Inside(form.Get("to"))
	secret := strings.TrimSpace(form.Get("key"))
	c.Set(request.SenderKey, request.Sender{Via: "form", Shown: access.Shown(secret)})
	session, err := p.Access.SignIn(c.Request.Context(), secret, c.ClientIP(), sessionTime)
	if prob := problem.OfCredential(err); prob != nil {
		request.Refuse(c, prob.Code, nil)
		return p.AskKey(c, prob.Status, to, prob.Localize(c.GetString(request.LangKey)).Detail)
	}
	if err != nil {
		return err
	}
	p.setCookie(c, auth.SessionCookie, session, int(sessionTime/time.Second))
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// signOut serves POST /sign-out.
func (p *Handlers) signOut(c *gin.Context) error {
	if session := p.Guard.Cookies.Get(c.Request, auth.SessionCookie); p.Access != nil && session != "" {
		if err := auth.CheckOrigin(c.Request); err != nil {
			return err
		}
		if err := p.Access.SignOut(c.Request.Context(), session); err != nil {
			return err
		}
	}
	p.setCookie(c, auth.SessionCookie, "", -1)
	c.Redirect(http.StatusSeeOther, "/sign-in")
	return nil
}
