package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/proxy"
	"github.com/rollcall-dev/rollcall/internal/redisurl"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Config holds all settings. Package kong reads its tags.
type Config struct {
	Listen          string            `env:"LISTEN" default:"127.0.0.1:8080" help:"Address to listen on; port 0 picks a free one."`
	DataDir         string            `env:"DATA_DIR" default:"./data" help:"Folder of the embedded database and files."`
	DatabaseURL     string            `env:"DATABASE_URL" name:"database-url" help:"Postgres, as postgres://…; empty: SQLite in the data folder."`
	Schema          string            `env:"DATABASE_SCHEMA" name:"database-schema" default:"rollcall" help:"Schema of the tables in Postgres; the first start makes it."`
	RedisURL        string            `env:"REDIS_URL" name:"redis-url" help:"Redis: redis://… or rediss://…; a cluster: comma-separated addresses or redis+cluster://…; Sentinel: redis+sentinel://host,host/name; options: for example ?pool_size=50 or ?sentinel_password=…; empty: embedded in this process."`
	BlobURL         string            `env:"BLOB_URL" name:"blob-url" help:"File storage, shared by all processes: file:///folder or s3://bucket/prefix?endpoint=https://…&region=…; empty: blobs in the data folder."`
	S3ID            string            `env:"AWS_ACCESS_KEY_ID" name:"s3-id" help:"Access key ID of the bucket; empty: the role of the machine."`
	S3Secret        string            `env:"AWS_SECRET_ACCESS_KEY" name:"s3-secret" help:"Secret access key of the bucket."`
	S3Session       string            `env:"AWS_SESSION_TOKEN" name:"s3-session" help:"Session token of the access key, if any."`
	Prefix          string            `env:"REDIS_PREFIX" name:"redis-prefix" default:"rollcall" help:"Prefix of every Redis key."`
	Hosts           []string          `env:"HOSTS" help:"Host names that requests may use besides localhost, for example those of a proxy in front."`
	Proxies         []string          `env:"TRUSTED_PROXIES" name:"trusted-proxies" help:"Addresses and networks of proxies in front, for example 10.0.0.0/8. The service reads client addresses from their X-Forwarded-For or Forwarded headers, and the path before links from X-Forwarded-Prefix. Empty: the address of the connection."`
	Concurrency     int               `env:"CONCURRENCY" default:"25" help:"Jobs that this process runs at the same time."`
	Scheduler       string            `env:"SCHEDULER" default:"lag" enum:"lag,sequential,weighted" help:"Order in which a worker serves its shards: lag (the longest overdue job first), sequential (in a fixed order) or weighted (queues in proportion to their weights)."`
	Weights         map[string]int    `env:"WEIGHTS" mapsep:"," help:"Weights of kinds as kind=number,kind=number, instead of those in the program."`
	RunHours        map[string]string `env:"RUN_HOURS" name:"run-hours" mapsep:"," help:"Parts of the day in which rows of kinds start, as kind=22:00-06:00 Europe/Berlin,kind=…, instead of those in the program; kind= is the whole day. Set the same for API and workers."`
	ShardAssignment string            `env:"SHARD_ASSIGNMENT" name:"shard-assignment" default:"spread" help:"Shards of this process: spread (evenly over all live processes), or NUMBER/COUNT for a fixed set, as 0/3: its shards wait while the process is down."`
	Lease           time.Duration     `env:"LEASE" default:"10s" help:"Time after which a process without heartbeat loses its shards."`
	CrashLimit      int               `env:"CRASH_LIMIT" name:"crash-limit" default:"3" help:"How often a row is started again after its process crashed. If each of these starts crashes too, the row ends in error."`
	StopTimeout     time.Duration     `env:"STOP_TIMEOUT" name:"stop-timeout" default:"25s" help:"How long running handlers may continue after a stop before they are canceled."`
	Poll            time.Duration     `env:"POLL_INTERVAL" name:"poll-interval" default:"1s" help:"Interval to check for waiting work whose notification was lost."`
	DatabasePool    int               `env:"DATABASE_POOL" name:"database-pool" default:"12" help:"Connections of this process to Postgres, at most; for Redis, see pool_size of REDIS_URL."`
	MaxUpload       int64             `env:"MAX_UPLOAD" name:"max-upload" default:"104857600" help:"Largest upload, in bytes."`
	MaxRows         int               `env:"MAX_ROWS" name:"max-rows" default:"1048576" help:"Most rows of an upload, or of a task that gets its rows over HTTP; at most 1048576, the rows of a sheet. Set the same number for API and workers."`
	MaxColumns      int               `env:"MAX_COLUMNS" name:"max-columns" default:"200" help:"Last column of a file that may hold a value, at most 16384. Set the same number for API and workers."`
	RateLimit       int               `env:"RATE_LIMIT" name:"rate-limit" default:"0" help:"API requests a minute per tenant (all its keys together), per owner key, or per address without keys; 0: no limit. A tenant can have its own limit."`
	OpenRate        int               `env:"OPEN_RATE_LIMIT" name:"open-rate-limit" default:"1200" help:"Requests a minute per address and process on paths without credentials, except probes; 0: no limit."`
	MaxConns        int               `env:"MAX_CONNECTIONS" name:"max-connections" default:"2048" help:"Open connections of an API process; beyond, the client with the most loses one."`
	ClientConns     int               `env:"MAX_CONNECTIONS_PER_CLIENT" name:"max-connections-per-client" default:"1024" help:"Open connections per address, and running requests per client of a trusted proxy."`
	Retention       int               `env:"RETENTION" default:"90" help:"Days to keep a task after its end; an import can set its own number."`
	AuditDays       int               `env:"AUDIT_RETENTION" name:"audit-retention" default:"365" help:"Days to keep audit entries; entries of a task stay as long as the task."`
	MetricsListen   string            `env:"METRICS_LISTEN" name:"metrics-listen" help:"Address for /metrics, /healthz and /readyz without a key, for machines only; empty: none. An API has them at LISTEN too, /metrics for keys of the owner."`
	Drain           time.Duration     `env:"DRAIN" default:"0s" help:"How long a stopping process still answers while /readyz returns 503, so that a load balancer notices."`
	StuckAfter      time.Duration     `env:"STUCK_AFTER" name:"stuck-after" default:"10m" help:"Run time after which a handler is logged and counted in the metric jobs_stuck; 0s: never."`
	Build           string            `env:"BUILD" help:"Version of this program, recorded with each attempt. Empty: the revision it was built from."`
	TraceTo         string            `env:"OTEL_EXPORTER_OTLP_ENDPOINT" name:"trace-to" help:"OpenTelemetry collector for traces of tasks, as http://host:4318; empty: no traces."`
	TraceHeaders    map[string]string `env:"OTEL_EXPORTER_OTLP_HEADERS" name:"trace-headers" mapsep:"," help:"Headers for the collector, as name=value,name=value."`
	TraceShare      float64           `env:"OTEL_TRACES_SAMPLER_ARG" name:"trace-share" default:"1" help:"Fraction of tasks that are traced, above 0, at most 1."`
	TraceName       string            `env:"OTEL_SERVICE_NAME" name:"trace-name" default:"rollcall" help:"Service name in traces."`
	LogLevel        string            `env:"LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Lowest logged level: debug, info, warn or error."`
	LogFormat       string            `env:"LOG_FORMAT" default:"auto" enum:"auto,text,json" help:"auto (colours on a terminal, otherwise text), text or json."`

	WebhookAllowPrivate bool `env:"WEBHOOK_ALLOW_PRIVATE" name:"webhook-allow-private" help:"Allow webhooks and callback URLs to private addresses: for tests, and for intranets whose users are trusted."`

	SecretKeys []string `env:"SECRET_KEYS" name:"secret-keys" help:"Comma-separated keys of 32 bytes in base64 for the signing secrets of webhooks in the database: the first encrypts, all decrypt. Empty: secrets are stored in plain text."`

	OIDC OIDC `embed:""`

	// Guarded declares that the embedding program authenticates the callers of the API. Before the first
	// API key is created, every caller then has the rights of the owner.
	Guarded bool `kong:"-"`

	// Now returns the time for a SQLite ledger. Default time.Now.
	Now func() time.Time `kong:"-"`
}

