package ledger

import (
	"context"
	"errors"
	"net"
	"os"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// connError is an error of a connection to Postgres. The type distinguishes it from errors of other
// connections.
type connError struct{ error }

func (e *connError) Unwrap() error { return e.error }

// watched returns a dialer whose connections end when the machine of Postgres no longer answers.
// Errors of these connections are *connError, except exceeded deadlines, which come from the
// context.
func watched(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		conns.EndWhenLost(conn)
		return markedConn{conn}, nil
	}
}

type markedConn struct{ net.Conn }

func (c markedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	return n, marked(err)
}

func (c markedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	return n, marked(err)
}

func marked(err error) error {
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return &connError{err}
}
