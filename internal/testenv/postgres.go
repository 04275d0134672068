package testenv

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Postgres returns the URL of an empty database on a server shared by all tests of the process. The
// server has Postgres's default durability, and takes 400 connections. The database is dropped when
// the test ends, even with open connections.
func Postgres(t T) string {
	t.Helper()
	return newDatabase(t, sharedPostgres.get(t, launchPostgres), "template1")
}

// PostgresLike returns the URL of a copy of a filled database. The first call in a process calls `fill`
// with the URL of an empty database. Later calls copy the same database. The function `fill` must close
// its connections.
func PostgresLike(t T, fill func(url string) error) string {
	t.Helper()
	s := sharedPostgres.get(t, launchPostgres)
	filled.Do(func() {
		s.exec(t, "create database filled")
		fillErr = fill(postgresURL(s.port, "filled"))
	})
	if fillErr != nil {
		t.Fatalf("testenv: fill a database: %v", fillErr)
	}
	return newDatabase(t, s, "filled")
}

func newDatabase(t T, s *Server, like string) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text())
	s.exec(t, "create database "+name+" template "+like+s.copyFiles(t))
	t.Cleanup(func() {
		t.Helper()
		s.exec(t, "drop database if exists "+name+" with (force)")
	})
	return postgresURL(s.port, name)
}

// StartPostgres starts a private Postgres server. Its URL names the empty database "postgres".
func StartPostgres(t T) *Server {
	t.Helper()
	s := launchPostgres(t)
	t.Cleanup(s.remove)
	return s
}

// copyFiles returns the SQL option with which Postgres copies the files of a template database. Copying
// files takes less processor time than writing all pages to the log. Postgres 14 always copies the
// files, and has no such option.
func (s *Server) copyFiles(t T) string {
	t.Helper()
	var version string
	s.with(t, func(_ context.Context, conn *pgx.Conn) error {
		version = conn.PgConn().ParameterStatus("server_version")
		return nil
	})
	if strings.HasPrefix(version, "14.") {
		return ""
	}
	return " strategy file_copy"
}

// exec runs one statement on the database "postgres" of s.
func (s *Server) exec(t T, statement string) {
	t.Helper()
	s.with(t, func(ctx context.Context, conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		return nil
	})
}

// with calls the function `use` with a connection to the database "postgres" of s. It keeps the
// connection for later calls, since a new connection costs more than most statements.
func (s *Server) with(t T, use func(context.Context, *pgx.Conn) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), adminWait)
	defer cancel()
	conn, err := s.takeConn(ctx)
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	if err := use(ctx, conn); err != nil {
		_ = conn.Close(ctx) // the error of `use` is reported
		t.Fatalf("testenv: %v", err)
	}
	select {
	case s.conns <- conn:
	default:
		_ = conn.Close(ctx) // its statement has succeeded
	}
}

// takeConn returns an idle connection, or a new one.
func (s *Server) takeConn(ctx context.Context) (*pgx.Conn, error) {
	select {
	case conn := <-s.conns:
		return conn, nil
	default:
		return pgx.Connect(ctx, s.URL())
	}
}

func launchPostgres(t T) *Server {
	t.Helper()
	path, as := FindPostgres(t, "postgres"), postgresUser(t)
	dir := newMemoryDir(t, "postgres")
	initdb(t, dir, as)
	return launch(t, dir, recipe{
		name: "postgres",
		quit: syscall.SIGINT,
		url:  func(port int) string { return postgresURL(port, "postgres") },
		command: func(dir string, port int) command {
			return command{path: path, args: postgresArgs(dir, port), dir: dir, as: as}
		},
		ready: postgresReady,
		clean: removeSharedMemory,
	})
}

// postgresArgs returns arguments with which Postgres keeps every file in `dir` and uses little memory.
// Dynamic shared memory is in files. A killed server thus leaves only one small memory segment in the
// system, which removeSharedMemory removes.
func postgresArgs(dir string, port int) []string {
	args := []string{"-D", dataDir(dir), "-p", strconv.Itoa(port), "-k", dir}
	settings := []string{
		"listen_addresses=127.0.0.1",
		"max_connections=400",
		"shared_buffers=32MB",
		"dynamic_shared_memory_type=mmap",
	}
	if strings.HasPrefix(dir, memoryDir+"/") {
		settings = append(settings, "max_wal_size=128MB")
	}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// postgresReady reports whether the process with the number `pid` accepts connections. The lock
// file has the process number on its first line, and the state on its eighth.
func postgresReady(dir string, _, pid int) bool {
	lock := lockFile(dir)
	return len(lock) >= 8 && lock[0] == strconv.Itoa(pid) && strings.TrimSpace(lock[7]) == "ready"
}

// removeSharedMemory removes the small segment of shared memory that a killed Postgres leaves behind.
// The lock file also remains; its seventh line holds the key and the id of the segment.
func removeSharedMemory(dir string) {
	lock := lockFile(dir)
	if len(lock) < 7 {
		return
	}
	if ids := strings.Fields(lock[6]); len(ids) == 2 {
		_ = exec.Command("ipcrm", "-m", ids[1]).Run() // a leak of 56 bytes does not fail the test
	}
}

func lockFile(dir string) []string {
	text, err := os.ReadFile(filepath.Join(dataDir(dir), "postmaster.pid"))
	if err != nil {
		return nil // not started yet, or ended cleanly
	}
	return strings.Split(string(text), "\n")
}

func dataDir(dir string) string { return filepath.Join(dir, "data") }

func postgresURL(port int, database string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", address(port), database)
}
