package doctor

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// These are the limits for the checks of Postgres. mostSkew also applies to the clock of Redis.
const (
	leastPostgres = 140000
	poolSize      = 12 // the default of DATABASE_POOL
	mostSkew      = 5 * time.Second
)

// ledger checks the database.
func (d *checkup) ledger(ctx context.Context) {
	if d.cfg.CheckLedger() != nil {
		return // the check of the settings reports it
	}
	if _, err := os.Stat(d.cfg.LedgerURL()); d.cfg.DatabaseURL == "" && errors.Is(err, fs.ErrNotExist) {
		d.report("ledger", stateOK, "", "no ledger yet: the first start creates it in %s", d.cfg.DataDir)
		d.noKey()
		return
	}
	c, err := ledger.Inspect(ctx, d.cfg.LedgerURL(), d.cfg.LedgerOptions())
	if err != nil {
		d.report("ledger", stateFail, "start Postgres, and check DATABASE_URL: host, user, password, database", "%v", err)
		return
	}
	d.proxies(c)
	d.owners(c)
	if d.schema(c); d.cfg.DatabaseURL != "" {
		d.postgres(c)
	}
}

func (d *checkup) schema(c ledger.Condition) {
	switch {
	case errors.Is(c.Fault, ledger.ErrSchema):
		d.report("schema", stateFail, "start the version that migrated the database, or a newer one; for an older version, restore a backup",
			"%v", c.Fault)
	case errors.Is(c.Fault, ledger.ErrForeign):
		d.report("schema", stateFail, "set DATABASE_SCHEMA to a schema of its own, or DATA_DIR to a folder of its own",
			"%v", c.Fault)
	case c.Fault != nil:
		d.report("schema", stateFail, "restore the database from a backup", "%v", c.Fault)
	case c.Schema < c.Known:
		d.report("schema", stateWarn, "run \"migrate\", or start the service, which migrates too",
			"version %d, older than version %d of this program", c.Schema, c.Known)
	case c.Schema > c.Known:
		d.report("schema", stateOK, "", "version %d, newer than version %d of this program, which can still use it", c.Schema, c.Known)
	default:
		d.report("schema", stateOK, "", "version %d, as this program expects", c.Schema)
	}
}

func (d *checkup) postgres(c ledger.Condition) {
	d.report("postgres version", unless(c.Server >= leastPostgres, stateFail), "upgrade to Postgres 14 or later",
		"%d.%d", c.Server/10000, c.Server%10000)
	d.report("postgres role", unless(!c.Replica, stateFail), "set DATABASE_URL to the primary",
		"%s", map[bool]string{false: "accepts writes", true: "a replica, which rejects writes"}[c.Replica])
	d.report("postgres safety", unless(len(c.Unsafe) == 0, stateFail),
		"switch the named settings on: without them, a power failure can lose accepted tasks",
		"%s", orElse(strings.Join(c.Unsafe, ", "), "commits are on disk when they return"))
	left, pool := c.MaxConnections-c.Connections, cmp.Or(d.cfg.DatabasePool, poolSize)
	d.report("postgres room", unless(left >= pool, stateFail),
		"raise max_connections of Postgres, lower DATABASE_POOL, or run fewer processes",
		"%d of %d connections are in use; one more process opens up to %d", c.Connections, c.MaxConnections, pool)
	d.report("clock of postgres", unless(c.Skew.Abs() < mostSkew, stateWarn),
		"synchronize both clocks by NTP: jobs start by the clock of Postgres, and the times of logs do not match",
		"differs from the clock of this machine by %v", c.Skew.Round(time.Millisecond))
}

// orElse returns `text` or, if it is empty, `other`.
func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
