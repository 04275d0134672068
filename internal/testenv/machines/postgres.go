//go:build linux

package machines

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

const postgresPort = "5432"

// Postgres is a primary and a synchronous standby, on two machines. A commit returns once the standby has
// stored it, too.
type Postgres struct {
	Primary, Standby *Machine

	n       *Network
	dir     string // of both; the user postgres owns it
	primary *testenv.Process
}

// StartPostgres starts a primary and a standby, and returns when the standby replicates synchronously.
func (n *Network) StartPostgres() *Postgres {
	n.t.Helper()
	first := testenv.StartPostgres(n.t) // for its data directory
	first.Stop()
	p := &Postgres{Primary: n.Machine(), Standby: n.Machine(), n: n, dir: first.Dir()}
	p.allow(filepath.Join(p.dir, "data", "pg_hba.conf"))
	p.primary = p.serve(p.Primary, "data", "-c", "synchronous_standby_names=*")
	until(n.t, "primary", func() bool { return p.isTrue(p.Primary, "SELECT true") }, p.primary)
	p.run(p.Standby, "pg_basebackup", "-h", p.Primary.IP, "-p", postgresPort, "-U", "postgres",
		"-D", filepath.Join(p.dir, "standby"), "-R", "--checkpoint=fast", "--no-sync")
	standby := p.serve(p.Standby, "standby")
	until(n.t, "synchronous standby", func() bool {
		return p.isTrue(p.Primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
	}, standby)
	return p
}

// URL returns a URL with both addresses. Clients connect to the server that accepts writes.
func (p *Postgres) URL() string {
	return fmt.Sprintf("postgres://postgres@%[1]s:%[3]s,%[2]s:%[3]s/postgres?sslmode=disable&connect_timeout=2"+
		"&target_session_attrs=read-write", p.Primary.IP, p.Standby.IP, postgresPort)
}

// KillPrimary kills the primary. The primary does not start again.
func (p *Postgres) KillPrimary() { p.n.t.Helper(); p.primary.Kill() }

// Promote makes the standby the primary. The new primary commits without waiting for a standby.
func (p *Postgres) Promote() {
	p.n.t.Helper()
	if !p.isTrue(p.Standby, "SELECT pg_promote()") {
		p.n.t.Fatalf("machines: the standby is not promoted")
	}
}

// serve starts a server on a machine. The argument `data` is the name of its data directory.
func (p *Postgres) serve(m *Machine, data string, settings ...string) *testenv.Process {
	p.n.t.Helper()
	args := []string{
		"-D", filepath.Join(p.dir, data), "-p", postgresPort,
		"-c", "unix_socket_directories=", "-c", "listen_addresses=" + m.IP, "-c", "max_connections=200", "-c", "shared_buffers=32MB",
		"-c", "dynamic_shared_memory_type=mmap",
	}
	return testenv.StartProcess(p.n.t, p.n.program("nsenter"), nil,
		append(p.command(m, "postgres"), append(args, settings...)...)...)
}

// run runs a program of Postgres on a machine to its end.
func (p *Postgres) run(m *Machine, name string, args ...string) {
	p.n.t.Helper()
	p.n.run("nsenter", append(p.command(m, name), args...)...)
}

// command returns the arguments of nsenter for a program of Postgres, as the owner of its files.
func (p *Postgres) command(m *Machine, name string) []string {
	p.n.t.Helper()
	var owner syscall.Stat_t
	if err := syscall.Stat(p.dir, &owner); err != nil {
		p.n.t.Fatalf("machines: %v", err)
	}
	as := []string{"--wd=" + p.dir, "--setgid=" + strconv.Itoa(int(owner.Gid)), "--setuid=" + strconv.Itoa(int(owner.Uid))}
	return append(m.enter(as...), testenv.FindPostgres(p.n.t, name))
}

// allow configures the server to accept connections from all machines of the network.
func (p *Postgres) allow(file string) {
	p.n.t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(f, "host all,replication all %s0/24 trust\n", p.n.prefix)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		p.n.t.Fatalf("machines: %v", err)
	}
}

// isTrue reports whether a query on the server of a machine returns true.
func (p *Postgres) isTrue(m *Machine, question string) (yes bool) {
	ctx, cancel := context.WithTimeout(context.Background(), upWait)
	defer cancel()
	conn, err := pgx.Connect(ctx, "postgres://postgres@"+m.IP+":"+postgresPort+"/postgres?sslmode=disable&connect_timeout=2")
	if err != nil {
		return false
	}
	defer conn.Close(ctx)
	return conn.QueryRow(ctx, question).Scan(&yes) == nil && yes
}
