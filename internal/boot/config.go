package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Config is all that can be set from outside; the tags are for kong.
type Config struct {
	Listen        string            `env:"LISTEN" default:"127.0.0.1:8080" help:"Address to listen on; port 0 picks a free one."`
	DataDir       string            `env:"DATA_DIR" default:"./data" help:"Folder of the embedded database and of files."`
	DatabaseURL   string            `env:"DATABASE_URL" name:"database-url" help:"Postgres, as postgres://…; empty: SQLite in the data folder."`
	RedisURL      string            `env:"REDIS_URL" name:"redis-url" help:"Redis: redis://…, rediss://…, comma-separated addresses or redis+cluster://… of a cluster, redis+sentinel://host,host/name; options such as ?pool_size=50 or ?sentinel_password=…; empty: in this process."`
	BlobURL       string            `env:"BLOB_URL" name:"blob-url" help:"What keeps files, shared by all processes: a folder, as file:///…, or a bucket, as s3://bucket/prefix?endpoint=https://…&region=…; empty: blobs in the data folder."`
	S3ID          string            `env:"AWS_ACCESS_KEY_ID" name:"s3-id" help:"Key of the bucket; empty: the role of the machine."`
	S3Secret      string            `env:"AWS_SECRET_ACCESS_KEY" name:"s3-secret" help:"Secret of that key."`
	S3Session     string            `env:"AWS_SESSION_TOKEN" name:"s3-session" help:"Session of that key, if it has one."`
	Prefix        string            `env:"REDIS_PREFIX" name:"redis-prefix" default:"rollcall" help:"Start of every Redis key."`
	Hosts         []string          `env:"HOSTS" help:"Host names, besides localhost, that requests may be for: those of a proxy before this."`
	Proxies       []string          `env:"TRUSTED_PROXIES" name:"trusted-proxies" help:"Addresses and networks of the proxies before this, such as 10.0.0.0/8: the address of a client is read from X-Forwarded-For or Forwarded of their requests. Empty: that of the connection."`
	Concurrency   int               `env:"CONCURRENCY" default:"25" help:"Jobs that run at once in this process."`
	Lease         time.Duration     `env:"LEASE" default:"10s" help:"How long a silent process keeps its shards."`
	MaxUpload     int64             `env:"MAX_UPLOAD" name:"max-upload" default:"104857600" help:"Largest file, in bytes."`
	RateLimit     int               `env:"RATE_LIMIT" name:"rate-limit" default:"0" help:"Requests a minute that the API answers of all keys of a tenant together, of each key of the owner, or of one address without keys; 0: any number. Tenants may have a number of their own."`
	OpenRate      int               `env:"OPEN_RATE_LIMIT" name:"open-rate-limit" default:"1200" help:"Requests a minute that each process answers of one address on paths that ask for no credential, probes excepted; 0: any number."`
	MaxConns      int               `env:"MAX_CONNECTIONS" name:"max-connections" default:"2048" help:"Connections that an API has at once; then the client that has the most gives one up."`
	ClientConns   int               `env:"MAX_CONNECTIONS_PER_CLIENT" name:"max-connections-per-client" default:"1024" help:"Connections that one address has at once, and requests at work of one client of a trusted proxy."`
	Retention     int               `env:"RETENTION" default:"90" help:"Days for which a task is kept once it is done; an import may ask for another number."`
	AuditDays     int               `env:"AUDIT_RETENTION" name:"audit-retention" default:"365" help:"Days for which an entry of the audit log is kept; entries of a task stay as long as the task."`
	MetricsListen string            `env:"METRICS_LISTEN" name:"metrics-listen" help:"Address for /metrics, /healthz and /readyz without a key, for machines only; empty: none. An API has them at LISTEN too, /metrics for keys of the owner."`
	Drain         time.Duration     `env:"DRAIN" default:"0s" help:"How long a process that was told to stop still answers, while /readyz says 503: until a load balancer has seen it."`
	StuckAfter    time.Duration     `env:"STUCK_AFTER" name:"stuck-after" default:"10m" help:"How long a handler may run before a warning and the metric jobs_stuck tell of it; 0s: as long as it likes."`
	Build         string            `env:"BUILD" help:"Version of this program; rows are found by the version that ran them. Empty: the revision it was built from."`
	TraceTo       string            `env:"OTEL_EXPORTER_OTLP_ENDPOINT" name:"trace-to" help:"Collector of OpenTelemetry, as http://host:4318, that is told how each task went, from upload to callback; empty: none."`
	TraceHeaders  map[string]string `env:"OTEL_EXPORTER_OTLP_HEADERS" name:"trace-headers" mapsep:"," help:"Headers of what is sent there, as name=value,name=value."`
	TraceShare    float64           `env:"OTEL_TRACES_SAMPLER_ARG" name:"trace-share" default:"1" help:"Part of the tasks that is traced, above 0 to 1."`
	TraceName     string            `env:"OTEL_SERVICE_NAME" name:"trace-name" default:"rollcall" help:"Name of this process there."`
	LogLevel      string            `env:"LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Least level that is logged: debug, info, warn or error."`
	LogFormat     string            `env:"LOG_FORMAT" default:"auto" enum:"auto,text,json" help:"auto (colours on a terminal, else text), text or json."`

	WebhookAllowPrivate bool `env:"WEBHOOK_ALLOW_PRIVATE" name:"webhook-allow-private" help:"Let webhooks and callback URLs reach private addresses too: for tests, and for intranets whose users are trusted."`

	SecretKeys []string `env:"SECRET_KEYS" name:"secret-keys" help:"Keys of 32 bytes in base64 that seal signing secrets of webhooks before they are stored, with commas between them: the first seals, all open. Empty: secrets are stored as they are."`

	OIDC OIDC `embed:""`

	// Guarded reports that the program checks by itself who calls the API; see web.Options.
	Guarded bool `kong:"-"`

	// Now is the time instead of the ledger's own, on SQLite. Nil: its own.
	Now func() time.Time `kong:"-"`

	// Poll is how often waiting work is looked for without being told of it.
	// Default 1s.
	Poll time.Duration `kong:"-"`
}

