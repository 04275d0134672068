package rollcall

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/worker"
)

// Options tunes a Service. Only Kinds is required.
type Options struct {
	// Kinds are those that the program knows. Every program on one database
	// should know the same, or at least accept uploads only for its own.
	Kinds *worker.Registry

	// DataDir is the folder of the embedded database and of uploaded files; only
	// one process can use it in the embedded mode. Default "./data".
	DataDir string

	// DatabaseURL and RedisURL are those of a Postgres ("postgres://…") and of a
	// Redis ("redis://…", or one of the forms for TLS, clusters and sentinels).
	// They go together. Default: the embedded mode.
	DatabaseURL, RedisURL string

	// BlobURL is the folder of uploaded files, which all programs on one database
	// share. Default: blobs in DataDir.
	BlobURL string

	// Prefix starts every Redis key. Default "rollcall".
	Prefix string

	// NoWorkers has this program answer HTTP and make work, and others do it.
	// Not in the embedded mode, where there are no others.
	NoWorkers bool

	// Concurrency is how many jobs run at once in this program. Default 25.
	Concurrency int

	// Lease is how long a silent program keeps its shards, at least 1s.
	// Default 10s.
	Lease time.Duration

	// Keep is how long a task is kept once it is done, in whole days.
	// Default 90 days.
	Keep time.Duration

	// MaxUpload bounds an uploaded file, in bytes. Default 100 MiB.
	MaxUpload int64

	// Hosts are the names, besides localhost and loopback addresses, that
	// requests may be for. With any, New asks for an API key to be there, or
	// for Guarded. Default: none.
	Hosts []string

	// Guarded says that the program asks by itself who calls the Handler, so
	// that Rollcall need not: see New.
	Guarded bool

	// Log gets what cmd/api and cmd/worker would log. Default: none.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.Keep = cmp.Or(o.Keep, 90*24*time.Hour)
	return o
}

// config is the options as the commands would have read them.
func (o Options) config() boot.Config {
	return boot.Config{
		Listen: "127.0.0.1:0", DataDir: cmp.Or(o.DataDir, "./data"),
		DatabaseURL: o.DatabaseURL, RedisURL: o.RedisURL, BlobURL: o.BlobURL,
		Prefix: cmp.Or(o.Prefix, "rollcall"), Hosts: o.Hosts, Guarded: o.Guarded,
		Concurrency: cmp.Or(o.Concurrency, 25), Lease: cmp.Or(o.Lease, 10*time.Second),
		MaxUpload: cmp.Or(o.MaxUpload, 100<<20), Retention: int(o.Keep / (24 * time.Hour)),
	}
}
