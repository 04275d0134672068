package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/rollcall-dev/rollcall/deployments/migrations"
)

// migrate brings the schema up to the newest file. On Postgres an advisory
// lock makes processes that start together wait for the one that migrates; on
// SQLite there is one process.
func (db *DB) migrate(ctx context.Context) error {
	sqlDB, err := db.Write.DB()
	if err != nil {
		return err
	}
	p, err := db.provider(sqlDB)
	if err != nil {
		return err
	}
	if err := refuseNewer(ctx, p); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return err
	}
	return refuseNewer(ctx, p)
}

func (db *DB) provider(sqlDB *sql.DB) (*goose.Provider, error) {
	dialect, folder := goose.DialectSQLite3, "sqlite"
	opts := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if db.Pool != nil {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120))
		if err != nil {
			return nil, err
		}
		dialect, folder = goose.DialectPostgres, "postgres"
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	files, err := fs.Sub(migrations.Files, folder)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, sqlDB, files, opts...)
}

func refuseNewer(ctx context.Context, p *goose.Provider) error {
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return err
	}
	if current > target {
		return fmt.Errorf("%w: it is at %d, this program knows %d", ErrSchema, current, target)
	}
	return nil
}
