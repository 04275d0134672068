package metrics

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/version"
)

// scrape returns the metrics of a set.
func scrape(t *testing.T, s *Set) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("a scrape: %d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// TestLabelsDoNotGrow: texts that users send add no label.
func TestLabelsDoNotGrow(t *testing.T) {
	t.Parallel()
	s := New([]string{"a", "b"}, nil)
	for i := range 3 * maxCodes {
		s.Ran(Run{Kind: "a", Outcome: "failed", Code: fmt.Sprint("C", i), Took: time.Second})
		s.Ran(Run{Kind: fmt.Sprint("k", i), Outcome: "finish", Wait: -1})
		s.Served(fmt.Sprint("M", i), "", 404, time.Second)
	}
	s.Ran(Run{Kind: "b", Outcome: "failed", Code: "C0"})
	s.GivenUp(conns.TableFull)
	text := scrape(t, s)
	for _, want := range []string{
		`rollcall_job_runs_total{code="C7",kind="a",outcome="failed"} 1`,
		`rollcall_job_runs_total{code="OTHER",kind="a",outcome="failed"} 200`,
		`rollcall_job_runs_total{code="",kind="OTHER",outcome="finish"} 300`,
		`rollcall_job_wait_seconds_count{kind="OTHER"} 0`,
		`rollcall_job_runs_total{code="C0",kind="b",outcome="failed"} 1`,
		`rollcall_http_requests_total{method="any",route="none",status="404"} 300`,
		`rollcall_http_connections_given_up_total{reason="refused"} 0`,
		`rollcall_http_connections_given_up_total{reason="full"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not reported", want)
		}
	}
	if n := strings.Count(text, "rollcall_job_runs_total{"); n > maxCodes+6 {
		t.Errorf("%d lines report outcomes", n)
	}
}

// TestCollect_FunctionFails_HidesItsMetricsOnly: a collecting function that fails hides its own metrics, and no others.
func TestCollect_FunctionFails_HidesItsMetricsOnly(t *testing.T) {
	t.Parallel()
	s := New(nil, nil)
	figures := []Figure{{Name: "depth", Help: "x"}}
	s.Collect("good", []Figure{{Name: "height", Help: "x", Labels: []string{"of"}, Count: true}},
		func(_ context.Context, observe Observe) error { observe("height", 3, "tree"); return nil })
	s.Collect("bad", figures, func(_ context.Context, observe Observe) error { observe("depth", 1); return errors.New("away") })
	text := scrape(t, s)
	if !strings.Contains(text, `rollcall_height{of="tree"} 3`) || strings.Contains(text, "rollcall_depth 1") {
		t.Errorf("figures:\n%s", text)
	}
	if text = scrape(t, s); strings.Contains(text, `rollcall_scrape_faults_total{part="bad"} 0`) {
		t.Errorf("the fault is not counted:\n%s", text)
	}
}

// BenchmarkRan measures the cost for each job.
func BenchmarkRan(b *testing.B) {
	s := New([]string{"a"}, nil)
	for b.Loop() {
		s.Ran(Run{Kind: "a", Outcome: "finish", Wait: time.Millisecond, Took: time.Millisecond})
	}
}

// TestBuildInfo_HasVersionAndCommit: dashboards group processes by them.
func TestBuildInfo_HasVersionAndCommit(t *testing.T) {
	t.Parallel()
	text := scrape(t, New(nil, nil))
	for _, want := range []string{
		`rollcall_build_info{`, `commit="` + version.Commit() + `"`, `version="` + version.Number() + `"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s among the metrics", want)
		}
	}
}
