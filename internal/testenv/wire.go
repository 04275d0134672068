package testenv

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
)

// Fate is what a [Wire] does with a command. The zero value forwards the command.
type Fate struct {
	Before, After func() // called before and after the command; the connection forwards no other command meanwhile
	Refuse        string // the error that the client gets; Redis does not get the command
	Lost          bool   // the connection breaks before Redis gets the command
	Unanswered    bool   // the connection breaks after Redis has run the command
}

// Wire is a TCP proxy between clients and Redis. The test decides what happens to each command. Make it
// with [NewWire].
type Wire struct {
	judge func(words []string) Fate
	inner net.Listener

	mu    sync.Mutex // guards dialing, so that each dialer gets its own connection
	conns []net.Conn
	wg    sync.WaitGroup
}

// NewWire returns a proxy. The proxy calls `judge` for each command, on the goroutine of the
// command's connection. It ends with the test.
func NewWire(t T, judge func(words []string) Fate) *Wire {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("testenv: wire: %v", err)
	}
	w := &Wire{judge: judge, inner: inner}
	t.Cleanup(w.close)
	return w
}

// Dial connects to a Redis through the proxy, for use as redis.Options.Dialer.
func (w *Wire) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	up, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	client, err := net.Dial("tcp", w.inner.Addr().String())
	if err != nil {
		return nil, errors.Join(err, up.Close())
	}
	down, err := w.inner.Accept()
	if err != nil {
		return nil, errors.Join(err, up.Close(), client.Close())
	}
	w.conns = append(w.conns, up, down)
	w.wg.Go(func() {
		w.serve(down, up)
		_, _ = down.Close(), up.Close() // a break of one side breaks the other
	})
	return client, nil
}

func (w *Wire) close() {
	w.mu.Lock()
	_ = w.inner.Close() // no test dials any more
	for _, c := range w.conns {
		_ = c.Close() // most are closed already
	}
	w.mu.Unlock()
	w.wg.Wait()
}

// serve forwards commands until a connection breaks.
func (w *Wire) serve(down, up net.Conn) {
	commands, replies := bufio.NewReader(down), bufio.NewReader(up)
	for {
		raw, words, err := readCommand(commands)
		if err != nil {
			return
		}
		fate := w.judge(words)
		if fate.Before != nil {
			fate.Before()
		}
		reply, ok := handOver(fate, raw, up, replies)
		if fate.After != nil {
			fate.After()
		}
		if _, err := down.Write(reply); err != nil || !ok {
			return
		}
		if strings.HasSuffix(strings.ToLower(words[0]), "subscribe") {
			w.wg.Go(func() { _, _ = io.Copy(up, commands) }) // until the connection breaks
			_, _ = io.Copy(down, replies)
			return
		}
	}
}

// handOver sends a command to Redis, if `fate` allows it, and returns the reply for the client. The
// result `ok` is false if the connection breaks.
func handOver(fate Fate, raw []byte, up net.Conn, replies *bufio.Reader) (reply []byte, ok bool) {
	switch {
	case fate.Lost:
		return nil, false
	case fate.Refuse != "":
		return []byte("-" + fate.Refuse + "\r\n"), true
	}
	if _, err := up.Write(raw); err != nil {
		return nil, false
	}
	reply, err := readReply(replies)
	return reply, err == nil && !fate.Unanswered
}
