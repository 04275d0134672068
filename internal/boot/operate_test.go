package boot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/doctor"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/worker"
)

// desk runs the commands of an operator.
type desk struct {
	*testing.T
	cfg settings.Config
}

func noKinds(context.Context, *ledger.DB) (*jobs.Registry, error) {
	return jobs.RegistryOf(worker.NewRegistry(worker.Define("mails.send",
		func(context.Context, *worker.Job[struct{}]) error { return nil }))), nil
}

// ask runs a command with --json, and returns its output.
func (d desk) ask(words ...string) (lines []map[string]any, err error) {
	d.Helper()
	var c struct{ Operator }
	p, err := kong.New(&c)
	if err != nil {
		d.Fatal(err)
	}
	parsed, err := p.Parse(append(words, "--json"))
	if err != nil {
		d.Fatal(err)
	}
	var out, notes bytes.Buffer
	parsed.BindTo(d.Context(), (*context.Context)(nil))
	err = parsed.Run(d.cfg, settings.Terminal{Kinds: noKinds, Stdout: &out, Stderr: &notes, Log: slog.New(slog.DiscardHandler)})
	if notes.Len() > 0 {
		d.Errorf("%v: it told what is no terminal %q", words, &notes)
	}
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			d.Fatalf("%v printed %q: %v", words, text, err)
		}
		lines = append(lines, line)
	}
	return lines, err
}

// state returns what a doctor has found by one check. It fails the test if a state other than ok
// has no advice.
func (d desk) state(lines []map[string]any, check string) string {
	d.Helper()
	for _, line := range lines {
		if line["check"] == check {
			if state := line["state"]; state != "ok" && line["advice"] == nil {
				d.Errorf("%s is %s, and there is no advice", check, state)
			}
			return line["state"].(string)
		}
	}
	return "missing"
}

func (d desk) states(lines []map[string]any, want map[string]string) {
	d.Helper()
	for check, state := range want {
		if got := d.state(lines, check); got != state {
			d.Errorf("%s is %s, want %s: %v", check, got, state, lines)
		}
	}
}

func newDesk(t *testing.T, postgres string, rdb *testenv.Server) desk {
	t.Helper()
	return desk{t, settings.Config{
		Listen: "127.0.0.1:0", DataDir: t.TempDir(), Concurrency: 2, Lease: 10 * time.Second, MaxUpload: 1, Retention: 90,
		DatabaseURL: postgres, RedisURL: rdb.URL(), Prefix: "p",
	}}
}

