package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// beginHeld is the statement with which DB.Begin starts a transaction on Postgres. A statement fails if
// it takes longer than ten seconds, for example because of a lock.
const beginHeld = "BEGIN; SET LOCAL statement_timeout = '10s'"

// endTimeout bounds ManualTx.Rollback.
const endTimeout = 5 * time.Second

// errLost means that the connection of the transaction is closed.
var errLost = errors.New("the transaction is lost")

// ManualTx is a transaction that the caller ends with Commit or Rollback. Only one goroutine may use it
// at a time.
type ManualTx struct {
	Tx
	own holder
}

// holder is a transaction of Postgres or of SQLite.
type holder interface {
	Tx
	commit(ctx context.Context) error
	rollback(ctx context.Context) error
	lost() bool
}

// Begin starts a transaction. On SQLite, Begin waits until no other transaction writes, and the end
// of ctx rolls the transaction back at once. On Postgres, the end of ctx does not affect an open
// transaction. There, the end of the context of a running statement rolls the transaction back.
func (db *DB) Begin(ctx context.Context) (*ManualTx, error) {
	begin := db.holdSQLite
	if db.Pool != nil {
		begin = db.holdPostgres
	}
	own, err := begin(ctx)
	if err != nil {
		return nil, err
	}
	return &ManualTx{own, own}, nil
}

// Commit commits the transaction. After an error, the transaction may or may not be committed.
func (h *ManualTx) Commit(ctx context.Context) error { return h.own.commit(ctx) }

// Rollback discards the changes of the transaction, and ends it. After the end of the transaction it is
// a no-op.
func (h *ManualTx) Rollback() {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	_ = h.own.rollback(ctx) // an error means that the database has ended the transaction
}

// Save creates a savepoint, which Keep or Undo removes.
func (h *ManualTx) Save(ctx context.Context) error { return h.run(ctx, "SAVEPOINT held") }

// Keep removes the savepoint, and keeps the effects of the statements since Save.
func (h *ManualTx) Keep(ctx context.Context) error { return h.run(ctx, "RELEASE SAVEPOINT held") }

// Undo rolls back to the savepoint of Save, and removes the savepoint.
func (h *ManualTx) Undo(ctx context.Context) error {
	if err := h.run(ctx, "ROLLBACK TO SAVEPOINT held"); err != nil {
		return err
	}
	return h.Keep(ctx)
}

func (h *ManualTx) run(ctx context.Context, text string) error {
	if h.own.lost() {
		return errLost
	}
	_, err := h.own.Exec(ctx, text, nil)
	return err
}

// Lost reports whether the connection of the transaction is closed, so that the database has ended
// the transaction. On SQLite it always returns false.
func (h *ManualTx) Lost() bool { return h.own.lost() }

type heldPg struct {
	pgTx
	tx pgx.Tx
}

func (db *DB) holdPostgres(ctx context.Context) (holder, error) {
	tx, err := db.Pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: beginHeld})
	if err != nil {
		return nil, err
	}
	return heldPg{pgTx{tx, db.names}, tx}, nil
}

func (h heldPg) commit(ctx context.Context) error   { return h.tx.Commit(ctx) }
func (h heldPg) rollback(ctx context.Context) error { return h.tx.Rollback(ctx) }
func (h heldPg) lost() bool                         { return h.tx.Conn().IsClosed() }