// maxRetention bounds Retention and AuditDays, in days.
const maxRetention = 3650

// These constants bound StopTimeout, Poll and DatabasePool. A setting of 0 means its default.
const (
	maxStopTimeout  = time.Hour
	minPoll         = 10 * time.Millisecond
	maxPoll         = time.Minute
	minDatabasePool = 4
	maxDatabasePool = 1000
)

// maxDrain bounds Drain.
const maxDrain = 10 * time.Minute

// KeepTasks returns the default time for which a task is kept after its end.
func (c Config) KeepTasks() time.Duration { return time.Duration(c.Retention) * 24 * time.Hour }

// KeepAudit returns how long an entry of the audit log is kept; 0 means the default of package
// retention.
func (c Config) KeepAudit() time.Duration { return time.Duration(c.AuditDays) * 24 * time.Hour }

// Embedded reports whether database and Redis run in this process.
func (c Config) Embedded() bool { return c.DatabaseURL == "" && c.RedisURL == "" }

// Check returns the faults of the settings for a role as one error, so that an operator can correct them
// with few restarts. Of some groups of settings, it returns only the first fault.
func (c Config) Check(r Role) error {
	var errs []error
	fault := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if (c.DatabaseURL == "") != (c.RedisURL == "") {
		fault("DATABASE_URL and REDIS_URL go together: set both, or neither for the embedded mode")
	}
	if err := c.CheckLedger(); err != nil {
		fault("%w", err)
	}
	if c.Embedded() && !r.API {
		fault("cmd/worker needs DATABASE_URL and REDIS_URL: the embedded mode runs its workers in cmd/api")
	}
	if _, err := redisurl.Parse(c.RedisURL); c.RedisURL != "" && err != nil {
		fault("REDIS_URL: %w", err)
	}
	if err := c.CheckBlobs(); err != nil {
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
	if err := c.OIDC.Check(); r.API && err != nil {
		fault("%w", err)
	}
	if err := c.checkTraces(); err != nil {
		fault("%w", err)
	}
	if err := c.CheckSecrets(); err != nil {
		fault("%w", err)
	}
	if c.StuckAfter < 0 {
		fault("STUCK_AFTER must not be below 0s")
	}
	if c.Drain < 0 || c.Drain > maxDrain {
		fault("DRAIN must be from 0s to %v", maxDrain)
	}
	if err := c.checkWorking(); err != nil {
		fault("%w", err)
	}
	if err := c.checkServing(); err != nil {
		fault("%w", err)
	}
	if err := c.checkLimits(); err != nil {
		fault("%w", err)
	}
	if c.Concurrency < 1 || c.Lease < time.Second || c.MaxUpload < 1 {
		fault("CONCURRENCY and MAX_UPLOAD must be above 0, LEASE at least 1s")
	}
	for _, host := range c.Hosts {
		if textutil.HostName(host) == "" {
			fault("HOSTS: %q has no host name", host)
		}
	}
	if _, _, err := net.SplitHostPort(c.Listen); r.API && err != nil {
		fault("LISTEN: %w", err)
	}
	if _, _, err := net.SplitHostPort(c.MetricsListen); c.MetricsListen != "" && err != nil {
		fault("METRICS_LISTEN: %w", err)
	}
	return errors.Join(errs...)
}

// checkWorking returns the faults in the settings of workers and of the database pool.
func (c Config) checkWorking() error {
	var errs []error
	if c.CrashLimit < 0 || c.CrashLimit > tasks.MaxLimit {
		errs = append(errs, errors.New("CRASH_LIMIT must not be below 0; 0 means the default, 3"))
	}
	if c.StopTimeout < 0 || c.StopTimeout > maxStopTimeout {
		errs = append(errs, fmt.Errorf("STOP_TIMEOUT must be from 0s to %v; 0s means the default, 25s", maxStopTimeout))
	}
	if c.Poll != 0 && (c.Poll < minPoll || c.Poll > maxPoll) {
		errs = append(errs, fmt.Errorf("POLL_INTERVAL must be from %v to %v; 0s means the default, 1s", minPoll, maxPoll))
	}
	if c.DatabasePool != 0 && (c.DatabasePool < minDatabasePool || c.DatabasePool > maxDatabasePool) {
		errs = append(errs, fmt.Errorf("DATABASE_POOL must be from %d to %d connections; 0 means the default, 12", minDatabasePool, maxDatabasePool))
	}
	return errors.Join(errs...)
}

// Loopback reports whether only this machine can reach an address, such as "localhost:8080". It returns
// false for an address without a port. It also returns false for names below localhost, such as
// app.localhost, because a resolver may return any address for them.
func Loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (strings.TrimSuffix(strings.ToLower(host), ".") == "localhost" || ip != nil && ip.IsLoopback())
}

