package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	startTries = 5                // a port may be taken between choice and start
	startWait  = 60 * time.Second // for one attempt, recovery after a crash included
	stopWait   = 60 * time.Second // for a graceful end

	maxIdleConns = 8
)

// recipe holds the command and the functions that run one kind of server.
type recipe struct {
	name    string                               // for messages and directories
	quit    syscall.Signal                       // requests a graceful end
	command func(dir string, port int) command   // its output fields stay empty
	ready   func(dir string, port, pid int) bool // reports whether this process serves
	url     func(port int) string
	clean   func(dir string) // called after the server has ended for good; may be nil
}

// Server is a private server on a fixed loopback address, with its own directory. Address and
// directory stay the same after Kill, Stop and Start. One goroutine at a time may use it. Its
// methods fail the test on errors.
type Server struct {
	t      T
	recipe recipe
	dir    string
	port   int
	proc   *child
	conns  chan *pgx.Conn // idle connections to a Postgres server
}

// launch starts a server that runs until the process ends, or until the test calls `remove`.
func launch(t T, dir string, r recipe) *Server {
	t.Helper()
	s := &Server{t: t, recipe: r, dir: dir, conns: make(chan *pgx.Conn, maxIdleConns)}
	var err error
	for range startTries {
		if s.port, err = freePort(); err != nil {
			break
		}
		if err = s.begin(); err == nil {
			return s
		}
	}
	t.Fatalf("testenv: start %s: %v", r.name, err)
	return nil
}

// begin runs the program and waits until it serves.
func (s *Server) begin() error {
	c := s.recipe.command(s.dir, s.port)
	c.stdout, c.stderr = s.logFile(), s.logFile()
	proc, err := start(c)
	if err != nil {
		return err
	}
	s.proc = proc

	ready := false
	Await(startWait, func() bool {
		ready = s.recipe.ready(s.dir, s.port, proc.pid)
		return ready || proc.gone()
	})
	if ready {
		return nil
	}
	if err := proc.kill(); err != nil {
		return err
	}
	return fmt.Errorf("it ended or did not serve within %v; its log:\n%s", startWait, s.Log())
}

// Start starts a killed or stopped server again, with its old address and data, and returns when it
// serves.
func (s *Server) Start() {
	s.t.Helper()
	if !s.proc.gone() {
		s.t.Fatalf("testenv: start %s: it is running", s.recipe.name)
	}
	var err error
	for range startTries {
		if err = s.begin(); err == nil {
			return
		}
	}
	s.t.Fatalf("testenv: start %s again: %v", s.recipe.name, err)
}

// Stop ends the server gracefully, even if it is paused. It may be called twice.
func (s *Server) Stop() {
	s.t.Helper()
	s.Resume()
	s.proc.signal(s.recipe.quit)
	if !s.proc.wait(stopWait) {
		s.t.Fatalf("testenv: stop %s: it still runs after %v; its log:\n%s",
			s.recipe.name, stopWait, s.Log())
	}
}

// Kill ends the server and its children with SIGKILL. It may be called twice.
func (s *Server) Kill() {
	s.t.Helper()
	if err := s.proc.kill(); err != nil {
		s.t.Fatalf("testenv: kill %s: %v", s.recipe.name, err)
	}
}

// Restart calls Stop and Start.
func (s *Server) Restart() {
	s.t.Helper()
	s.Stop()
	s.Start()
}

// Pause freezes the server and its children with SIGSTOP: its connections stay open without
// replies.
func (s *Server) Pause() {
	s.t.Helper()
	if err := s.proc.pause(); err != nil {
		s.t.Fatalf("testenv: pause %s: %v", s.recipe.name, err)
	}
}

// Resume continues the server after Pause. For a running server it is a no-op.
func (s *Server) Resume() {
	s.t.Helper()
	if err := s.proc.resume(); err != nil {
		s.t.Fatalf("testenv: resume %s: %v", s.recipe.name, err)
	}
}

// URL returns the address of the server, in the form of REDIS_URL or DATABASE_URL.
func (s *Server) URL() string { return s.recipe.url(s.port) }

// Addr returns the server's host:port.
func (s *Server) Addr() string { return address(s.port) }

// Dir returns the server's directory. The directory is removed with the server.
func (s *Server) Dir() string { return s.dir }

// Log returns the server's output since its first start.
func (s *Server) Log() string {
	text, err := os.ReadFile(s.logFile())
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (s *Server) logFile() string { return filepath.Join(s.dir, "server.log") }

// remove ends the server and removes its directory.
func (s *Server) remove() {
	s.t.Helper()
	s.Kill()
	if s.recipe.clean != nil {
		s.recipe.clean(s.dir)
	}
	if err := os.RemoveAll(s.dir); err != nil {
		s.t.Fatalf("testenv: remove %s: %v", s.recipe.name, err)
	}
}
