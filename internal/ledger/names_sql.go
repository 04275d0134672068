package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// openSQL returns a pool of database/sql on a pool of pgx whose statements get the schema.
func openSQL(pool *pgxpool.Pool, n *names) *sql.DB {
	if n.written() {
		return stdlib.OpenDBFromPool(pool)
	}
	return sql.OpenDB(namedConnector{stdlib.GetPoolConnector(pool), n})
}

// namedConnector opens connections whose statements get the schema.
type namedConnector struct {
	driver.Connector
	names *names
}

func (c namedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return namedConn{conn.(*stdlib.Conn), c.names}, nil
}

type namedConn struct {
	*stdlib.Conn
	names *names
}

func (c namedConn) Prepare(text string) (driver.Stmt, error) { return c.Conn.Prepare(c.names.in(text)) }

func (c namedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, c.names.in(text))
}

func (c namedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, c.names.in(text), args)
}

func (c namedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, c.names.in(text), args)
}

// namedTx is a caller's own transaction on SQLite whose statements get the schema.
type namedTx struct {
	gorm.ConnPool
	names *names
}

func (t namedTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return t.ConnPool.ExecContext(ctx, t.names.in(text), args...)
}

func (t namedTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return t.ConnPool.QueryContext(ctx, t.names.in(text), args...)
}

func (t namedTx) PrepareContext(ctx context.Context, text string) (*sql.Stmt, error) {
	return t.ConnPool.PrepareContext(ctx, t.names.in(text))
}
