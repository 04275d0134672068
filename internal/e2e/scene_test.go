package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// scene is a deployment with several API processes, of which the second is polled, and with workers. A
// fault happens in it during an import.
type scene struct {
	*deployment
	apis, workers []*testenv.Process
	want          samples.Counts
	id            string // of the task, once it is known
}

// newScene starts the servers. Processes start later.
func newScene(t *testing.T, opt samples.Options) (s *scene, file string) {
	t.Helper()
	s = &scene{deployment: newDeployment(t)}
	file, s.want = sample(t, opt)
	return s, file
}

// open starts two APIs and three workers. The workers also have the variables `env`.
func (s *scene) open(env ...string) {
	s.t.Helper()
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	for range 3 {
		s.workers = append(s.workers, s.process("worker", env...))
	}
}

// process starts a program of the house with further variables, such as a failpoint.
func (s *scene) process(name string, env ...string) *testenv.Process {
	s.t.Helper()
	return testenv.StartProcess(s.t, s.program(name), append(append([]string{}, s.env...), env...))
}

// getTask polls the second API once.
func (s *scene) getTask(id string) (v task, ok bool) {
	s.t.Helper()
	return getTask(s.t, s.apis[1].URL(), id)
}

// getTask polls a task once. The service may answer that it is unavailable, but must then send the
// time of a retry. It must answer in time.
func getTask(t *testing.T, url, id string) (v task, ok bool) {
	t.Helper()
	begun := time.Now()
	resp, err := client.Get(url + "/api/v1/tasks/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("a poll took %v", took)
	}
	switch {
	case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
		return v, false
	case resp.StatusCode != http.StatusOK:
		t.Fatalf("poll: %s %s", resp.Status, body)
	}
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	return v, true
}

// until polls until the condition holds, and checks the invariants at each poll.
func (s *scene) until(cond func(task) bool) task {
	s.t.Helper()
	return until(s.t, s.apis[1].URL(), s.id, cond)
}

// until is like follow, for a service that may be unavailable.
func until(t *testing.T, url, id string, cond func(task) bool) task {
	t.Helper()
	var last task
	for end := time.Now().Add(patience); time.Now().Before(end); {
		v, ok := getTask(t, url, id)
		if ok {
			v.mustAddUp(t, last)
			if cond(v) {
				return v
			}
			last = v
		}
		time.Sleep(between)
	}
	t.Fatalf("task %s is still %s: %+v", id, last.Status, last.Counts)
	return last
}

// fallen waits until one of the processes has ended by itself at a failpoint.
func (s *scene) fallen(some ...*testenv.Process) {
	s.t.Helper()
	gone := func(p *testenv.Process) bool { return !p.Running() }
	for end := time.Now().Add(patience); !slices.ContainsFunc(some, gone); {
		if time.Now().After(end) {
			s.t.Fatal("no process has come to the moment at which it was to die")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// close ends every process that still runs. Each must exit with 0.
func (s *scene) close() {
	s.t.Helper()
	all := append(append([]*testenv.Process{}, s.workers...), s.apis...)
	var alive []*testenv.Process
	for _, p := range all {
		if p.Running() {
			alive = append(alive, p)
			p.Term()
		}
	}
	for _, p := range alive {
		if code := p.Wait(); code != 0 {
			s.t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
		}
	}
}

// cli sends a command to the Redis of the deployment.
func (s *scene) cli(args ...any) {
	s.t.Helper()
	opt, err := redis.ParseURL(s.redis.URL())
	if err != nil {
		s.t.Fatal(err)
	}
	rdb := redis.NewClient(opt)
	defer rdb.Close()
	if err := rdb.Do(s.t.Context(), args...).Err(); err != nil {
		s.t.Fatalf("redis %v: %v", args, err)
	}
}

// ledger opens the database of the deployment until the end of the test.
func (s *scene) ledger() *ledger.DB {
	s.t.Helper()
	db, err := ledger.Open(s.t.Context(), s.postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = db.Close() })
	return db
}

// finished returns the version of each event that has finished.
func finished(t *testing.T, db *ledger.DB) map[int64]int {
	t.Helper()
	var rows []struct {
		ID      int64
		Version int
	}
	if err := db.Read.Raw("SELECT id, version FROM rollcall.events WHERE status = 'finish'").Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	out := map[int64]int{}
	for _, r := range rows {
		out[r.ID] = r.Version
	}
	return out
}

// slowFile writes a file whose rows take two seconds each.
func slowFile(t *testing.T, rows int) (path string, want samples.Counts) {
	t.Helper()
	text := "SKU,Name,Price,Brand,Note\n"
	for i := range rows {
		text += fmt.Sprintf("SLOW-%d,slow %d,1.50,Acme,!slow\n", i, i)
	}
	path = filepath.Join(t.TempDir(), "slow.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, samples.Counts{Rows: rows, Good: rows, DistinctSKU: rows}
}

// files lists the files in the blob folder.
func (s *scene) files() []string {
	s.t.Helper()
	for _, e := range s.env {
		if dir, ok := strings.CutPrefix(e, "BLOB_URL=file://"); ok {
			found, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				s.t.Fatal(err)
			}
			return found
		}
	}
	s.t.Fatal("no blob folder")
	return nil
}
