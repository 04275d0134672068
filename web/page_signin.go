package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// sessionTime is how long a session lasts, used or not: a working day.
const sessionTime = 12 * time.Hour

// setCookie has the browser of a request keep a cookie for some seconds.
func (s *Server) setCookie(c *gin.Context, name, value string, seconds int) {
	s.guard.Cookies.Set(c.Writer, name, value, seconds, c.GetBool(tlsKey))
}

// signInPage asks for a key, or tells who is signed in.
type signInPage struct {
	Title   string
	Refresh bool // never: it would empty the form
	To      string
	Problem string
	Open    bool   // nobody has to sign in
	Other   string // where people may sign in, too; "" if nowhere
	Who     *access.Grant
}

// signIn serves GET /sign-in.
func (p *pages) signIn(c *gin.Context) error {
	g, err := p.authenticate(c)
	if err == nil {
		c.Set(callerKey, g) // the header shows what there is for the reader
	}
	switch prob := problem.OfCredential(err); {
	case err == nil && g.Key == "":
		return p.render(c, http.StatusOK, "signin.html", signInPage{Title: tongueOf(c).say("sign_in"), Open: true})
	case err == nil:
		return p.render(c, http.StatusOK, "signin.html", signInPage{Title: tongueOf(c).say("signed_in"), Who: &g})
	case prob == nil:
		return err
	case prob == problem.ErrFirstKey:
		return p.askKey(c, http.StatusOK, "/", prob.Localize(c.GetString(langKey)).Detail)
	}
	return p.askKey(c, http.StatusOK, "/", "")
}

// askKey shows the form, and the way to sign in elsewhere.
func (p *pages) askKey(c *gin.Context, status int, to, problem string) error {
	v := signInPage{Title: tongueOf(c).say("sign_in"), To: to, Problem: problem}
	if p.opt.SSO != nil {
		v.Other = p.opt.SSO.Name()
	}
	return p.render(c, status, "signin.html", v)
}

// postSignIn serves POST /sign-in: a session for who has a key.
func (p *pages) postSignIn(c *gin.Context) error {
	if p.opt.Access == nil {
		return problem.ErrNoPath
	}
	form := formOf(c)
	to := inside(form.Get("to"))
	secret := strings.TrimSpace(form.Get("key"))
	c.Set(suspectKey, suspect{via: "form", shown: access.Shown(secret)})
	session, err := p.opt.Access.SignIn(c.Request.Context(), secret, c.ClientIP(), sessionTime)
	if prob := problem.OfCredential(err); prob != nil {
		because(c, prob.Code, nil)
		return p.askKey(c, prob.Status, to, prob.Localize(c.GetString(langKey)).Detail)
	}
	if err != nil {
		return err
	}
	p.setCookie(c, auth.SessionCookie, session, int(sessionTime/time.Second))
	c.Redirect(http.StatusSeeOther, to)
	return nil
}

// signOut serves POST /sign-out.
func (p *pages) signOut(c *gin.Context) error {
	if session := p.guard.Cookies.Get(c.Request, auth.SessionCookie); p.opt.Access != nil && session != "" {
		if err := auth.CheckOrigin(c.Request); err != nil {
			return err
		}
		if err := p.opt.Access.SignOut(c.Request.Context(), session); err != nil {
			return err
		}
	}
	p.setCookie(c, auth.SessionCookie, "", -1)
	c.Redirect(http.StatusSeeOther, "/sign-in")
	return nil
}

// inside is an address of this service, whatever the form said.
func inside(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	return to
}

// admitReader lets in who may see a page, and asks others for a key.
func (p *pages) admitReader(c *gin.Context) error {
	err := p.admit(c)
	prob := problem.OfCredential(err)
	if prob == nil {
		return err
	}
	to, text := "/", tongueOf(c).say("session_over")
	if c.Request.Method == http.MethodGet {
		to, text = c.Request.URL.RequestURI(), ""
	}
	if prob == problem.ErrFirstKey {
		text = prob.Localize(c.GetString(langKey)).Detail
	}
	because(c, prob.Code, err)
	return p.askKey(c, prob.Status, to, text)
}
