//go:build linux

package machines

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

const (
	delay   = time.Millisecond // of each packet
	queued  = 4096             // maximum of packets that wait for delivery to a machine; others are dropped
	largest = 1 << 16          // maximum size of a packet, in bytes
	header  = 20               // minimum size of an IPv4 packet, in bytes
)

// Network is a network of machines. Make it with [NewNetwork]. One goroutine at a time may use it.
type Network struct {
	t      testenv.T
	prefix string // of all addresses
	end    chan struct{}
	loops  sync.WaitGroup

	mu    sync.Mutex
	ports map[byte]*port // by the last byte of the address
}

// port is the connection of a machine to the network.
type port struct {
	tun *os.File
	in  chan packet // on their way to the machine
	cut atomic.Bool
}

type packet struct {
	due  time.Time
	data []byte
}

// NewNetwork returns a network with a delay of one millisecond between two machines, in each
// direction. This process is connected, too.
func NewNetwork(t testenv.T) *Network {
	t.Helper()
	n := &Network{
		t: t, prefix: fmt.Sprintf("10.%d.%d.", 128+rand.IntN(128), rand.IntN(256)),
		end: make(chan struct{}), ports: map[byte]*port{},
	}
	t.Cleanup(n.close)
	name := n.connect(1)
	n.run("ip", n.address(1, name)...)
	n.run("ip", "link", "set", name, "up")
	return n
}

// connect makes a device for an address, and starts to forward the packets of the device.
func (n *Network) connect(last byte) (name string) {
	n.t.Helper()
	name = fmt.Sprintf("rc%08x", rand.Uint32())
	tun, err := openTUN(name)
	if err != nil {
		n.t.Fatalf("machines: device of a network: %v; it needs root and the module tun", err)
	}
	p := &port{tun: tun, in: make(chan packet, queued)}
	n.mu.Lock()
	n.ports[last] = p
	n.mu.Unlock()
	n.loops.Go(func() { n.send(p) })
	n.loops.Go(func() { n.receive(p) })
	return name
}

// send forwards the packets of a machine until its device is closed.
func (n *Network) send(from *port) {
	buffer := make([]byte, largest)
	for {
		size, err := from.tun.Read(buffer)
		if err != nil {
			return
		}
		if size < header || buffer[0]>>4 != 4 {
			continue // not of IPv4
		}
		to := n.port(buffer[header-1])
		if to == nil || from.cut.Load() {
			continue
		}
		select {
		case to.in <- packet{time.Now().Add(delay), append([]byte(nil), buffer[:size]...)}:
		default:
		}
	}
}

// receive delivers the packets for a machine after the delay.
func (n *Network) receive(p *port) {
	for {
		select {
		case one := <-p.in:
			time.Sleep(time.Until(one.due))
			if p.cut.Load() {
				continue
			}
			if _, err := p.tun.Write(one.data); errors.Is(err, os.ErrClosed) {
				return
			}
		case <-n.end:
			return
		}
	}
}

func (n *Network) port(last byte) *port {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.ports[last]
}

func (n *Network) close() {
	close(n.end)
	n.mu.Lock()
	for _, p := range n.ports {
		_ = p.tun.Close() // this also removes the device
	}
	n.mu.Unlock()
	n.loops.Wait()
}
