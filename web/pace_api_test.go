package web_test

import (
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/throttle"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
)

// paced returns a lab with a limit of requests a minute.
func paced(t *testing.T, most int) *lab {
	l := newLab(t)
	l.pace(most)
	return l
}

// pace sets the limit of requests of a lab. The limit is not refilled as time passes.
func (l *lab) pace(most int) {
	rdb := redis.NewClient(&redis.Options{Addr: l.redis.Addr(), ContextTimeoutEnabled: true})
	l.t.Cleanup(func() { _ = rdb.Close() })
	l.redis.SetTime(time.Now())
	l.opt.Rate, l.opt.RateLimit = throttle.New(rdb, throttle.Options{Patience: time.Minute}), most
	l.serve()
}

var rateHeader = regexp.MustCompile(`^"minute";r=(\d+);t=\d+$`)

// let counts how many of n requests are accepted, and checks the headers.
func (l *lab) let(n, most int) (in int) {
	l.t.Helper()
	for range n {
		r := l.look("/api/v1/kinds")
		if r.header.Get("RateLimit-Policy") != `"minute";q=`+strconv.Itoa(most)+`;w=60` ||
			!rateHeader.MatchString(r.header.Get("RateLimit")) {
			l.t.Errorf("headers %v", r.header)
		}
		if r.status == http.StatusOK {
			in++
			continue
		}
		r.refuses(http.StatusTooManyRequests, "RATE_LIMITED", strconv.Itoa(most))
		if after, err := strconv.Atoi(r.header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
			l.t.Errorf("Retry-After %q", r.header.Get("Retry-After"))
		}
	}
	return in
}

// TestRate_OfATenant_CountsAllItsKeys tests two processes. Each tenant has its own count, and may
// have its own limit. Each key of the owner is counted separately.
func TestRate_OfATenant_CountsAllItsKeys(t *testing.T) {
	t.Parallel()
	l := paced(t, 4)
	if in := l.let(3, 4) + l.twin().let(3, 4); in != 4 {
		t.Errorf("%d requests of an address were answered, want 4", in)
	}
	fine(t, l.opt.Tasks.SetLimits(t.Context(), "acme", tasks.Limits{Rate: 6}))
	for tenant, want := range map[string]int{"acme": 6, "globex": 4} {
		in := 0
		for range 3 {
			_, secret := l.member(tenant, access.Admin)
			in += l.as(secret).let(want-1, want)
		}
		if in != want {
			t.Errorf("%d requests of three keys of %s were answered, want %d", in, tenant, want)
		}
	}
	for range 2 {
		_, owner := l.owner()
		if in := owner.let(5, 4); in != 4 {
			t.Errorf("%d requests of the owner were answered, want 4", in)
		}
	}
	l.look("/healthz").is(http.StatusOK)
	l.look("/api/v1/nothing").refuses(http.StatusNotFound, "NOT_FOUND")
}

// TestRateWithoutRedis: the limit still applies, and no request gets a server error.
func TestRateWithoutRedis(t *testing.T) {
	t.Parallel()
	l := paced(t, 3)
	l.redis.SetError("LOADING")
	if in := l.let(5, 3); in != 3 {
		t.Errorf("%d requests were answered, want 3", in)
	}
}

// TestNoRate: responses have no headers of limits if there is no limit.
func TestNoRate(t *testing.T) {
	t.Parallel()
	l := paced(t, 0)
	for range 10 {
		if r := l.look("/api/v1/kinds"); r.status != http.StatusOK || r.header.Get("RateLimit") != "" {
			t.Fatalf("%d %v", r.status, r.header)
		}
	}
	if keys := l.redis.Keys(); len(keys) > 0 {
		t.Errorf("Redis was asked: %v", keys)
	}
}

// TestWalkTooOften tests every path.
func TestWalkTooOften(t *testing.T) {
	t.Parallel()
	w := newWalk(t)
	w.opt.OpenRate = 1
	w.pace(1)
	w.look("/api/v1/kinds").is(http.StatusOK)
	w.every(http.StatusTooManyRequests, "RATE_LIMITED", func(*http.Request, *operation) {
		w.spend("/docs")
		for w.look(keysPath).status == http.StatusOK {
			continue // uses up the reserve
		}
	})
}

// spend uses up the rate of open paths until the next request is allowed in five seconds or more,
// because a slow machine may need a moment for the request that must be refused.
func (w *walk) spend(path string) {
	w.t.Helper()
	w.until("the rate is used up", func() bool {
		r := w.look(path)
		left, err := strconv.Atoi(r.header.Get("Retry-After"))
		return r.status == http.StatusTooManyRequests && err == nil && left >= 5
	})
}

// TestQuotas: each quota has a code, is checked before the body is read, and leaves nothing stored.
// Other tenants are not affected.
func TestQuotas(t *testing.T) {
	t.Parallel()
	open := `{"kind":"products.import","open":true}`
	three := `{"rows":[{"SKU":"A","Name":"a","Price":"1"},{"SKU":"B","Name":"b","Price":"1"},{"SKU":"C","Name":"c","Price":"1"}]}`
	for _, tt := range []struct {
		name, code string
		limits     tasks.Limits
	}{
		{"tasks", "TASK_QUOTA", tasks.Limits{Tasks: 1}},
		{"rows", "ROW_QUOTA", tasks.Limits{Rows: 3}},
		{"bytes", "STORAGE_QUOTA", tasks.Limits{Bytes: 60}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, func(o *web.Options) { o.MaxUpload = 4 << 20 })
			id := l.accepted("a.csv", rows(3), "")
			l.split()
			fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tt.limits))
			r := l.upload("b.csv", rows(3), "")
			if r.refuses(http.StatusTooManyRequests, tt.code); r.header.Get("Retry-After") != "60" {
				t.Errorf("Retry-After %q", r.header.Get("Retry-After"))
			}
			l.again("k", "/tasks", jsonType, `{"kind":"products.import",`+three[1:]).refuses(http.StatusTooManyRequests, tt.code)
			if files, err := listDir(l.folder); err != nil || len(files) != 1 {
				t.Errorf("%d files, %v, want 1", len(files), err)
			}
			l.has(1)
			l.call(http.MethodPost, "/api/v1/tasks/"+id+"/cancel", "").is(http.StatusOK)
			fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Rows: 5}))
			other := l.call(http.MethodPost, "/api/v1/tasks", open, "Content-Type", jsonType)
			other.is(http.StatusAccepted)
			path := "/api/v1/tasks/" + text(other.object()["id"]) + "/jobs"
			fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{Rows: 2}))
			l.call(http.MethodPost, path, three, "Content-Type", jsonType).refuses(http.StatusTooManyRequests, "ROW_QUOTA")
			fine(t, l.opt.Tasks.SetLimits(t.Context(), "default", tasks.Limits{}))
			l.call(http.MethodPost, path, three, "Content-Type", jsonType).is(http.StatusAccepted)
		})
	}
}
