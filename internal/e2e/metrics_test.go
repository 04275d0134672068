//go:build all

package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// where finds the address of the metrics in the log of a program.
var where = regexp.MustCompile(`serving metrics" url=(\S+)/metrics`)

// metricsAddress returns the address at which a program serves its metrics.
func metricsAddress(t *testing.T, p *testenv.Process) string {
	t.Helper()
	says(t, p, "serving metrics", 1)
	return where.FindStringSubmatch(p.Stderr())[1]
}

// asked returns the answer of an address.
func asked(t *testing.T, url string) (status int, text string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// awaitLines waits, at most a minute, until the answer of an address has all given lines.
func awaitLines(t *testing.T, url string, lines ...string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, text := asked(t, url)
		var missing []string
		for _, line := range lines {
			if !strings.Contains("\n"+text, "\n"+line) {
				missing = append(missing, line)
			}
		}
		if len(missing) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s lacks %q:\n%s", url, missing, text)
		}
	}
}

// named finds the names of metrics in a text.
var named = regexp.MustCompile(`\b(?:kind:)?(?:rollcall|process)_[a-z_]+`)

// watched checks that the alerts, the dashboard, the autoscaler and the docs name only existing metrics.
func watched(t *testing.T, metrics string) {
	t.Helper()
	for _, name := range []string{"prometheus/rules.yaml", "grafana/rollcall.json", "kubernetes/wait/adapter.yaml"} {
		text, err := os.ReadFile("../../deployments/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := named.FindAllString(string(text), -1)
		for _, metric := range found {
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				if base, ok := strings.CutSuffix(metric, part); ok && strings.Contains(metrics, "# TYPE "+base+" histogram") {
					metric = base
				}
			}
			if !strings.HasSuffix(metric, "rollcall_drain_seconds") && !strings.Contains(metrics, "# TYPE "+metric+" ") {
				t.Errorf("%s names %s, which no process reports", name, metric)
			}
		}
		if len(found) == 0 {
			t.Errorf("%s names no metric", name)
		}
	}
	documented(t, metrics)
}

// documented compares docs/run/metrics.md with the metrics of a running service, in both
// directions. It compares labels where the service has a sample.
func documented(t *testing.T, metrics string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/run/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]string{} // labels by name
	for _, m := range regexp.MustCompile("(?m)^\\| `(rollcall_\\w+)(?:\\{([a-z,]+)\\})?` \\| (\\w+) \\|").FindAllStringSubmatch(string(page), -1) {
		described[m[1]] = m[2]
		if !strings.Contains(metrics, "# TYPE "+m[1]+" "+m[3]+"\n") {
			t.Errorf("docs/run/metrics.md has the %s %s, which no process reports", m[3], m[1])
		}
	}
	label := regexp.MustCompile(`(\w+)="`)
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (rollcall_\w+) `).FindAllStringSubmatch(metrics, -1) {
		labels, ok := described[m[1]]
		if !ok {
			t.Errorf("docs/run/metrics.md lacks %s", m[1])
		}
		sample := regexp.MustCompile(`(?m)^` + m[1] + `(?:_count)?(\{.*\})? `).FindStringSubmatch(metrics)
		if sample == nil {
			continue
		}
		var have []string
		for _, l := range label.FindAllStringSubmatch(sample[1], -1) {
			have = append(have, l[1])
		}
		want := strings.Split(labels, ",")
		slices.Sort(want)
		if slices.Sort(have); strings.Join(have, ",") != strings.Join(want, ",") {
			t.Errorf("docs/run/metrics.md: %s has the labels %q, not %q", m[1], have, labels)
		}
	}
}

// TestMetrics imports some rows. The worker that ran them reports their outcomes, any process
// reports what waits, and the API that answered reports requests. The trace of the task goes
// through both processes to its callback, and so does that of an export.
func TestMetrics(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	w := newWatcher(t)
	h.env = append(h.env, "METRICS_LISTEN=127.0.0.1:0", "OTEL_EXPORTER_OTLP_ENDPOINT="+w.URL, "WEBHOOK_ALLOW_PRIVATE=true")
	api, worker := h.api(), h.worker()
	path := filepath.Join(t.TempDir(), "products.csv")
	rows := "SKU,Name,Price,Brand,Note\nA,a,1,Acme,\nB,b,2,Acme,\nC,c,3,Nobody,\nD,d,4,Acme,!flaky\n"
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	v := follow(t, api.URL(), start(t, api.URL(), path, `{"callback_url":"`+w.URL+`/told"}`).ID, done)
	from := metricsAddress(t, worker)
	awaitLines(t, from+"/metrics",
		`rollcall_job_runs_total{code="",kind="products.import",outcome="finish"} 3`,
		`rollcall_job_runs_total{code="",kind="products.import",outcome="retry"} 1`,
		`rollcall_job_runs_total{code="BRAND_UNKNOWN",kind="products.import",outcome="failed"} 1`,
		`rollcall_job_wait_seconds_count{kind="products.import"} 5`,
		`rollcall_job_run_seconds_count{kind="products.import"} 5`,
		`rollcall_deliveries_total{channel="callback_url",state="delivered"} 1`,
		`rollcall_fed_jobs_total{kind="products.import"} 4`,
		`rollcall_jobs_settled_total 5`,
		`rollcall_leases_held `,
		`rollcall_commit_group_size_sum `,
	)
	awaitLines(t, metricsAddress(t, api)+"/metrics",
		`rollcall_queue_length{queue="products.import"} 0`,
		`rollcall_rows_waiting{kind="products.import"} 0`,
		`rollcall_rows_wait_seconds{kind="products.import"} 0`,
		`rollcall_rows_waiting_age_seconds `,
		`rollcall_queue_shards_unowned{queue="products.import"} 0`,
		`rollcall_postgres_connections_max 12`,
		`rollcall_redis_used_bytes `,
		`rollcall_http_requests_total{method="POST",route="/api/v1/tasks",status="202"} 1`,
	)
	awaitLines(t, api.URL()+"/metrics", `rollcall_build_info{`)
	_, one := asked(t, from+"/metrics")
	_, other := asked(t, metricsAddress(t, api)+"/metrics")
	watched(t, one+other)
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, text := asked(t, from+path); status != http.StatusOK {
			t.Errorf("%s of a worker: %d %s", path, status, text)
		}
	}
	if status, _ := asked(t, from+"/api/v1/tasks/"+v.ID); status != http.StatusNotFound {
		t.Errorf("the address of the metrics answers about tasks: %d", status)
	}
	s := &scene{deployment: h, apis: []*testenv.Process{api, api}}
	file := s.export()
	s.exported(file)
	for _, p := range []*testenv.Process{api, worker} { // at their end, they send the remaining spans
		p.Term()
		p.Wait()
	}
	w.checkCallback(t, v.ID)
	w.traced(t, v.ID, map[string]int{"accept": 1, "split": 1, "feed": 1, "job": 5, "notify": 1})
	w.traced(t, file, map[string]int{"accept": 1, "plan": 1, "feed": 1, "job": 1, "merge": 1})
	for _, fact := range []string{"job will be retried", "key=D", "attempt=1", "task=" + v.ID} {
		if !strings.Contains(worker.Stderr(), fact) {
			t.Errorf("the log of the worker lacks %q:\n%s", fact, worker.Stderr())
		}
	}
}
