package render

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// ProblemView holds the data of a problem for a page.
type ProblemView struct {
	Title   string
	Refresh bool // always false: a reload would not help
	Detail  string
	Places  []fileFault
	Request string // id of the request, to quote after a fault of the service; "" for other problems
}

// fileFault is one fault in a file: its position and its text.
type fileFault struct {
	Row    int
	Column string
	Detail string
}

// ViewProblem returns the view of a problem of an upload or another form. If the problem has a
// RetryAfter, it also sets the header Retry-After.
func ViewProblem(c *gin.Context, p *problem.Problem) ProblemView {
	if p.RetryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(p.RetryAfter))
	}
	t := request.Printer(c)
	localized := p.Localize(c.GetString(request.LangKey))
	v := ProblemView{Title: t.Text("not_accepted"), Detail: problemWords(t, &localized)}
	if p.Status >= http.StatusInternalServerError {
		v.Request = c.GetString(request.IDKey)
	}
	for _, e := range localized.Errors {
		if e.Detail != localized.Detail {
			v.Places = append(v.Places, fileFault{e.Row, e.Column, e.Detail})
		}
	}
	return v
}

// ProblemPage returns the view of a problem for the page that appears instead of the requested page.
func ProblemPage(c *gin.Context, p *problem.Problem) ProblemView {
	v := ViewProblem(c, p)
	switch {
	case p.Code == auth.CodeScopeMissing:
		v.Title = request.Printer(c).Text("no_access")
		v.Detail = noAccess(c, p.Args["role"], leastRole(access.Scope(p.Args["scope"])))
	case p.Status == http.StatusNotFound:
		v.Title = request.Printer(c).Text("not_found")
	case p.Status >= http.StatusInternalServerError:
		v.Title = request.Printer(c).Text("broke")
	default:
		v.Title = request.Printer(c).Text("did_not_work")
	}
	return v
}

// leastRole returns the role with the fewest rights that has a scope.
func leastRole(scope access.Scope) access.Role {
	for _, role := range access.Roles() {
		if role.May(scope) {
			return role
		}
	}
	return access.Owner
}

// noAccess returns a text that names the role that is needed and, unless only the owner may act, the role
// of the user. For pages of operators, the text also names the page.
func noAccess(c *gin.Context, role string, needed access.Role) string {
	in, path := request.Printer(c), c.Request.URL.Path
	switch {
	case needed == access.Owner:
		return in.Text("no_access.owner")
	case strings.HasPrefix(path, "/ops/access"):
		return in.Text("no_access.do", "role", role, "needed", needed, "page", in.Text("ops.door.access"))
	case path == "/ops" || strings.HasPrefix(path, "/ops/"):
		return in.Text("no_access.do", "role", role, "needed", needed, "page", in.Text("ops"))
	}
	return in.Text("no_access.act", "role", role, "needed", needed)
}
