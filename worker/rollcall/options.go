package rollcall

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

// Options holds the settings of a Service. Only Kinds is required.
type Options struct {
	// Kinds are the kinds of the program. All programs on one database should have the same kinds,
	// or accept uploads only for their own.
	Kinds *worker.Registry

	// DataDir is the folder of the embedded database and of uploaded files. In the embedded mode
	// only one process can use it. Default "./data".
	DataDir string

	// DatabaseURL and RedisURL are the addresses of a Postgres ("postgres://…") and of a Redis
	// ("redis://…", or one of the forms for TLS, clusters and sentinels). Set both or neither. Default: the
	// embedded mode.
	DatabaseURL, RedisURL string

	// Schema is the Postgres schema of the tables, which keeps them apart from the program's own
	// tables. The first start creates it. Default "rollcall".
	Schema string

	// BlobURL is the address of the stored files: file:///folder or s3://bucket/prefix?endpoint=….
	// All programs on one database must share it. Default: the folder blobs in DataDir.
	BlobURL string

	// Prefix starts every Redis key. Default "rollcall".
	Prefix string

	// NoWorkers makes this program only serve HTTP and enqueue; other programs run the jobs. It
	// cannot be used in the embedded mode.
	NoWorkers bool

	// Concurrency is the greatest number of handler calls that run at once in this program. Default 25.
	Concurrency int

	// Keep is how long a done task is kept, truncated to whole days. New rejects less than one day.
	// Default 90 days.
	Keep time.Duration

	// Hosts are the allowed hosts of requests, besides localhost and loopback addresses. With such a host,
	// New requires an API key, Guarded, or an OpenID Connect provider. Default: the setting HOSTS.
	Hosts []string

	// Guarded declares that the program authenticates the callers of the Handler. Before the first API key
	// is created, every caller then has the rights of the owner.
	Guarded bool

	// Settings holds other settings by their names in docs/run/settings.md, such as "RATE_LIMIT",
	// "MAX_UPLOAD", "LEASE" or "WEIGHTS". A field of Options takes precedence. New rejects the settings of
	// a process: LISTEN, METRICS_LISTEN, DRAIN, LOG_LEVEL and LOG_FORMAT. Default: the defaults of that
	// page.
	Settings map[string]string

	// Log gets the records that cmd/api and cmd/worker log. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}

// config returns the options in the form of the configuration of cmd/api and cmd/worker.
func (o Options) config() (settings.Config, error) {
	c, err := boot.Settings(o.Settings)
	if err != nil {
		return c, err
	}
	c.Listen, c.Guarded = "127.0.0.1:0", o.Guarded
	c.DataDir = cmp.Or(o.DataDir, c.DataDir)
	c.DatabaseURL, c.RedisURL = cmp.Or(o.DatabaseURL, c.DatabaseURL), cmp.Or(o.RedisURL, c.RedisURL)
	c.Schema = cmp.Or(o.Schema, c.Schema)
	c.BlobURL, c.Prefix = cmp.Or(o.BlobURL, c.BlobURL), cmp.Or(o.Prefix, c.Prefix)
	c.Concurrency = cmp.Or(o.Concurrency, c.Concurrency)
	if o.Hosts != nil {
		c.Hosts = o.Hosts
	}
	if o.Keep != 0 {
		c.Retention = int(o.Keep / (24 * time.Hour))
	}
	return c, nil
}
