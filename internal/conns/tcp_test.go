package conns_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// TestServer_TCPClientTakesNothing_ConnectionIsReset: the kernel buffers little of an answer, so
// the server notices that the client reads nothing, and closes the connection.
func TestServer_TCPClientTakesNothing_ConnectionIsReset(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const (
		answer = 8 << 20
		ahead  = 1 << 20 // less than the kernel takes by default
	)
	taken := make(chan int, 1)
	srv := conns.Server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n, _ := w.Write(make([]byte, answer))
		taken <- n
	}))
	served := make(chan error, 1)
	table := conns.NewTable(conns.Limits{StallTimeout: 2 * time.Second}, nil)
	go func() { served <- srv.Serve(table.Listen(l)) }()
	t.Cleanup(func() { _ = srv.Close(); <-served })

	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case n := <-taken:
		if n > ahead {
			t.Errorf("the kernel took %d bytes for a client that reads nothing", n)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server still writes after a minute")
	}
	if _, err := io.Copy(io.Discard, client); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client got %v, want a reset", err)
	}
}