// maxRetention bounds Retention, in days.
const maxRetention = 3650

// maxDrain bounds Drain.
const maxDrain = 10 * time.Minute

// keep is how long a task is kept.
func (c Config) keep() time.Duration { return time.Duration(c.Retention) * 24 * time.Hour }

// auditKeep is how long an entry of the audit log is kept; 0: for the time of the keeper.
func (c Config) auditKeep() time.Duration { return time.Duration(c.AuditDays) * 24 * time.Hour }

// Embedded tells whether database and Redis live in this process.
func (c Config) Embedded() bool { return c.DatabaseURL == "" && c.RedisURL == "" }

// Check tells every fault at once, so that one restart is enough to mend them.
func (c Config) Check(r Role) error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if (c.DatabaseURL == "") != (c.RedisURL == "") {
		fault("DATABASE_URL and REDIS_URL go together: set both, or neither for the embedded mode")
	}
	if err := c.checkLedger(); err != nil {
		fault("%w", err)
	}
	if c.Embedded() && !r.API {
		fault("cmd/worker needs DATABASE_URL and REDIS_URL: the embedded mode runs its workers in cmd/api")
	}
	if _, err := redisurl.Parse(c.RedisURL); c.RedisURL != "" && err != nil {
		fault("REDIS_URL: %w", err)
	}
	if err := c.checkBlobs(); err != nil {
		fault("BLOB_URL: %w", err)
	}
	if c.Retention < 1 || c.Retention > maxRetention {
		fault("RETENTION must be a number of days from 1 to %d", maxRetention)
	}
	if c.AuditDays < 0 || c.AuditDays > maxRetention {
		fault("AUDIT_RETENTION must be a number of days from 1 to %d; 0 is 365", maxRetention)
	}
	if c.RateLimit < 0 || c.RateLimit > tasks.MaxLimit {
		fault("RATE_LIMIT must be a number from 0 to %d", tasks.MaxLimit)
	}
	if c.OpenRate < 0 || c.OpenRate > tasks.MaxLimit {
		fault("OPEN_RATE_LIMIT must be a number from 0 to %d", tasks.MaxLimit)
	}
	if c.MaxConns < 0 || c.ClientConns < 0 {
		fault("MAX_CONNECTIONS and MAX_CONNECTIONS_PER_CLIENT must be above 0, or 0 for the default")
	}
	if _, err := proxy.Parse(c.Proxies); err != nil {
		fault("TRUSTED_PROXIES: %w", err)
	}
	if err := c.OIDC.check(); r.API && err != nil {
		fault("%w", err)
	}
	if err := c.checkTraces(); err != nil {
		fault("%w", err)
	}
	if err := c.checkSecrets(); err != nil {
		fault("%w", err)
	}
	if c.StuckAfter < 0 {
		fault("STUCK_AFTER must not be below 0s")
	}
	if c.Drain < 0 || c.Drain > maxDrain {
		fault("DRAIN must be from 0s to %v", maxDrain)
	}
	if c.Concurrency < 1 || c.Lease < time.Second || c.MaxUpload < 1 {
		fault("CONCURRENCY and MAX_UPLOAD must be above 0, LEASE at least 1s")
	}
	if _, _, err := net.SplitHostPort(c.Listen); r.API && err != nil {
		fault("LISTEN: %w", err)
	}
	if _, _, err := net.SplitHostPort(c.MetricsListen); c.MetricsListen != "" && err != nil {
		fault("METRICS_LISTEN: %w", err)
	}
	return errors.Join(errs...)
}

// loopback tells whether only this machine can reach an address.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

func (c Config) checkLedger() error {
	if c.DatabaseURL != "" && !ledger.IsPostgres(c.DatabaseURL) {
		return errors.New("DATABASE_URL must begin with postgres://")
	}
	return nil
}

// trustedProxies returns the proxies that Check has found right.
func (c Config) trustedProxies() proxy.Trusted {
	trusted, err := proxy.Parse(c.Proxies)
	if err != nil {
		return nil // no header counts
	}
	return trusted
}

// connections returns an empty table for the connections of an API.
func (a *app) connections() *conns.Table {
	return conns.NewTable(conns.Limits{
		Connections: a.cfg.MaxConns, PerAddress: a.cfg.ClientConns, GivenUp: a.metrics.GivenUp,
	}, a.cfg.trustedProxies().Has)
}

// openLedger opens and migrates the configured database.
func (c Config) openLedger(ctx context.Context) (*ledger.DB, error) {
	return ledger.Open(ctx, c.ledgerURL(), ledger.Options{Now: c.Now})
}

func (c Config) level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(c.LogLevel))); err != nil {
		return slog.LevelInfo
	}
	return l
}
