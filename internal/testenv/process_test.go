package testenv_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

const greeterPkg = "./internal/testenv/testdata/greeter"

// recorder is a T that records failures.
type recorder struct {
	*testing.T
	failure string
	cleanup []func()
}

func (r *recorder) Cleanup(f func()) { r.cleanup = append(r.cleanup, f) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	panic(r)
}

// failure runs f and its cleanups, and returns the text of its Fatalf, or "".
func failure(t *testing.T, f func(testenv.T)) string {
	t.Helper()
	r := &recorder{T: t}
	r.try(func() { f(r) })
	for _, f := range r.cleanup {
		r.try(f)
	}
	return r.failure
}

func (r *recorder) try(f func()) {
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
	}()
	f()
}

func get(url string) (string, error) { return getWithin(time.Minute, url) }

func getWithin(d time.Duration, url string) (string, error) {
	fresh := &http.Transport{DisableKeepAlives: true}
	c := http.Client{Timeout: d, Transport: fresh}
	res, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

func TestProcess(t *testing.T) {
	t.Parallel()
	p := testenv.StartProcess(t, testenv.Binary(t, greeterPkg), []string{"GREETING=hello"})
	url := p.URL()
	if got, err := get(url); got != "hello" || err != nil {
		t.Errorf("it says %q, %v; want hello, and nothing of our own environment", got, err)
	}
	if lines := p.Stdout(); len(lines) != 1 || lines[0] != "listening on "+url {
		t.Errorf("its output: %q", lines)
	}
	p.Pause()
	if _, err := getWithin(500*time.Millisecond, url); err == nil {
		t.Error("a paused program answers")
	}
	p.Resume()
	if _, err := get(url); err != nil || !p.Running() {
		t.Errorf("after a pause: %v", err)
	}
	p.Term()
	if code := p.Wait(); code != 0 || p.Running() {
		t.Errorf("it ended with code %d, want 0", code)
	}
}

func TestKilledProcess(t *testing.T) {
	t.Parallel()
	p := testenv.StartProcess(t, testenv.Binary(t, greeterPkg), nil)
	url := p.URL()
	p.Kill()
	if _, err := get(url); err == nil {
		t.Error("a killed program answers")
	}
	if code := p.Wait(); code != -1 {
		t.Errorf("it ended with code %d, want -1", code)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	greeter := testenv.Binary(t, greeterPkg)
	tests := []struct {
		name string
		run  func(testenv.T)
		want string
	}{
		{"a program that fails shows why", func(t testenv.T) {
			testenv.StartProcess(t, greeter, nil, "fail").URL()
		}, "no such luck"},
		{"a server that cannot start shows its log", func(t testenv.T) {
			testenv.StartRedis(t, "--no-such-option", "1")
		}, "no-such-option"},
		{"a package that does not build shows the compiler's words", func(t testenv.T) {
			testenv.Binary(t, "./no/such/package")
		}, "no/such/package"},
		{"a running server is not started again", func(t testenv.T) {
			testenv.StartRedis(t).Start()
		}, "it is running"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := failure(t, tt.run); !strings.Contains(got, tt.want) {
				t.Errorf("Fatalf(%q), want something about %q", got, tt.want)
			}
		})
	}
}

// TestRaceIsAFailure runs a program with a race. Without the race detector there is no report.
func TestRaceIsAFailure(t *testing.T) {
	t.Parallel()
	got := failure(t, func(et testenv.T) {
		testenv.StartProcess(et, testenv.RaceBinary(et, greeterPkg), nil, "race").URL()
	})
	if reported := strings.Contains(got, "DATA RACE"); reported != testenv.Race {
		t.Errorf("reported = %v, the program has the detector = %v: %s", reported, testenv.Race, got)
	}
}
