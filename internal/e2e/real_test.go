package e2e

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// deployment is a service of several processes on real servers, with a database and a Redis of its own.
type deployment struct {
	t        *testing.T
	env      []string
	postgres string
	redis    *testenv.Server
	server   *testenv.Server // of Postgres, if it is the deployment's own
	races    bool            // the programs have the race detector, if the test has it
}

// newDeployment returns a deployment whose ledger has its tables.
func newDeployment(t *testing.T) *deployment {
	t.Helper()
	return newDeploymentOn(t, ledgers.Postgres(t))
}

func newDeploymentOn(t *testing.T, postgres string) *deployment {
	t.Helper()
	h := &deployment{t: t, postgres: postgres, redis: testenv.StartRedis(t)}
	h.env = []string{
		"LISTEN=127.0.0.1:0", "DATABASE_URL=" + h.postgres, "REDIS_URL=" + h.redis.URL(),
		"BLOB_URL=file://" + t.TempDir(), "LEASE=2s",
	}
	return h
}

func (h *deployment) api() *testenv.Process {
	h.t.Helper()
	return testenv.StartProcess(h.t, h.program("api"), h.env)
}

func (h *deployment) worker() *testenv.Process {
	h.t.Helper()
	return testenv.StartProcess(h.t, h.program("worker"), h.env)
}

// program returns the path of a program of the deployment.
func (h *deployment) program(name string) string {
	h.t.Helper()
	if h.races {
		return testenv.RaceBinary(h.t, "./cmd/"+name)
	}
	return testenv.Binary(h.t, "./cmd/"+name)
}

// verify runs "worker verify" and returns its exit code and its output.
func (h *deployment) verify(args ...string) (int, string) {
	h.t.Helper()
	p := testenv.StartProcess(h.t, h.program("worker"), h.env, append([]string{"verify"}, args...)...)
	code := p.Wait()
	return code, strings.Join(p.Stdout(), "\n") + "\n" + p.Stderr()
}

// TestReal uploads to one API process and polls the other, with three workers.
func TestReal(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	h.races = true
	path, want := sample(t, samples.Options{
		Rows: long(7500), Format: "csv", Seed: 3, Invalid: 75, Failing: 45, Errors: 3, Repeats: long(1500),
	})
	one, other := h.api(), h.api()
	workers := []*testenv.Process{h.worker(), h.worker(), h.worker()}
	v := follow(t, other.URL(), start(t, one.URL(), path).ID, done)
	for _, p := range append(workers, one, other) {
		p.Term()
	}
	for _, p := range append(workers, one, other) {
		if code := p.Wait(); code != 0 {
			t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
		}
	}
	verdict(t, h.postgres, v, want)
}

// TestRealKilled kills workers and the API in the middle of an import, and empties Redis once.
func TestRealKilled(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	path, want := sample(t, samples.Options{
		Rows: long(10_000), Format: "xlsx", Seed: 4,
		Invalid: long(250), Failing: long(150), Errors: 5, Repeats: long(1000),
	})
	api := h.api()
	id := start(t, api.URL(), path).ID
	api.Kill()

	api = h.api()
	first, second := h.worker(), h.worker()
	follow(t, api.URL(), id, processed(long(1500)))
	first.Kill()
	follow(t, api.URL(), id, processed(long(4000)))
	second.Kill()
	h.worker()
	follow(t, api.URL(), id, processed(long(6000)))
	h.redis.Restart() // Redis is empty after the restart
	h.worker()
	v := follow(t, api.URL(), id, done)
	verdict(t, h.postgres, v, want)
}
