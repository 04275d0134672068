//go:build outside

package e2e

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/machines"
)

// fleet is a service whose processes and servers have separate network namespaces. It has two APIs,
// three workers, Postgres with a synchronous standby, and a Redis Cluster with a replica for each
// master.
type fleet struct {
	*deployment
	database *machines.Postgres
	cluster  *machines.Cluster
	apis     []string // addresses
	workers  []*machines.Machine
	procs    []*testenv.Process
	db       *ledger.DB
	keys     []string
}

const (
	apiPort = ":8080"         // of each API, on its machine
	lease   = 2 * time.Second // of the shards of a worker
)

func newFleet(t *testing.T) *fleet {
	t.Helper()
	net := machines.NewNetwork(t)
	f := &fleet{deployment: &deployment{t: t}, database: net.StartPostgres(), cluster: net.StartCluster(), keys: keysOfAShard(40)}
	f.postgres = f.database.URL()
	f.env = []string{
		"DATABASE_URL=" + f.postgres, "REDIS_URL=" + f.cluster.URL(),
		"BLOB_URL=file://" + t.TempDir(), "LEASE=" + lease.String(),
	}
	f.key("root", "--role", "owner") // without a key, an API that other machines can reach does not start
	for range 2 {
		m := net.Machine()
		f.procs = append(f.procs, m.Start(testenv.Binary(t, "./cmd/api"), append(f.env, "LISTEN="+m.IP+apiPort)))
		f.apis = append(f.apis, f.procs[len(f.procs)-1].URL())
	}
	for range 3 {
		m := net.Machine()
		f.workers = append(f.workers, m)
		f.procs = append(f.procs, m.Start(testenv.Binary(t, "./cmd/worker"), f.env))
	}
	db, err := ledger.Open(t.Context(), f.postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	f.db = db
	writeLog(t, db)
	t.Cleanup(f.report)
	return f
}

// report adds the logs of the processes to a failure.
func (f *fleet) report() {
	for i, p := range f.procs {
		if text := p.Stderr(); f.t.Failed() {
			f.t.Logf("process %d:\n%s", i, text[max(0, len(text)-3000):])
		}
	}
}

// key creates an API key and returns its secret.
func (f *fleet) key(name string, args ...string) string {
	f.t.Helper()
	p := testenv.StartProcess(f.t, testenv.Binary(f.t, "./cmd/api"), f.env,
		append([]string{"keys", "create", "--name", name}, args...)...)
	if code := p.Wait(); code != 0 || len(p.Stdout()) != 1 {
		f.t.Fatalf("api keys create: exit code %d, %v\n%s", code, p.Stdout(), p.Stderr())
	}
	return p.Stdout()[0]
}

// door returns the address of a proxy to an API, which adds the key of a tenant to each request.
func (f *fleet) door(api int, tenant string) string {
	f.t.Helper()
	to, err := url.Parse(f.apis[api])
	if err != nil {
		f.t.Fatal(err)
	}
	key := f.key("door", "--tenant", tenant, "--role", "operator")
	door := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = "localhost"
		r.Out.Header.Set("Authorization", "Bearer "+key)
	}})
	f.t.Cleanup(door.Close)
	return door.URL
}

// close ends all processes of the service that still run. Each must exit with 0.
func (f *fleet) close() {
	f.t.Helper()
	for _, p := range f.procs {
		p.Term()
	}
	for _, p := range f.procs {
		if code := p.Wait(); code != 0 {
			f.t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
		}
	}
}
