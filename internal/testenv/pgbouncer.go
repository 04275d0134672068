package testenv

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// pgbouncerHome is the path of PgBouncer, which is often not in a user's $PATH.
const pgbouncerHome = "/usr/sbin/pgbouncer"

// pgbouncerConfig is the configuration of PgBouncer. PgBouncer runs each transaction on any of its
// connections, without a password. The arguments of the format are the host and the port of the server,
// the port of PgBouncer, and the folder.
const pgbouncerConfig = `
[databases]
* = host=%[1]s port=%[2]s user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %[3]d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
pidfile = %[4]s/pgbouncer.pid
`

// StartPgBouncer starts PgBouncer in transaction mode in front of a Postgres server. The argument
// `database` is the URL of a database. StartPgBouncer returns the URL of this database through
// PgBouncer, which connects as the user postgres.
func StartPgBouncer(t T, database string) string {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	path, as := findPgBouncer(t), postgresUser(t)
	s := launch(t, newDir(t, "pgbouncer"), recipe{
		name: "pgbouncer",
		quit: syscall.SIGINT,
		url:  func(port int) string { return postgresURL(port, strings.TrimPrefix(at.Path, "/")) },
		command: func(dir string, port int) command {
			config := filepath.Join(dir, "pgbouncer.ini")
			text := fmt.Sprintf(pgbouncerConfig,
				at.Hostname(), at.Port(), port, dir)
			if err := writeFor(as, dir, config, text); err != nil {
				t.Fatalf("testenv: configure pgbouncer: %v", err)
			}
			return command{path: path, dir: dir, as: as, args: []string{config}}
		},
		ready: func(_ string, port, _ int) bool { return accepts(port) },
	})
	t.Cleanup(s.remove)
	return s.URL()
}

// writeFor writes a file, and makes a user the owner of the file and its folder.
func writeFor(as *syscall.Credential, dir, name, text string) error {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil || as == nil {
		return err
	}
	for _, path := range []string{dir, name} {
		if err := os.Chown(path, int(as.Uid), int(as.Gid)); err != nil {
			return err
		}
	}
	return nil
}

func findPgBouncer(t T) string {
	t.Helper()
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path
	}
	if _, err := os.Stat(pgbouncerHome); err == nil {
		return pgbouncerHome
	}
	missing(t, "pgbouncer")
	return ""
}
