package problem

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rollcall-dev/rollcall/tasks"
)

// ofLimits returns the problem of an error about limits, priorities or pauses of tenants; nil for other
// errors.
func ofLimits(err error) *Problem {
	var above *tasks.CapError
	var high *tasks.PriorityError
	switch {
	case errors.As(err, &above):
		p := New(http.StatusUnprocessableEntity, "LIMIT_ABOVE_ALLOWED", fmt.Sprintf(
			"The owner of the service allows at most %d.", above.Most)).At("/" + above.What)
		p.Args = map[string]string{"n": strconv.FormatInt(above.Most, 10)}
		return p
	case errors.As(err, &high):
		return BadOption("priority", fmt.Sprintf("priority is a number from %d to %d.", -tasks.MaxPriority, high.Most))
	case errors.Is(err, tasks.ErrStopped):
		return ErrPausedByOwner
	}
	return nil
}

// quotaPause is the Retry-After, in seconds, if a quota is used up. It is a guess, because the service
// cannot predict when tasks end or files expire.
const quotaPause = 60

// quotaCodes maps a quota to its code and to the text of its limit.
var quotaCodes = map[string][2]string{
	"tasks": {"TASK_QUOTA", "%d unfinished tasks"},
	"rows":  {"ROW_QUOTA", "%d unfinished rows"},
	"bytes": {"STORAGE_QUOTA", "%d bytes of stored files"},
}

// ofQuota returns the problem that a quota is used up; nil for other errors.
func ofQuota(err error) *Problem {
	var q *tasks.QuotaError
	if !errors.As(err, &q) {
		return nil
	}
	code := quotaCodes[q.What]
	p := New(http.StatusTooManyRequests, code[0], fmt.Sprintf(
		"Your account may have at most "+code[1]+". Try again when there are fewer, or ask for a higher limit.", q.Most))
	p.RetryAfter = quotaPause
	return p
}
