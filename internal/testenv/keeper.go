package testenv

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

//go:embed keeper.sh
var keeperScript string

// keeper is the shell process that ends the servers when this process ends.
type keeper struct {
	// root is the directory of this process's files, and `memory` is the directory of its Postgres data.
	// The keeper removes both.
	root, memory string

	mu sync.Mutex
	in *os.File // the keeper's standard input; open until this process ends
}

// theKeeper returns the keeper of this process. Its first call starts the keeper.
var theKeeper = sync.OnceValues(startKeeper)

func startKeeper() (*keeper, error) {
	root, err := os.MkdirTemp("", "rollcall-test-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(root, 0o755); err != nil { // the user postgres must enter it
		return nil, err
	}
	memory, err := memoryRoot(root)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()

	cmd := exec.Command("sh", "-c", keeperScript, "testenv-keeper", root, memory)
	cmd.Dir, cmd.Stdin = "/", r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no Ctrl-C, no hang-up
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &keeper{root: root, memory: memory, in: w}, cmd.Process.Release()
}

// watch makes the keeper end the process with the number `pid` when this process ends.
func (k *keeper) watch(pid int) error { return k.send("watch", pid) }

// forget makes the keeper stop watching an ended process, since another process may get its number.
func (k *keeper) forget(pid int) error { return k.send("forget", pid) }

func (k *keeper) send(verb string, pid int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, err := fmt.Fprintln(k.in, verb, pid)
	return err
}

// newDir makes a directory that exists until the keeper removes it.
func newDir(t T, name string) string {
	t.Helper()
	return newDirIn(t, name, func(k *keeper) string { return k.root })
}

// newMemoryDir works like newDir, but makes the directory in memory if there is room.
func newMemoryDir(t T, name string) string {
	t.Helper()
	return newDirIn(t, name, func(k *keeper) string { return k.memory })
}

func newDirIn(t T, name string, parent func(*keeper) string) string {
	t.Helper()
	k, err := theKeeper()
	if err != nil {
		t.Fatalf("testenv: start the keeper: %v", err)
	}
	dir, err := os.MkdirTemp(parent(k), name+"-")
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	return dir
}