// TestRebuild_RedisFailsDuringTheWait_IsReported makes a command of Redis fail while rebuild waits for a
// worker. Then rebuild returns the error of Redis, and not ErrNotBegun.
func TestRebuild_RedisFailsDuringTheWait_IsReported(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	d := newDesk(t, testenv.Postgres(t), server)
	opt, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(opt)
	defer rdb.Close()
	if _, err := d.ask("migrate"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		_, err := d.ask("rebuild", "--wait=1m")
		ended <- err
	}()
	for rdb.Exists(t.Context(), "p:generation").Val() == 0 {
		select {
		case err := <-ended:
			t.Fatalf("rebuild ended before the key of the generation was set: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if err := errors.Join(rdb.Del(t.Context(), "p:generation").Err(), rdb.RPush(t.Context(), "p:generation", "x").Err()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || errors.Is(err, ErrNotBegun) || !strings.Contains(err.Error(), "generation") {
		t.Errorf("err = %v, want that of Redis", err)
	}
}

// TestAnOperatorsDay: a new ledger is migrated, a worker drained, a queue resharded, and Redis
// filled again. A doctor finds the faults of a Redis that loses jobs.
func TestAnOperatorsDay(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	d := newDesk(t, testenv.Postgres(t), server)
	d.cfg.Lease = 3 * time.Second // rebuild waits for two leases

	if _, err := d.ask("migrate", "--check"); !errors.Is(err, ErrSchemaBehind) {
		t.Errorf("migrate --check of an empty database: %v", err)
	}
	lines, err := d.ask("doctor")
	if d.states(lines, map[string]string{"schema": "warn", "workers": "warn"}); err != nil {
		t.Errorf("a service that can start: %v: %v", err, lines)
	}
	if lines, err := d.ask("migrate"); err != nil || lines[0]["from"] != 0. || lines[0]["changed"] != true {
		t.Errorf("migrate: %v, %v", lines, err)
	}
	if _, err := d.ask("migrate", "--check"); err != nil {
		t.Errorf("migrate --check behind it: %v", err)
	}
	if _, err := d.ask("rebuild", "--wait=10ms"); !errors.Is(err, ErrNotBegun) {
		t.Errorf("rebuild without a worker: %v", err)
	}

	s, err := Open(t.Context(), d.cfg, noKinds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lines, err := d.ask("rebuild"); err != nil || lines[0]["begun"] != true {
		t.Errorf("rebuild: %v, %v", lines, err)
	}
	if lines, err := d.ask("reshard", "mails.send", "2"); err != nil || lines[0]["done"] != true {
		t.Errorf("reshard: %v, %v", lines, err)
	}
	nodes, err := d.ask("drain")
	if err != nil || len(nodes) != 1 {
		t.Fatalf("the list of workers: %v, %v", nodes, err)
	}
	name := nodes[0]["name"].(string)
	if lines, err := d.ask("drain", name); err != nil || lines[0]["draining"] != true || len(lines[0]["shards"].(map[string]any)) != 0 {
		t.Errorf("drain: %v, %v", lines, err)
	}
	if _, err := d.ask("drain", name, "--undo"); err != nil {
		t.Errorf("drain --undo: %v", err)
	}
	if _, err := d.ask("drain", "nobody"); err == nil {
		t.Error("a worker that is not there was drained")
	}
	if lines, err := d.ask("verify"); err != nil || lines[len(lines)-1]["differences"] != 0. {
		t.Errorf("verify: %v, %v", lines, err)
	}

	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer rdb.Close()
	for name, value := range map[string]string{"maxmemory": "2gb", "maxmemory-policy": "allkeys-lru"} {
		if err := rdb.ConfigSet(t.Context(), name, value).Err(); err != nil {
			t.Fatal(err)
		}
	}
	lines, err = d.ask("doctor")
	if !errors.Is(err, doctor.ErrUnhealthy) {
		t.Errorf("a Redis that throws jobs away: %v", err)
	}
	d.states(lines, map[string]string{
		"settings": "ok", "schema": "ok", "postgres version": "ok", "postgres role": "ok", "clock of postgres": "ok",
		"redis version": "ok", "redis eviction": "fail", "redis memory": "ok", "redis append-only": "warn",
		"clock of redis": "ok", "workers": "ok", "files": "ok",
	})
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	lines, err = d.ask("doctor")
	full := func(line map[string]any) bool {
		text, _ := line["found"].(string)
		return line["check"] == "redis memory" && line["state"] == "fail" && strings.HasPrefix(text, "Redis is full")
	}
	if !errors.Is(err, doctor.ErrUnhealthy) || !slices.ContainsFunc(lines, full) {
		t.Errorf("a full Redis: %v, %v", lines, err)
	}
}

// TestDoctorReportsAllAtOnce: a doctor reports all that is missing at once.
func TestDoctorReportsAllAtOnce(t *testing.T) {
	t.Parallel()
	d := desk{t, settings.Config{
		Listen: "80", DatabaseURL: "postgres://127.0.0.1:1/x", RedisURL: "redis://127.0.0.1:1",
		BlobURL: "file:///dev/null/blobs", Prefix: "p",
	}}
	lines, err := d.ask("doctor")
	if d.states(lines, map[string]string{
		"settings": "fail", "ledger": "fail", "redis": "fail", "files": "fail",
	}); !errors.Is(err, doctor.ErrUnhealthy) {
		t.Errorf("doctor: %v", err)
	}
}

func TestDoctor_NoFolderOfFiles_CreatesNone(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "none")
	for url, want := range map[string]string{"": "ok", "redis://127.0.0.1:1": "warn"} {
		d := desk{t, settings.Config{RedisURL: url, BlobURL: "file://" + folder, Prefix: "p"}}
		lines, err := d.ask("doctor")
		if d.states(lines, map[string]string{"files": want}); !errors.Is(err, doctor.ErrUnhealthy) {
			t.Errorf("doctor: %v", err)
		}
		if _, err := os.Stat(folder); !os.IsNotExist(err) {
			t.Errorf("the doctor has created %s: %v", folder, err)
		}
	}
}

// TestDoctorChecksABucket: the doctor advises what to do about a bucket that is missing,
// denies access, or answers wrongly.
func TestDoctorChecksABucket(t *testing.T) {
	t.Parallel()
	for advice, refuse := range map[string]func(r *http.Request) (status int, code string){
		"create the bucket": func(*http.Request) (int, string) { return http.StatusNotFound, "NoSuchBucket" },
		"start the storage service": func(*http.Request) (int, string) {
			return http.StatusNotImplemented, "NotImplemented"
		},
		"free space": func(r *http.Request) (int, string) {
			if r.Method == http.MethodHead {
				return http.StatusOK, ""
			}
			return http.StatusInsufficientStorage, "XMinioStorageFull"
		},
		"the keys need": func(r *http.Request) (int, string) {
			if r.Method == http.MethodHead {
				return http.StatusOK, ""
			}
			return http.StatusForbidden, "AccessDenied"
		},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			status, code := refuse(r)
			w.WriteHeader(status)
			if r.Method != http.MethodHead {
				fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
			}
		}))
		d := desk{t, settings.Config{
			Listen: "127.0.0.1:0", DataDir: filepath.Join(t.TempDir(), "none"), Concurrency: 2, Lease: time.Second,
			MaxUpload: 1, Retention: 90, BlobURL: "s3://files?region=r&endpoint=" + srv.URL, S3ID: "id", S3Secret: "quiet",
		}}
		lines, err := d.ask("doctor")
		srv.Close()
		d.states(lines, map[string]string{"bucket": "fail", "temporary files": "ok"})
		if text := fmt.Sprint(lines); !errors.Is(err, doctor.ErrUnhealthy) || !strings.Contains(text, advice) || strings.Contains(text, "quiet") {
			t.Errorf("%v; no advice to %s, or too much: %s", err, advice, text)
		}
		if _, err := os.Stat(d.cfg.DataDir); !os.IsNotExist(err) {
			t.Errorf("a look has made %s: %v", d.cfg.DataDir, err)
		}
	}
}
