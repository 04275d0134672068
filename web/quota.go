package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
)

// quotaPause is when to try again what a quota has refused, in seconds: tasks
// end, files are purged, but nobody knows when.
const quotaPause = 60

// quotaCodes are the codes of quotas that are used up, and what may be had.
var quotaCodes = map[string][2]string{
	"tasks": {"TASK_QUOTA", "%d tasks that are not done"},
	"rows":  {"ROW_QUOTA", "%d rows that have not ended"},
	"bytes": {"STORAGE_QUOTA", "%d bytes of uploads that are kept"},
}

// quotaProblem is the problem of a quota; nil if err is none.
func quotaProblem(err error) *problem {
	var q *tasks.QuotaError
	if !errors.As(err, &q) {
		return nil
	}
	code := quotaCodes[q.What]
	p := refuse(http.StatusTooManyRequests, code[0], fmt.Sprintf(
		"Your account may have "+code[1]+". Try again when some are gone, or ask for more.", q.Most))
	p.after = quotaPause
	return p
}

// roomFor refuses a request before it is read if its tenant has no room for so
// much more.
func (s *Server) roomFor(c *gin.Context, more tasks.Use) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), readTimeout)
	defer cancel()
	return s.opt.Tasks.Room(ctx, s.tenant(c), more)
}
