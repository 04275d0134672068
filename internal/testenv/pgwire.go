package testenv

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgproto3"
)

// PostgresWire is a TCP proxy between clients and a Postgres server. It can lose the responses of the
// server. Make it with [NewPostgresWire].
type PostgresWire struct {
	url      *url.URL
	address  string // of Postgres
	lost     func(statement string) bool
	listener net.Listener
	wg       sync.WaitGroup

	mu    sync.Mutex
	conns []net.Conn
}

// NewPostgresWire returns a proxy to the Postgres server with the URL `to`. It calls the function `lost`
// for each statement before the server gets it, on the goroutine of the connection. If `lost` returns
// true, the connection breaks once Postgres has run the statement, and the client gets no response. The
// proxy ends with the test.
func NewPostgresWire(t T, to string, lost func(statement string) bool) *PostgresWire {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatalf("testenv: wire: %v", err)
	}
	w := &PostgresWire{url: u, address: u.Host, lost: lost}
	if w.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatalf("testenv: wire: %v", err)
	}
	w.wg.Go(w.accept)
	t.Cleanup(w.close)
	return w
}

// URL returns the URL at which clients reach Postgres through this proxy.
func (w *PostgresWire) URL() string {
	u := *w.url
	u.Host = w.listener.Addr().String()
	return u.String()
}

func (w *PostgresWire) accept() {
	for {
		down, err := w.listener.Accept()
		if err != nil {
			return // the test has ended
		}
		up, err := net.Dial("tcp", w.address)
		if err != nil {
			_ = down.Close()
			continue // like an unreachable Postgres
		}
		w.mu.Lock()
		w.conns = append(w.conns, up, down)
		w.mu.Unlock()
		losing := new(atomic.Bool)
		for _, serve := range []func(){
			func() { w.forwardRequests(down, up, losing) }, func() { forwardResponses(down, up, losing) },
		} {
			w.wg.Go(func() {
				serve()
				_, _ = down.Close(), up.Close() // a break of one side breaks the other
			})
		}
	}
}

func (w *PostgresWire) close() {
	_ = w.listener.Close() // no client connects any more
	w.mu.Lock()
	for _, c := range w.conns {
		_ = c.Close() // most are closed already
	}
	w.mu.Unlock()
	w.wg.Wait()
}

// forwardRequests forwards the messages of a client to Postgres.
func (w *PostgresWire) forwardRequests(down, up net.Conn, losing *atomic.Bool) {
	client, prepared := pgproto3.NewBackend(down, down), map[string]string{}
	var first pgproto3.FrontendMessage
	first, err := client.ReceiveStartupMessage()
	for m := first; err == nil; m, err = client.Receive() {
		statement := ""
		switch m := m.(type) {
		case *pgproto3.Parse:
			prepared[m.Name] = m.Query
		case *pgproto3.Bind:
			statement = prepared[m.PreparedStatement]
		case *pgproto3.Query:
			statement = m.String
		}
		if statement != "" && w.lost(statement) {
			losing.Store(true)
		}
		raw, broken := m.Encode(nil)
		if broken != nil {
			return
		}
		if _, broken = up.Write(raw); broken != nil {
			return
		}
	}
}

// forwardResponses forwards the messages of Postgres to a client. If `losing` is set, it
// discards the rest of the response and returns.
func forwardResponses(down, up net.Conn, losing *atomic.Bool) {
	server := bufio.NewReader(up)
	for {
		head, err := server.Peek(5)
		if err != nil {
			return
		}
		ready, to := head[0] == 'Z', io.Writer(down)
		if losing.Load() {
			to = io.Discard
		}
		size := 1 + int64(binary.BigEndian.Uint32(head[1:]))
		if _, err := io.CopyN(to, server, size); err != nil || ready && to == io.Discard {
			return
		}
	}
}