// CheckLedger returns the first fault in the database settings.
func (c Config) CheckLedger() error {
	if c.DatabaseURL != "" && !ledger.IsPostgres(c.DatabaseURL) {
		return errors.New("DATABASE_URL must begin with postgres://")
	}
	if err := ledger.CheckSchema(cmp.Or(c.Schema, ledger.DefaultSchema)); err != nil {
		return fmt.Errorf("DATABASE_SCHEMA: %w", err)
	}
	return nil
}

// TrustedProxies returns the networks in TRUSTED_PROXIES, which Check has validated.
func (c Config) TrustedProxies() proxy.Trusted {
	trusted, err := proxy.Parse(c.Proxies)
	if err != nil {
		return nil // no header is trusted
	}
	return trusted
}

// OpenLedger opens and migrates the configured database.
func (c Config) OpenLedger(ctx context.Context) (*ledger.DB, error) {
	return ledger.Open(ctx, c.LedgerURL(), c.LedgerOptions())
}

// LedgerOptions returns the options of the configured database.
func (c Config) LedgerOptions() ledger.Options {
	return ledger.Options{Now: c.Now, Schema: c.Schema, MaxConns: int32(c.DatabasePool)} // Check bounds the pool
}

func (c Config) level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(strings.ToUpper(c.LogLevel))); err != nil {
		return slog.LevelInfo
	}
	return l
}

// checkTraces returns the first fault in the trace settings.
func (c Config) checkTraces() error {
	if c.TraceTo == "" {
		return nil
	}
	u, err := url.Parse(c.TraceTo)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must be like http://host:4318")
	}
	if c.TraceShare <= 0 || c.TraceShare > 1 {
		return errors.New("OTEL_TRACES_SAMPLER_ARG must be above 0, at most 1")
	}
	return nil
}

// HasLedger returns an error if the embedded ledger does not exist. Commands call HasLedger before they
// open the ledger: a new, empty ledger would hide that a setting is missing.
func (c Config) HasLedger() error {
	if !c.Embedded() {
		return nil
	}
	_, err := os.Stat(filepath.Join(c.DataDir, "rollcall.db"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database in %s: "+
			"set DATABASE_URL and REDIS_URL, or DATA_DIR", c.DataDir)
	}
	return err
}

// LedgerURL returns the URL of the Postgres database, or the path of the SQLite file.
func (c Config) LedgerURL() string {
	if c.DatabaseURL == "" {
		return filepath.Join(c.DataDir, "rollcall.db")
	}
	return c.DatabaseURL
}
