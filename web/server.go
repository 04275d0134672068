package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/sso"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/throttle"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/api"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/ops"
	"github.com/rollcall-dev/rollcall/web/pages"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Options holds the dependencies and settings of a Server. The stores, files, kinds and queue are
// required.
type Options struct {
	Tasks *tasks.Store
	Lists *tasklist.List // list of imports, for their page

	Uploads  *uploads.Store
	Mappings *mappings.Store

	Audit  *audit.Log
	Events *events.Store
	Notify *notify.Store

	// Tenants lists, exports and removes tenants, for the owner.
	Tenants *operate.Tenants

	Schedules *schedules.Store
	Files     blobs.Store
	Kinds     *jobs.Registry
	Queue     *queue.Client

	// Ready returns why the service cannot work now, or nil. Default: always ready.
	Ready func(context.Context) error

	// QueueReady returns why the queues cannot be reached now, or nil. Only pages and answers about
	// queues call it. Default: always reachable.
	QueueReady func(context.Context) error

	// Hosts are the allowed host names of requests, besides localhost and loopback addresses. Other
	// names are rejected, because a page of another site could reach the API under a name that points
	// here (DNS rebinding).
	Hosts []string

	// PublicURL is the address by which browsers reach the service. If it begins with https://,
	// cookies are Secure and have names that begin with "__Host-" or, if it has a path, "__Secure-".
	// Its path is the base of links and pages; see package base. Default: unknown; cookies are Secure
	// if the request came over TLS, or a trusted proxy reports TLS.
	PublicURL string

	// TrustedProxies are the proxies in front of the service. The address of a client is read from
	// X-Forwarded-For or Forwarded of their requests, and the base from X-Forwarded-Prefix. Default:
	// none, and the address of the connection is the address of the client.
	TrustedProxies proxy.Trusted

	// OnForwarded is called, with the context of a request, when a peer that is not a trusted
	// proxy forwards it. Default: nothing.
	OnForwarded func(ctx context.Context, peer netip.Addr)

	// Guarded declares that the program authenticates callers: while there is no key, every caller is
	// the owner. Default: while there is no key, only callers of this machine are the owner.
	Guarded bool

	// AllowPrivate lets webhooks and callback URLs name private addresses.
	AllowPrivate bool

	// Access checks credentials. Once a key exists, requests without one are rejected. Nil accepts
	// all requests.
	Access *access.Store

	// SSO signs users in through an OpenID Connect provider. Sessions and tokens of the provider are
	// accepted beside keys. It needs Access. Nil accepts keys only.
	SSO *sso.Provider

	// Idempotency stores requests by their Idempotency-Key. Nil: the header is ignored.
	Idempotency *idempotency.Store

	// Rate limits requests. Nil disables rate limiting.
	Rate *throttle.Limiter

	// RateLimit is the greatest number of requests a minute for one credential, or without
	// authentication for one address. A tenant's own limit replaces it. Default 0: no limit.
	RateLimit int

	// OpenRate is the most requests a minute that each process answers from one address on paths
	// without a credential. Probes do not count. Default 0: no limit.
	OpenRate int

	// Secret returns the secret that signs cursors, links and cookies. It must be the same in all
	// processes. Default: 32 random bytes of this process.
	Secret func(context.Context) ([]byte, error)

	// Tenant is the tenant of the owner, and of all callers without authentication. Default "default".
	Tenant string

	// MaxUpload bounds a file, in bytes. Default 100 MB.
	MaxUpload int64

	// Patience is the longest time that an upload may stall. The whole upload may take Patience and
	// one second more for each 4 KiB. Default 30s.
	Patience time.Duration

	// Keep is the time that a done task is kept. Default 90 days.
	Keep time.Duration

	// Fresh is the greatest age of a response to a poll: each task is read from the database at most
	// once per this interval. Default 250ms.
	Fresh time.Duration

	// DedupWindow is the time during which an upload is a duplicate of the same earlier file, if the
	// request enables deduplication. Default 10 minutes.
	DedupWindow time.Duration

	// Limits bounds what a file may hold.
	Limits tabular.Limits

	// Served is called after each request, on the request's goroutine and with its context. Default:
	// nothing.
	Served func(ctx context.Context, r Served)

	// Metrics answers GET /metrics. Nil: an empty page.
	Metrics http.Handler

	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Log gets one record per failed request. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Tenant = cmp.Or(o.Tenant, "default")
	o.MaxUpload = cmp.Or(o.MaxUpload, 100<<20)
	o.Patience = cmp.Or(o.Patience, conns.Patience)
	o.Fresh = cmp.Or(o.Fresh, 250*time.Millisecond)
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
	o.DedupWindow = cmp.Or(o.DedupWindow, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Secret == nil {
		own := []byte(rand.Text() + rand.Text())
		o.Secret = func(context.Context) ([]byte, error) { return own, nil }
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.QueueReady == nil {
		o.QueueReady = func(context.Context) error { return nil }
	}
	return o
}

// Server answers HTTP requests. Make it with New; it is an http.Handler.
type Server struct {
	opt                    Options
	base                   string // the path of PublicURL
	gin                    *gin.Engine
	table                  map[string]*route.Route // by method and path
	reserve                map[*route.Route]bool   // see reserveRoutes
	cache                  *taskcache.Cache
	ingest                 *ingest.Service
	picker                 *words.Picker
	secret                 *auth.Secret // signs cursors, links and cookies
	guard                  *auth.Guard
	links                  *auth.Links
	pace                   pace
	refusals, refusedAudit refusalLog
	open                   throttle.Local // requests on open paths
	leaving                atomic.Bool
	probeLogged            atomic.Int64 // unix ms
	stopping               chan struct{}
	manual                 docsTexts
	problems               *request.Problems
	auth                   *request.Credentials
	intake                 *intake.Reader
	render                 *render.Renderer
	api                    *api.Handlers
	pages                  *pages.Handlers
	ops                    *ops.Handlers
}

// New returns a server. It does no I/O. It panics if a route does not declare its input; no option can
// cause that.
func New(opt Options) *Server {
	gin.SetMode(gin.ReleaseMode)
	s := &Server{
		opt: opt.withDefaults(), gin: gin.New(), stopping: make(chan struct{}),
		manual: docsTexts{made: map[docsLook]docsText{}},
	}
	s.base, _ = base.OfAddress(s.opt.PublicURL) // an invalid address, which the program should have rejected, has no base
	s.cache = &taskcache.Cache{
		Read: s.opt.Tasks.Get, MaxAge: s.opt.Fresh,
		Load: taskcache.Details{Events: s.opt.Events, Kinds: s.opt.Kinds, Now: s.opt.Now}.Load,
	}
	s.ingest = &ingest.Service{
		Tasks: s.opt.Tasks, Events: s.opt.Events, Schedules: s.opt.Schedules, Files: s.opt.Files, Kinds: s.opt.Kinds,
		Uploads: s.opt.Uploads, Log: s.opt.Log,
		Limits: s.opt.Limits, Retention: s.opt.Keep, DedupWindow: s.opt.DedupWindow, Now: s.opt.Now,
		CheckAddress: s.checkAddress, Wake: s.ringFor,
	}
	s.secret = &auth.Secret{Load: s.opt.Secret}
	s.guard = &auth.Guard{
		Access: s.opt.Access, SSO: s.opt.SSO, Cookies: auth.Cookies{PublicURL: s.opt.PublicURL}, Tenant: s.opt.Tenant,
		Guarded: s.opt.Guarded, Proxies: s.opt.TrustedProxies,
	}
	s.links = &auth.Links{Secret: s.secret, Access: s.opt.Access, Tenant: s.opt.Tenant, Now: s.opt.Now}
	s.pace.read, s.pace.usual = s.ownRate, s.opt.RateLimit
	s.picker = newPicker(s.opt.Kinds)
	s.refusedAudit = refusalLog{
		window: auditWindow, most: auditEntries, total: auditMost, kind: auditKind, group: tenantOf, write: s.auditRefusal,
	}
	s.refusals = refusalLog{
		window: refusalWindow, most: refusalLines, total: refusalLines, kind: kindOfLine, group: inAll, write: s.writeRefusal,
	}
	s.gin.HandleMethodNotAllowed, s.gin.RedirectTrailingSlash = true, false
	_ = s.gin.SetTrustedProxies(nil) // addressed sets the address; nil returns no error
	s.wire()
	s.gin.Use(s.addressed, s.served, requestID, s.logRefusals, s.recover, headers, s.language, s.boundBodyTime, s.handle(checkEncoding),
		s.handle(s.checkHost), s.handle(checkOrigin), s.atWork, s.handle(s.openPaced), s.gate, s.handle(s.paced),
		s.handle(s.idempotent))
	s.mount(s.routes())
	return s
}

// Leave makes /readyz report that the process stops, so that a load balancer sends requests
// elsewhere. Requests are answered as before.
func (s *Server) Leave() { s.leaving.Store(true) }

// Stop ends the streams, which would delay a graceful stop, and sends their clients the time to
// reconnect. It answers waiting polls. Call it once.
func (s *Server) Stop() {
	s.Leave()
	close(s.stopping)
	s.refusedAudit.end()
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if to := s.baseOf(r); to != "" {
		w, r = base.Writer(w, to), base.Enter(r, base.Path{Text: to, Kept: to == s.base})
	}
	s.gin.ServeHTTP(w, r)
}

// baseOf returns the base path by which the client of a request reaches the service: the base that a
// trusted proxy sends, or else the base of PublicURL.
func (s *Server) baseOf(r *http.Request) string {
	reported, ok := s.opt.TrustedProxies.Prefix(r)
	if !ok {
		return s.base
	}
	to, err := base.Parse(reported)
	if err != nil {
		return s.base
	}
	return to
}

// StartRun makes the task of a run of a schedule; see intake.Reader.StartRun.
func (s *Server) StartRun(ctx context.Context, r schedules.Run) (*tasks.Problem, error) {
	return s.intake.StartRun(ctx, r)
}
