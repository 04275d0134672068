package testenv

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// killWait bounds the time for a killed process to disappear.
const killWait = time.Minute

// signal sends `sig` only to the program, not to its group. For an ended program it is a no-op.
func (c *child) signal(sig syscall.Signal) {
	if !c.gone() {
		_ = syscall.Kill(c.pid, sig) // it may end in this moment
	}
}

// pause sends SIGSTOP to the program, its group and its children, in that order, so that the program starts
// no child meanwhile. The children of Postgres do not belong to its group.
func (c *child) pause() error {
	if c.gone() {
		return nil
	}
	_ = syscall.Kill(-c.pid, syscall.SIGSTOP) // it may end in this moment
	return c.signalChildren(syscall.SIGSTOP)
}

// resume sends SIGCONT to the processes that `pause` has stopped: the children, the program and its group.
func (c *child) resume() error {
	if c.gone() {
		return nil
	}
	err := c.signalChildren(syscall.SIGCONT)
	_ = syscall.Kill(-c.pid, syscall.SIGCONT) // it may end in this moment
	return err
}

// kill ends the program, its group and its children with SIGKILL, and returns once the program is
// gone.
func (c *child) kill() error {
	if c.gone() {
		return nil
	}
	_ = syscall.Kill(-c.pid, syscall.SIGSTOP) // so that no child starts meanwhile
	err := c.signalChildren(syscall.SIGKILL)
	_ = syscall.Kill(-c.pid, syscall.SIGKILL) // it may end in this moment
	if !c.wait(killWait) {
		return fmt.Errorf("process %d outlives its kill by %v", c.pid, killWait)
	}
	return err
}

func (c *child) signalChildren(sig syscall.Signal) error {
	pids, err := children(c.pid)
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig) // it may end in this moment
	}
	return err
}

// children returns the processes whose parent has the number `pid`.
func children(pid int) ([]int, error) {
	out, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output()
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []int
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var id, parent int
		if _, err := fmt.Sscan(lines.Text(), &id, &parent); err != nil {
			return nil, fmt.Errorf("ps printed %q: %w", lines.Text(), err)
		}
		if parent == pid {
			found = append(found, id)
		}
	}
	return found, nil
}
