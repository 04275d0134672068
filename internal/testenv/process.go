package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	listenWait = 60 * time.Second // for the line with the address
	endWait    = 60 * time.Second // for the end of a stopped program
)

// listening is the start of the first line of a program that serves HTTP.
const listening = "listening on "

// Process is a running program of the project. One goroutine at a time may use it. Its methods fail
// the test on errors.
type Process struct {
	t    T
	path string
	dir  string
	proc *child
}

// StartProcess runs the program at `path`, in its own working directory. The environment is `env`,
// as "NAME=value", with PATH, HOME and TMPDIR of this process. The program is killed when the test
// ends. The test fails if the race detector has written to the program's standard error.
func StartProcess(t T, path string, env []string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, path: path, dir: newDir(t, filepath.Base(path))}
	work := filepath.Join(p.dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatalf("testenv: %v", err)
	}
	var err error
	p.proc, err = start(command{
		path: path, args: args, env: append(basicEnv(), env...), dir: work,
		stdout: p.file("stdout"), stderr: p.file("stderr"),
	})
	if err != nil {
		t.Fatalf("testenv: start %s: %v", path, err)
	}
	t.Cleanup(p.remove)
	return p
}

func basicEnv() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// URL waits for the program's first line on standard output, which must be "listening on
// http://HOST:PORT", and returns that URL. Later calls return the same URL.
func (p *Process) URL() string {
	p.t.Helper()
	Await(listenWait, func() bool { return len(p.Stdout()) > 0 || p.proc.gone() })
	lines := p.Stdout()
	if len(lines) == 0 {
		p.t.Fatalf("testenv: %s ended or printed no address within %v; its stderr:\n%s",
			p.path, listenWait, p.Stderr())
	}
	url, ok := strings.CutPrefix(lines[0], listening)
	if !ok {
		p.t.Fatalf("testenv: %s printed %q instead of its address; its stderr:\n%s",
			p.path, lines[0], p.Stderr())
	}
	return url
}

// Kill ends the program and its children with SIGKILL. It may be called twice.
func (p *Process) Kill() {
	p.t.Helper()
	if err := p.proc.kill(); err != nil {
		p.t.Fatalf("testenv: kill %s: %v", p.path, err)
	}
}

// Term sends SIGTERM to the program, and does not wait.
func (p *Process) Term() { p.proc.signal(syscall.SIGTERM) }

// Pause freezes the program with SIGSTOP.
func (p *Process) Pause() {
	p.t.Helper()
	if err := p.proc.pause(); err != nil {
		p.t.Fatalf("testenv: pause %s: %v", p.path, err)
	}
}

// Resume continues the program after Pause.
func (p *Process) Resume() {
	p.t.Helper()
	if err := p.proc.resume(); err != nil {
		p.t.Fatalf("testenv: resume %s: %v", p.path, err)
	}
}

// Wait waits until the program has ended, for at most a minute, and returns its exit code; -1 if a
// signal ended it.
func (p *Process) Wait() int {
	p.t.Helper()
	if !p.proc.wait(endWait) {
		p.t.Fatalf("testenv: %s still runs after %v; its stderr:\n%s", p.path, endWait, p.Stderr())
	}
	return p.proc.status.ExitStatus()
}

// Running reports whether the program is running.
func (p *Process) Running() bool { return !p.proc.gone() }

// Stdout returns the complete lines of the program's standard output.
func (p *Process) Stdout() []string {
	text := p.read("stdout")
	whole := text[:strings.LastIndex(text, "\n")+1]
	if whole == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
}

// Stderr returns the program's standard error.
func (p *Process) Stderr() string { return p.read("stderr") }

func (p *Process) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.file(name))
	if err != nil {
		p.t.Fatalf("testenv: %v", err)
	}
	return string(text)
}

func (p *Process) file(name string) string { return filepath.Join(p.dir, name) }

func (p *Process) remove() {
	p.t.Helper()
	p.Kill()
	stderr := p.Stderr()
	if err := os.RemoveAll(p.dir); err != nil {
		p.t.Fatalf("testenv: remove %s: %v", p.path, err)
	}
	if strings.Contains(stderr, "WARNING: DATA RACE") {
		p.t.Fatalf("testenv: %s has a data race:\n%s", p.path, stderr)
	}
}

// PID returns the process id of the program.
func (p *Process) PID() int { return p.proc.pid }
