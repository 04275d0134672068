package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/gorm"
)

// DefaultSchema is the default schema of the tables on Postgres. The statements in the source code use
// this schema.
const DefaultSchema = "rollcall"

// maxSchema is the length of the longest name that Postgres accepts without truncation.
const maxSchema = 63

var (
	schemaRE = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

	// qualifierRE matches the schema of a name in a statement. It does not match inside a string
	// literal such as 'rollcall.example'.
	qualifierRE = regexp.MustCompile(`(^|[^\w@.'/-])(?:rollcall|"rollcall"|` + "`rollcall`" + `)\.`)
	// regclassRE matches the schema in the string literals that name a relation. These are the
	// names of the table events and of its partitions, and 'rollcall.tasks_num_seq'.
	regclassRE = regexp.MustCompile(`'rollcall\.(events|tasks_num_seq)`)
)

// CheckSchema returns an error for an invalid name of a schema. A valid name has up to 63
// lower-case letters, digits and underscores. It does not begin with a digit or with pg_.
func CheckSchema(name string) error {
	if !schemaRE.MatchString(name) || len(name) > maxSchema || strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("%q is not a valid name for a schema: use lower case letters, digits and underscores", name)
	}
	return nil
}

// names holds the schema of a ledger, and replaces DefaultSchema with this schema in statements.
// Every table name is qualified with its schema, so the search_path of a connection has no effect.
type names struct {
	schema string // empty on SQLite, whose statements name no schema

	mu    sync.RWMutex
	texts map[string]string // statements with the schema, by the text before the replacement
}

// maxTexts is the greatest number of statements in names.texts. It is bounded because searches
// build many different texts.
const maxTexts = 2000

// namesBySchema holds one *names for each schema. A process opens one ledger, but tests open hundreds.
// They share one *names, so the schema is put into each statement only once.
var namesBySchema = struct {
	sync.Mutex
	all map[string]*names
}{all: map[string]*names{}}

// namesOf returns the *names of a schema; "" means SQLite. Ledgers with the same schema share it.
func namesOf(schema string) *names {
	namesBySchema.Lock()
	defer namesBySchema.Unlock()
	n := namesBySchema.all[schema]
	if n == nil {
		n = &names{schema: schema, texts: map[string]string{}}
		namesBySchema.all[schema] = n
	}
	return n
}

// table returns the name of a table with its schema.
func (n *names) table(name string) string {
	if n.schema == "" {
		return name
	}
	return n.schema + "." + name
}

// isDefault reports whether the schema is DefaultSchema, so that statements stay unchanged.
func (n *names) isDefault() bool { return n.schema == DefaultSchema }

// qualify returns a statement in which the schema of `n` replaces DefaultSchema.
func (n *names) qualify(text string) string {
	if n.isDefault() {
		return text
	}
	n.mu.RLock()
	out, ok := n.texts[text]
	n.mu.RUnlock()
	if ok {
		return out
	}
	out = regclassRE.ReplaceAllString(qualifierRE.ReplaceAllString(text, "${1}"+n.table("")), "'"+n.table("")+"$1")
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.texts) >= maxTexts {
		clear(n.texts)
	}
	n.texts[text] = out
	return out
}

// openSQL returns a pool of database/sql on a pool of pgx. It puts the schema into each statement.
func openSQL(pool *pgxpool.Pool, n *names) *sql.DB {
	if n.isDefault() {
		return stdlib.OpenDBFromPool(pool)
	}
	return sql.OpenDB(namedConnector{stdlib.GetPoolConnector(pool), n})
}

// namedConnector is a driver.Connector whose connections put the schema into each statement.
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

func (c namedConn) Prepare(text string) (driver.Stmt, error) {
	return c.Conn.Prepare(c.names.qualify(text))
}

func (c namedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, c.names.qualify(text))
}

func (c namedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, c.names.qualify(text), args)
}

func (c namedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, c.names.qualify(text), args)
}

// namedTx is a caller's own transaction on SQLite. It removes DefaultSchema from each statement.
type namedTx struct {
	gorm.ConnPool
	names *names
}

func (t namedTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return t.ConnPool.ExecContext(ctx, t.names.qualify(text), args...)
}

func (t namedTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return t.ConnPool.QueryContext(ctx, t.names.qualify(text), args...)
}

func (t namedTx) PrepareContext(ctx context.Context, text string) (*sql.Stmt, error) {
	return t.ConnPool.PrepareContext(ctx, t.names.qualify(text))
}
