package ledger

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// connError is an error of a connection to Postgres. pgx returns such errors unchanged, so only this
// type distinguishes them from errors of other connections.
type connError struct{ error }

func (e *connError) Unwrap() error { return e.error }

// markErrors returns a dialer whose connections return a *connError, except for time-outs, which the
// context explains.
func markErrors(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
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
	var timeout net.Error
	if err == nil || errors.As(err, &timeout) && timeout.Timeout() {
		return err
	}
	return &connError{err}
}
