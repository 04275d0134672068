package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
)

// problemView is a problem as a person is told of it.
type problemView struct {
	Title   string
	Refresh bool // never: looking again would not help
	Detail  string
	Places  []placeView
	Request string // to quote when the fault is ours
}

// placeView is one place of a problem in a file.
type placeView struct {
	Row    int
	Column string
	Detail string
}

// viewProblem tells a problem of an upload.
func viewProblem(c *gin.Context, p *problem.Problem) problemView {
	t := tongueOf(c)
	told := p.Localize(c.GetString(langKey))
	v := problemView{Title: t.say("not_accepted"), Detail: t.problemWords(&told)}
	if p.Status >= http.StatusInternalServerError {
		v.Request = c.GetString(requestKey)
	}
	for _, e := range told.Errors {
		if e.Detail != told.Detail {
			v.Places = append(v.Places, placeView{e.Row, e.Column, e.Detail})
		}
	}
	return v
}

// problemPage tells why there is no page.
func problemPage(c *gin.Context, p *problem.Problem) problemView {
	v := viewProblem(c, p)
	switch {
	case p.Status == http.StatusNotFound:
		v.Title = tongueOf(c).say("not_found")
	case p.Status >= http.StatusInternalServerError:
		v.Title = tongueOf(c).say("broke")
	default:
		v.Title = tongueOf(c).say("did_not_work")
	}
	return v
}
