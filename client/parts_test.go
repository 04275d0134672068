package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/client"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// cutter is a proxy to a service. It cuts each of the first connections after a number of bytes.
type cutter struct {
	to     string
	budget []int64
	onCut  func(n int)
	conns  atomic.Int64
	passed atomic.Int64
}

func (p *cutter) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fine(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.pass(conn, int(p.conns.Add(1))-1)
		}
	}()
	return "http://" + l.Addr().String()
}

func (p *cutter) pass(conn net.Conn, n int) {
	defer conn.Close()
	up, err := net.Dial("tcp", p.to)
	if err != nil {
		return // the service is away
	}
	defer up.Close()
	go func() { _, _ = io.Copy(conn, up); _ = conn.Close() }()
	from := io.Reader(conn)
	if n < len(p.budget) {
		from = io.LimitReader(conn, p.budget[n])
	}
	sent, err := io.Copy(up, from)
	p.passed.Add(sent)
	if n < len(p.budget) && err == nil && sent == p.budget[n] {
		p.onCut(n)
	}
}

// TestUpload_ConnectionsCutAndServiceKilled_ContinuesWhereItStopped sends 30 MB over connections that
// are cut in the middle. One cut is a kill -9 of the service. The client does not send stored bytes
// again, except those of the part in flight at the kill.
func TestUpload_ConnectionsCutAndServiceKilled_ContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	addr, err := testenv.FreeAddr()
	fine(t, err)
	binary, data := testenv.Binary(t, "./cmd/api"), "DATA_DIR="+t.TempDir()
	start := func() *testenv.Process {
		return testenv.StartProcess(t, binary, []string{"LISTEN=" + addr, data})
	}
	api := start()
	const rows = 1000
	var file bytes.Buffer
	file.WriteString("SKU,Name,Price,Brand,Note\n")
	for i := range rows {
		fmt.Fprintf(&file, "S%d,n,1,Acme,%s\n", i, strings.Repeat("x", 30_000))
	}
	restarted := make(chan struct{})
	p := &cutter{to: addr, budget: []int64{3 << 20, 10 << 20, 9 << 20}, onCut: func(n int) {
		if n == 2 {
			api.Kill()
			start()
			close(restarted)
		}
	}}
	c := connect(t, p.listen(t), client.Options{Tries: 8, Timeout: 20 * time.Second})
	task, err := c.Upload(t.Context(), client.Upload{Kind: "products.import", FileName: "long.csv", File: bytes.NewReader(file.Bytes())})
	fine(t, err)
	<-restarted
	task, err = c.Wait(t.Context(), task.ID, nil)
	fine(t, err)
	if task.Counts.Total != rows || task.Counts.Finish != rows || task.Name != "long.csv" {
		t.Errorf("the task is %q with %+v, want %d rows", task.Name, task.Counts, rows)
	}
	// A part may be in flight at the kill, and some bytes at each other cut.
	if most := int64(file.Len()) + 8<<20 + 4<<20; p.passed.Load() > most {
		t.Errorf("%d bytes were sent for a file of %d, want at most %d", p.passed.Load(), file.Len(), most)
	}
	if n := p.conns.Load(); n < 4 {
		t.Errorf("%d connections, want three that were cut", n)
	}
}

// TestUpload_OtherFileWithTheKeyInParts_IsRefused: a file of the same size and name never continues
// another file, and the same file leads to the same task.
func TestUpload_OtherFileWithTheKeyInParts_IsRefused(t *testing.T) {
	t.Parallel()
	addr, err := testenv.FreeAddr()
	fine(t, err)
	testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), []string{"LISTEN=" + addr, "DATA_DIR=" + t.TempDir()})
	c := connect(t, "http://"+addr, client.Options{})
	send := func(sku string) (*client.Task, error) {
		text := "SKU,Name,Price,Brand,Note\n" + sku + ",n,1,Acme,x\n" + strings.Repeat("B,n,1,Acme,"+strings.Repeat("y", 9000)+"\n", 1000)
		return c.Upload(t.Context(), client.Upload{
			Kind: "products.import", FileName: "long.csv", File: strings.NewReader(text), IdempotencyKey: "k1",
		})
	}
	first, err := send("A1")
	fine(t, err)
	var p *client.Problem
	if _, err := send("A2"); !errors.As(err, &p) || p.Code != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("another file with the key = %v, want IDEMPOTENCY_KEY_REUSED", err)
	}
	again, err := send("A1")
	if fine(t, err); again.ID != first.ID {
		t.Errorf("the same file is task %s, want %s", again.ID, first.ID)
	}
}
