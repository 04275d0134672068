//go:build linux

package machines

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// upWait bounds the time for a machine or a server on it to come up.
const upWait = time.Minute

// Machine is a network namespace with an address of its own.
type Machine struct {
	IP   string
	n    *Network
	port *port
	pid  int // of the process that holds the namespace
}

// Machine starts a machine.
func (n *Network) Machine() *Machine {
	n.t.Helper()
	n.mu.Lock()
	last := byte(len(n.ports) + 1)
	n.mu.Unlock()
	// The IPC namespace contains the shared memory of Postgres, which therefore ends with the namespace.
	holder := testenv.StartProcess(n.t, n.program("unshare"), nil, "--net", "--ipc", "sleep", "infinity")
	m := &Machine{IP: n.ip(last), n: n, pid: holder.PID()}
	until(n.t, "the namespace of "+m.IP, m.exists)
	name := n.connect(last)
	m.port = n.port(last)
	n.run("ip", "link", "set", name, "netns", strconv.Itoa(m.pid))
	for _, args := range [][]string{
		n.address(last, name), {"link", "set", name, "up"}, {"link", "set", "lo", "up"},
	} {
		n.run("nsenter", append(m.enter(), append([]string{"ip"}, args...)...)...)
	}
	return m
}

// exists reports whether the network namespace of the machine exists: the process m.pid then has another
// namespace than this process.
func (m *Machine) exists() bool {
	own, errOwn := os.Readlink("/proc/self/ns/net")
	its, errIts := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", m.pid))
	return errOwn == nil && errIts == nil && own != its
}

// enter returns the arguments of nsenter before a command that runs on the machine.
func (m *Machine) enter(options ...string) []string {
	ns := fmt.Sprintf("/proc/%d/ns/", m.pid)
	return append(append([]string{"--net=" + ns + "net", "--ipc=" + ns + "ipc"}, options...), "--")
}

// Start starts a program on the machine, like [testenv.StartProcess].
func (m *Machine) Start(path string, env []string, args ...string) *testenv.Process {
	m.n.t.Helper()
	return testenv.StartProcess(m.n.t, m.n.program("nsenter"), env, append(append(m.enter(), path), args...)...)
}

// CutOff drops all packets from and to the machine until Reconnect.
func (m *Machine) CutOff() { m.port.cut.Store(true) }

// Reconnect ends CutOff.
func (m *Machine) Reconnect() { m.port.cut.Store(false) }

func (n *Network) ip(last byte) string { return n.prefix + strconv.Itoa(int(last)) }

// address returns the arguments with which the program ip sets the address of a device.
func (n *Network) address(last byte, name string) []string {
	return []string{"address", "add", n.ip(last) + "/24", "dev", name}
}

// run runs a program and waits for it. If the program fails, run fails the test with its output.
func (n *Network) run(name string, args ...string) {
	n.t.Helper()
	if out, err := exec.Command(n.program(name), args...).CombinedOutput(); err != nil {
		n.t.Fatalf("machines: %s %v: %v\n%s", name, args, err, out)
	}
}

func (n *Network) program(name string) string {
	n.t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		n.t.Fatalf("machines: %v; scripts/provision.sh deployments installs it", err)
	}
	return path
}

// until waits until a condition holds. After upWait, it fails the test with the logs of the servers.
func until(t testenv.T, what string, holds func() bool, servers ...*testenv.Process) {
	t.Helper()
	if testenv.Await(upWait, holds) {
		return
	}
	log := ""
	for _, p := range servers {
		log += "\n" + strings.Join(p.Stdout(), "\n") + p.Stderr()
	}
	t.Fatalf("machines: no %s within %v%s", what, upWait, log)
}
