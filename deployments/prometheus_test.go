//go:build outside

package deployments_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// within2m bounds the waits in the tests of this package.
const within2m = 2 * time.Minute

func TestPrometheus_Rules_FireEachAlertAlone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"promtool", "check", "config", "prometheus.yaml"},
		{"promtool", "test", "rules", "rules_test.yaml"},
		{"amtool", "check-config", "alertmanager.yaml"},
	} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = "prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// faulty holds the metrics of a service with every fault. %d counts the scrapes.
const faulty = `rollcall_rows_waiting{kind="still"} 5
rollcall_rows_waiting{kind="busy"} 100000000
rollcall_job_runs_total{kind="busy",outcome="finish"} %[1]d
rollcall_job_runs_total{kind="busy",outcome="retry"} %[1]d
rollcall_job_runs_total{kind="busy",outcome="error"} %[1]d
rollcall_job_wait_seconds_bucket{kind="busy",le="60"} 0
rollcall_job_wait_seconds_bucket{kind="busy",le="300"} %[1]d
rollcall_job_wait_seconds_bucket{kind="busy",le="+Inf"} %[1]d
rollcall_queue_lag_seconds{queue="busy",shard="0"} 400
rollcall_queue_shards_unowned{queue="busy"} 1
rollcall_queue_length{queue="busy"} 5
rollcall_redis_script_faults_total %[1]d
rollcall_jobs_stuck{kind="busy"} 1
rollcall_repairs_total{what="job_fed"} %[1]d
rollcall_leases_lost_total %[1]d0
rollcall_commit_seconds_bucket{le="1"} 0
rollcall_commit_seconds_bucket{le="3"} %[1]d
rollcall_commit_seconds_bucket{le="+Inf"} %[1]d
rollcall_deliveries_total{channel="webhook",state="dead"} %[1]d
rollcall_redis_used_bytes 99
rollcall_redis_max_bytes 100
rollcall_postgres_waits_total %[1]d000
rollcall_http_requests_total{status="500"} %[1]d
rollcall_scrape_faults_total{part="redis"} %[1]d0
`

// TestAlertmanager_EachAlert_ReachesTheReceiverOfItsSeverity runs Prometheus and Alertmanager with their
// configuration here. The rules have no grace times, and the receivers are servers of the test.
func TestAlertmanager_EachAlert_ReachesTheReceiverOfItsSeverity(t *testing.T) {
	t.Parallel()
	var scrapes atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, faulty, scrapes.Add(1))
	}))
	t.Cleanup(service.Close)
	inbox := newInbox(t)
	manager := alertmanager(t, inbox.URL)
	prometheus(t, manager, strings.TrimPrefix(service.URL, "http://"), "127.0.0.1:1")

	want := map[string]string{}
	for _, group := range strict[rules](t, "rules.yaml", file(t, "prometheus/rules.yaml")).Groups {
		for _, r := range group.Rules {
			if r.Alert != "" {
				want[r.Alert] = map[string]string{"page": "/pager", "ticket": "/tickets"}[r.Labels["severity"]] + " " + r.Annotations.Runbook
			}
		}
	}
	for end := time.Now().Add(within2m); ; time.Sleep(100 * time.Millisecond) {
		missing := inbox.lacks(want)
		if len(missing) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("these alerts did not arrive as they should: %q", missing)
		}
	}
}

// inbox receives the alerts of Alertmanager.
type inbox struct {
	*httptest.Server
	mu  sync.Mutex
	got map[string]string // path and runbook by alert
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	b := &inbox{got: map[string]string{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var message struct {
		Alerts []struct{ Labels, Annotations map[string]string }
	}
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range message.Alerts {
		b.got[a.Labels["alertname"]] = r.URL.Path + " " + a.Annotations["runbook_url"]
	}
}

// lacks returns the alerts of `want` that have not arrived at their path and with their runbook.
func (b *inbox) lacks(want map[string]string) (missing []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, how := range want {
		if b.got[name] != how {
			missing = append(missing, name+" came as "+b.got[name])
		}
	}
	return missing
}

// alertmanager starts Alertmanager with receivers at an address and returns its own address.
func alertmanager(t *testing.T, receivers string) string {
	t.Helper()
	text := regexp.MustCompile(`http://\w+\.example\.com/alerts`).ReplaceAllString(file(t, "prometheus/alertmanager.yaml"), receivers)
	text = strings.Replace(text, "group_wait: 30s", "group_wait: 0s", 1)
	text = strings.Replace(text, receivers, receivers+"/pager", 1)
	text = strings.Replace(text, receivers+`"`, receivers+`/tickets"`, 1)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "alertmanager.yaml"), text)
	addr := freeAddr(t)
	testenv.StartProcess(t, program(t, "prometheus-alertmanager", "alertmanager"), nil,
		"--config.file="+filepath.Join(dir, "alertmanager.yaml"), "--storage.path="+dir,
		"--web.listen-address="+addr, "--cluster.listen-address=")
	return addr
}

// prometheus starts Prometheus with the rules of the project and returns its URL. It scrapes the targets
// each second, the first as rollcall-api, the others as rollcall-worker.
func prometheus(t *testing.T, manager string, targets ...string) string {
	t.Helper()
	dir, addr := t.TempDir(), freeAddr(t)
	text := regexp.MustCompile(`for: \w+`).ReplaceAllString(file(t, "prometheus/rules.yaml"), "for: 0s")
	write(t, filepath.Join(dir, "rules.yaml"), text)
	quoted := `"` + strings.Join(targets[1:], `","`) + `"`
	write(t, filepath.Join(dir, "prometheus.yaml"), `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [rules.yaml]
alerting: {alertmanagers: [{static_configs: [{targets: ["`+manager+`"]}]}]}
scrape_configs:
  - {job_name: rollcall-api, static_configs: [{targets: ["`+targets[0]+`"]}]}
  - {job_name: rollcall-worker, static_configs: [{targets: [`+quoted+`]}]}
`)
	testenv.StartProcess(t, program(t, "prometheus"), nil, "--config.file="+filepath.Join(dir, "prometheus.yaml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr)
	return "http://" + addr
}

// program returns the path of the first of the programs that the machine has.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatalf("none of %q is installed: run scripts/provision.sh deployments", names)
	return ""
}

func freeAddr(t *testing.T) string {
	t.Helper()
	addr, err := testenv.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
