//go:build outside

package machines

import (
	"net"
	"testing"
	"time"
)

// asks sends a line to a machine that echoes it, and reports whether the answer came in time.
func asks(t *testing.T, conn net.Conn, within time.Duration) (ok bool, took time.Duration) {
	t.Helper()
	begun := time.Now()
	if err := conn.SetDeadline(begun.Add(within)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false, time.Since(begun)
	}
	_, err := conn.Read(make([]byte, 100))
	return err == nil, time.Since(begun)
}

// TestMachine_IsCutOff_LosesItsPackets: a connection gets no answer and no error. It continues when
// the machine is connected again.
func TestMachine_IsCutOff_LosesItsPackets(t *testing.T) {
	t.Parallel()
	n := NewNetwork(t)
	m := n.Machine()
	m.Start(n.program("redis-server"), nil, "--bind", m.IP, "--port", redisPort, "--save", "", "--protected-mode", "no")
	addr := m.IP + ":" + redisPort
	until(t, "Redis at "+addr, func() bool { return (&node{addr: addr}).info("server") != "" })
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if ok, took := asks(t, conn, upWait); !ok || took < 2*delay {
		t.Errorf("connected, it answers: %t, after %v; want at least %v", ok, took, 2*delay)
	}
	m.CutOff()
	if ok, _ := asks(t, conn, time.Second); ok {
		t.Error("cut off, it answers")
	}
	m.Reconnect()
	if ok, _ := asks(t, conn, upWait); !ok {
		t.Error("connected again, it does not answer")
	}
}
