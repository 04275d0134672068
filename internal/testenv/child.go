package testenv

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// gate is a shell script that waits for a line of input, and then starts a program. The caller writes
// the line once the keeper watches the process. If the test process dies before the line is written, the
// input ends, and the program never starts.
const gate = `read -r _ || exit 1; exec "$@" </dev/null`

type command struct {
	path   string
	args   []string
	env    []string            // nil means the environment of this process
	dir    string              // working directory
	stdout string              // file to append to
	stderr string              // file to append to; may equal stdout
	as     *syscall.Credential // nil: the user of this process
}

// child is a program that a test has started, the leader of its own process group.
type child struct {
	pid int

	mu     sync.Mutex
	ended  bool
	status syscall.WaitStatus // valid if ended is true
}

// start starts c, and makes the keeper watch it. It needs no goroutine: the output goes to files,
// and the method `gone` checks for the end.
func start(c command) (*child, error) {
	k, err := theKeeper()
	if err != nil {
		return nil, err
	}
	stdout, err := openLog(c.stdout)
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := openLog(c.stderr)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()

	cmd := exec.Command("sh", append([]string{"-c", gate, c.path, c.path}, c.args...)...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.env, stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: c.as}
	return k.startGated(cmd)
}

func (k *keeper) startGated(cmd *exec.Cmd) (*child, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	defer r.Close()

	cmd.Stdin = r
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{pid: cmd.Process.Pid}
	if err := k.watch(c.pid); err != nil {
		return nil, err
	}
	if _, err := w.WriteString("\n"); err != nil {
		return nil, err
	}
	return c, cmd.Process.Release()
}

func openLog(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
}

// gone reports whether the program has ended. It reaps an ended program.
func (c *child) gone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return true
	}
	pid, err := syscall.Wait4(c.pid, &c.status, syscall.WNOHANG, nil)
	if pid == 0 || err == syscall.EINTR {
		return false
	}
	c.ended = true
	if k, err := theKeeper(); err == nil {
		_ = k.forget(c.pid) // without a keeper there is no record
	}
	return true
}

// wait reports whether the program ended within d.
func (c *child) wait(d time.Duration) bool { return Await(d, c.gone) }

// mostPause is the longest pause of Await between two calls.
const mostPause = 25 * time.Millisecond

// Await calls the function `done` until it returns true, for at most d, and reports whether it returned
// true. The pauses between the calls grow, because each call takes processor time from the work that the
// test waits for.
func Await(d time.Duration, done func() bool) bool {
	pause := time.Millisecond
	for deadline := time.Now().Add(d); !done(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			return false
		}
		pause = min(pause*5/4, mostPause)
	}
	return true
}
