package rollcall

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/worker"
)

// Options configures a Service. Only Kinds is required.
type Options struct {
	// Kinds are the kinds of the program. All programs on one database should have the same kinds,
	// or accept uploads only for their own.
	Kinds *worker.Registry

	// DataDir is the folder of the embedded database and of uploaded files. In the embedded mode
	// only one process can use it. Default "./data".
	DataDir string

	// DatabaseURL and RedisURL are the addresses of a Postgres ("postgres://…") and of a Redis
	// ("redis://…", or one of the forms for TLS, clusters and sentinels). Set both or none.
	// Default: the embedded mode.
	DatabaseURL, RedisURL string

	// Schema holds the tables in Postgres, so that they do not mix with those of the program. The first
	// start makes it. Default "rollcall".
	Schema string

	// BlobURL is the folder of uploaded files, shared by all programs on one database. Default:
	// blobs in DataDir.
	BlobURL string

	// Prefix starts every Redis key. Default "rollcall".
	Prefix string

	// NoWorkers makes this program serve HTTP and enqueue only; other programs run jobs. Not in the
	// embedded mode.
	NoWorkers bool

	// Concurrency is how many jobs run at once in this program. Default 25.
	Concurrency int

	// Keep is how long a done task is kept, in whole days. Default 90 days.
	Keep time.Duration

	// Hosts are the allowed hosts of requests, besides localhost and loopback addresses. With any
	// host, New requires an API key or Guarded. Default: none.
	Hosts []string

	// Guarded declares that the program authenticates the callers of the Handler, so that Rollcall
	// need not: see New.
	Guarded bool

	// Settings are all other settings, by the names of docs/run/settings.md, such as "RATE_LIMIT",
	// "MAX_UPLOAD", "LEASE" or "WEIGHTS". A field of Options wins. Not for those of a process:
	// LISTEN, METRICS_LISTEN, DRAIN, LOG_LEVEL and LOG_FORMAT. Default: the defaults of that page.
	Settings map[string]string

	// Log gets the log of cmd/api and cmd/worker. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return o
}

// config returns the options as the configuration of the commands.
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
