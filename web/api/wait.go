package api

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// longestWait is the longest time that a request waits for the task that it has started.
const longestWait = 30 * time.Second

// preferredWait returns how long the caller prefers to wait for the task to be done (Prefer: wait=n,
// RFC 7240), at most longestWait. It returns 0 without a valid preference.
func preferredWait(h http.Header) time.Duration {
	for _, line := range h.Values("Prefer") {
		for one := range strings.SplitSeq(line, ",") {
			one, _, _ = strings.Cut(one, ";")
			name, value, _ := strings.Cut(one, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			n, err := strconv.ParseUint(strings.Trim(value, ` "`), 10, 31)
			if err != nil {
				return 0
			}
			return min(time.Duration(n)*time.Second, longestWait)
		}
	}
	return 0
}

// respond answers with the task that a request has added or found. With a preference to wait, the answer
// follows when the task is done or the wait is over.
func (s *Handlers) respond(c *gin.Context, t *tasks.Task, old bool) error {
	wait := preferredWait(c.Request.Header)
	if wait == 0 || t.Status.Done() {
		s.created(c, t, old)
		return nil
	}
	c.Header("Preference-Applied", "wait="+strconv.Itoa(int(wait/time.Second)))
	ctx, cancel := context.WithTimeout(c.Request.Context(), wait)
	defer cancel()
	if t = s.waitDone(ctx, c, t); !t.Status.Done() {
		s.created(c, t, old)
		return nil
	}
	render, err := s.Cache.Load(c.Request.Context(), t)
	if err != nil {
		return err
	}
	v := render(c.GetString(request.LangKey))
	v.Deduplicated = old
	c.Header("Location", "/api/v1/tasks/"+t.ID)
	c.Header("ETag", view.Etag(c.GetString(request.LangKey), t))
	request.JSON(c, http.StatusOK, v)
	return nil
}

// waitDone returns the task when it is done. If ctx ends, the service stops, the credential becomes invalid,
// or a read fails, waitDone returns the last state that it has read. It returns no error in these cases,
// because the task was accepted.
func (s *Handlers) waitDone(ctx context.Context, c *gin.Context, t *tasks.Task) *tasks.Task {
	for n := 0; !t.Status.Done() && s.Auth.RecheckAuth(c) == nil; n++ {
		pause, look := waitStep, s.cached
		if n < quickLooks {
			pause, look = quickStep<<n, s.fromLedger
		}
		select {
		case <-ctx.Done():
			return t
		case <-s.Stopping:
			return t
		case <-time.After(pause):
		}
		now, err := look(ctx, t.Tenant, t.ID)
		if err != nil {
			return t
		}
		t = now
	}
	return t
}

// A waiting request first reads the task from the ledger, about 15, 45 and 105 ms after the wait has begun.
// Small tasks are often done by these times.
const (
	quickLooks = 3
	quickStep  = 15 * time.Millisecond
)

// fromLedger reads a task from the database. It also invalidates the cached task, which may be older.
func (s *Handlers) fromLedger(ctx context.Context, tenant, id string) (*tasks.Task, error) {
	defer s.Cache.Invalidate(tenant, id)
	return s.Tasks.Get(ctx, tenant, id)
}

// cached returns a task from the cache.
func (s *Handlers) cached(ctx context.Context, tenant, id string) (*tasks.Task, error) {
	l, err := s.Cache.Get(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	return l.Task, nil
}
