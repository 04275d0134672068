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
	"github.com/rollcall-dev/rollcall/web/signin"
	"github.com/rollcall-dev/rollcall/web/taskcache"
)

// Options holds the dependencies and settings of a Server. Files, Kinds, Queue and the stores are required,
// except the stores Access and Idempotency.
type Options struct {
	Tasks *tasks.Store
	Lists *tasklist.List // lists imports, for the start page

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

	// Ready returns an error if the ledger cannot be reached. Default: always ready.
	Ready func(context.Context) error

	// QueueReady returns an error if the queues cannot be reached now. Only /readyz calls it. Default:
	// always reachable.
	QueueReady func(context.Context) error

	// Hosts are the host names that requests may have besides localhost and loopback addresses. Requests
	// with other names are rejected. This prevents DNS rebinding: a page of another site could reach the
	// API under a name that resolves to this address.
	Hosts []string

	// PublicURL is the address by which browsers reach the service. If it begins with https://, cookies are
	// Secure and have names that begin with "__Host-" or, if it has a path, "__Secure-". Its path is the
	// base of links and pages. Default: unknown; cookies are Secure if the request came over TLS, or a
	// trusted proxy reports TLS.
	PublicURL string

	// TrustedProxies are the proxies in front of the service. The address of a client is read from
	// X-Forwarded-For or Forwarded of their requests, and the base path of links from
	// X-Forwarded-Prefix. Default: none; the address of the connection is then the address of the
	// client.
	TrustedProxies proxy.Trusted

	// OnForwarded is called for each request from a proxy that TrustedProxies lacks, with the context of
	// the request and the address of the proxy. Nil disables the call.
	OnForwarded func(ctx context.Context, peer netip.Addr)

	// Guarded declares that the embedding program authenticates callers. Before the first API key exists,
	// every caller is then the owner. Default: before the first API key, only callers of this machine are
	// the owner. Guarded has no effect with SSO.
	Guarded bool

	// AllowPrivate lets webhooks and callback URLs name private addresses.
	AllowPrivate bool

	// Access checks credentials. Once an API key exists, requests without a credential are rejected. Nil
	// makes every caller the owner.
	Access *access.Store

	// SSO signs users in through an OpenID Connect provider. Sessions and tokens from the provider are
	// then accepted as well as API keys. SSO needs Access. Nil accepts API keys only.
	SSO *sso.Provider

	// Idempotency stores responses by the Idempotency-Key of their requests. Nil ignores that
	// header.
	Idempotency *idempotency.Store

	// Rate counts requests and enforces RateLimit and the rates of tenants. Nil disables both, but not
	// OpenRate.
	Rate *throttle.Limiter

	// RateLimit is the greatest number of requests a minute for a tenant and for each API key of
	// the owner. The same limit applies to each address without a credential. A tenant's own limit
	// replaces it. Default 0: no limit.
	RateLimit int

	// OpenRate is the greatest number of requests a minute that each process answers for one address on
	// paths that need no credential. Health checks do not count. Default 0: no limit.
	OpenRate int

	// Secret returns the secret that signs cursors, links and cookies. All processes must have the
	// same secret. Default: a random secret that only this process has.
	Secret func(context.Context) ([]byte, error)

	// Tenant is the tenant of the owner, and of all callers without authentication. Default "default".
	Tenant string

	// MaxUpload is the greatest size of an uploaded file, in bytes. Default 100 MiB.
	MaxUpload int64

	// StallTimeout is the longest time for which an upload may stall. A whole upload may take StallTimeout,
	// plus one second for each 4 KiB. Default 30s.
	StallTimeout time.Duration

	// CancelGrace is the time between the request to cancel waiting rows and the cancel of the rows that
	// are in Redis. In this time, each process records which of these rows it runs. Default 3s.
	CancelGrace time.Duration

	// Keep is the time for which a done task is stored. Default 90 days.
	Keep time.Duration

	// Fresh is the greatest age of the response to a poll. Each process reads a task from the database at
	// most once in this time. Default 250ms.
	Fresh time.Duration

	// Limits bounds the contents of a file.
	Limits tabular.Limits

	// Served is called after each request, on the request's goroutine and with its context. Nil disables
	// the call.
	Served func(ctx context.Context, r Served)

	// Metrics answers GET /metrics. Nil answers with an empty page.
	Metrics http.Handler

	// Now returns the current time. Default time.Now.
	Now func() time.Time

	// Log receives failures of the service and refused requests. Default: no log.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Tenant = cmp.Or(o.Tenant, "default")
	o.MaxUpload = cmp.Or(o.MaxUpload, 100<<20)
	o.StallTimeout = cmp.Or(o.StallTimeout, conns.StallTimeout)
	o.Fresh = cmp.Or(o.Fresh, 250*time.Millisecond)
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
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

// Server is an http.Handler for the API and the pages. New makes a Server.
type Server struct {
	opt                    Options
	base                   string // the path of PublicURL
	gin                    *gin.Engine
	table                  map[string]*route.Route // by method and path
	reserve                map[*route.Route]bool   // the routes that reserveRoutes returns
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
	signIn                 *signin.Handlers
	ops                    *ops.Handlers
}

// New returns a server. It does no I/O. It panics if a route is incomplete or exists twice, which is an
// error of this package and not of the options.
func New(opt Options) *Server {
	gin.SetMode(gin.ReleaseMode)
	s := &Server{
		opt: opt.withDefaults(), gin: gin.New(), stopping: make(chan struct{}),
		manual: docsTexts{made: map[docsKey]docsText{}},
	}
	s.base, _ = base.OfAddress(s.opt.PublicURL) // without a base if the address is invalid
	s.cache = &taskcache.Cache{
		Read: s.opt.Tasks.Get, MaxAge: s.opt.Fresh,
		Load: taskcache.Details{Events: s.opt.Events, Kinds: s.opt.Kinds, Now: s.opt.Now}.Load,
	}
	s.ingest = &ingest.Service{
		Tasks: s.opt.Tasks, Events: s.opt.Events, Schedules: s.opt.Schedules, Files: s.opt.Files, Kinds: s.opt.Kinds,
		Uploads: s.opt.Uploads, Log: s.opt.Log,
		Limits: s.opt.Limits, Retention: s.opt.Keep, Now: s.opt.Now,
		CheckAddress: s.checkAddress, Wake: s.wakeFor,
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
		period: auditPeriod, most: auditEntries, total: auditMost, class: auditClass, group: tenantOf, write: s.auditRefusal,
	}
	s.refusals = refusalLog{
		period: refusalPeriod, most: refusalLines, total: refusalLines, class: classOfLine, group: inAll, write: s.writeRefusal,
	}
	s.gin.HandleMethodNotAllowed, s.gin.RedirectTrailingSlash = true, false
	_ = s.gin.SetTrustedProxies(nil) // setClient sets the address; nil returns no error
	s.wire()
	s.gin.Use(s.setClient, s.reportServed, requestID, s.logRefusals, s.recover, headers, s.language, s.boundBodyTime,
		s.handle(checkEncoding), s.handle(s.checkHost), s.handle(checkOrigin), s.atWork, takeRest, s.handle(s.openPaced), s.gate, s.handle(s.paced),
		s.handle(s.idempotent))
	s.mount(s.routes())
	return s
}

// Leave makes /readyz report that the process is stopping, so that a load balancer sends new requests
// elsewhere. The server still answers requests.
func (s *Server) Leave() { s.leaving.Store(true) }

// Stop calls Leave, answers waiting polls, and ends the event streams, which would delay a graceful stop.
// It sends the clients of streams the time after which to reconnect, and writes pending audit entries
// about refused requests. Call it once.
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

// baseOf returns the base path by which the client of a request reaches the service. A trusted proxy
// may send the base in a header. Without a valid header, the base is the path of PublicURL.
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

// StartRun creates the task of a due run of a schedule. If another process has changed the
// schedule, it returns schedules.ErrChanged. For other errors, it also returns the problem for
// users.
func (s *Server) StartRun(ctx context.Context, r schedules.Run) (*tasks.Problem, error) {
	return s.intake.StartRun(ctx, r)
}
