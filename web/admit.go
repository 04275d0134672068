package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/api"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// admit returns an error if the credential of a request lacks the scope of its route, or if the URL
// contains an API key. Unknown and public routes need no credential. For a file, a valid link replaces
// the credential.
func (s *Server) admit(c *gin.Context) error {
	if auth.KeyInAddress(c.Request) {
		return request.ErrKeyInAddress
	}
	r := s.routeOf(c)
	switch {
	case r == nil || r.Scope == route.Everybody: // the route is unknown, or needs no credential
		return nil
	case hasLink(c):
		return s.admitLink(c)
	}
	return s.auth.Authorize(c, r.Scope)
}

// hasLink reports whether a request is for a file and has the URL parameters of a link.
func hasLink(c *gin.Context) bool {
	return c.FullPath() == api.FilePath && auth.HasLink(c.Request.URL.Query())
}

// admitLink admits a request whose link is valid, and returns an error for other requests.
func (s *Server) admitLink(c *gin.Context) error {
	link, err := s.links.Check(c.Request.Context(), c.Param("id"), c.Request.URL.Query())
	if errors.Is(err, auth.ErrLinkEnded) {
		c.Set(request.SenderKey, request.Sender{Grant: access.Grant{Key: link.Maker, Tenant: link.Tenant}})
	}
	if err != nil {
		return err
	}
	request.SetCaller(c, access.Grant{Tenant: link.Tenant})
	return nil
}

// admitReader admits a request whose credential has the scope of its page. It answers a request without a
// valid credential with the sign-in page. It returns other errors, such as a missing scope. After the
// sign-in, the browser opens the requested page or, if the request submitted a form, the page with the
// form.
func (s *Server) admitReader(c *gin.Context) error {
	err := s.admit(c)
	prob := problem.OfCredential(err)
	if prob == nil {
		return err
	}
	to, text := formPage(c.Request), request.Printer(c).Text("session_ended")
	if c.Request.Method == http.MethodGet {
		to = c.Request.URL.RequestURI()
		if prob == problem.ErrNoKey { // the user may never have signed in
			text = ""
		}
	}
	if prob == problem.ErrFirstKey {
		text = prob.Localize(c.GetString(request.LangKey)).Detail
	}
	request.Refuse(c, prob.Code, err)
	return s.signIn.AskKey(c, prob.Status, to, text)
}

// formPage returns the path and query of the page whose form the browser has sent; "/" if they are unknown.
func formPage(r *http.Request) string {
	page, err := url.Parse(r.Referer())
	if err != nil || page.Host != r.Host {
		return "/"
	}
	to, ok := strings.CutPrefix(page.RequestURI(), base.Of(r.Context()))
	if !ok {
		return "/"
	}
	return render.Inside(to)
}
