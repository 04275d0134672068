//go:build outside

package deployments_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// silent lists the metrics that a healthy embedded service does not report: it has no Postgres and
// no webhook, its Redis does not report memory, and the panel of lags shows only those above a
// second.
var silent = []string{"rollcall_postgres_", "rollcall_redis_max_bytes", "rollcall_redis_used_bytes", "rollcall_deliver", "rollcall_queue_lag_seconds"}

// queriesOf returns the queries of the panels of the dashboard, with its variables filled in.
func queriesOf(t *testing.T) (list []string) {
	t.Helper()
	var board struct {
		Panels []struct {
			Type    string
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(file(t, "grafana/rollcall.json")), &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("the panel %q asks for nothing", p.Title)
		}
		for _, target := range p.Targets {
			list = append(list, strings.NewReplacer("$__rate_interval", "1m", "$kind", ".*").Replace(target.Expr))
		}
	}
	if len(list) < 30 {
		t.Fatalf("only %d queries found", len(list))
	}
	return list
}

// TestDashboard_EachQuery_IsAnsweredByPrometheus starts a Prometheus server, which scrapes a service that
// has imported a file.
func TestDashboard_EachQuery_IsAnsweredByPrometheus(t *testing.T) {
	t.Parallel()
	metrics := freeAddr(t)
	p := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), []string{
		"LISTEN=127.0.0.1:0", "DATA_DIR=" + t.TempDir(), "METRICS_LISTEN=" + metrics,
	})
	counts := imported(t, p.URL(), "", "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,2,Nobody\n")
	if counts.Finish != 1 || counts.Failed != 1 {
		t.Errorf("counts of the import: %+v", counts)
	}
	base := prometheus(t, "127.0.0.1:1", metrics, metrics)
	waiting := queriesOf(t)
	for end := time.Now().Add(within2m); ; time.Sleep(200 * time.Millisecond) {
		var open []string
		for _, q := range waiting {
			if !answered(t, base, q) {
				open = append(open, q)
			}
		}
		if waiting = open; len(waiting) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("Prometheus has no answer to:\n%s", strings.Join(waiting, "\n"))
		}
	}
}

// answered reports whether Prometheus accepts a query and has samples for it, unless it is silent.
func answered(t *testing.T, base, query string) bool {
	t.Helper()
	resp, err := http.Get(base + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return false // it is starting
	}
	defer resp.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct{ Result []any }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return false // it is loading
	}
	if answer.Status != "success" {
		t.Errorf("%s: %s", query, answer.Error)
		return true
	}
	for _, name := range silent {
		if strings.Contains(query, name) {
			return true
		}
	}
	return len(answer.Data.Result) > 0
}
