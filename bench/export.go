package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// benchExport measures the export of 500,000 rows of ten columns from Postgres, with one and with four
// worker processes. The time is from the request to the end of the task. The peers are one process that
// streams the same query to encoding/csv, and excelize.StreamWriter with the cells in memory.
func benchExport(ctx context.Context, l *lab, runs int) ([]figure, error) {
	took, peak := map[string][]float64{}, 0.
	for range runs {
		for _, workers := range []int{1, 4} {
			mb, err := l.exports(ctx, workers, took)
			if err != nil {
				return nil, err
			}
			peak = max(peak, mb)
		}
		var sheet writings
		if err := l.writer(ctx, &sheet, "--rows", strconv.Itoa(largeRows)); err != nil {
			return nil, err
		}
		took["excelize"] = append(took["excelize"], sheet.took...)
	}
	out := []figure{}
	for _, format := range []string{"csv", "xlsx"} {
		peer, name := "streamer", "one process, encoding/csv"
		if format == "xlsx" {
			peer, name = "excelize", "excelize.StreamWriter alone"
		}
		for _, workers := range []string{"1", "4"} {
			out = append(out, figureOf(
				fmt.Sprintf("export 500,000 rows to %s, workers: %s", format, workers), "s", took[format+workers],
			).below(name, median(took[peer])))
		}
	}
	out = append(out, figureOf("export to csv, workers: 1, processor time of the service", "s", took["csv1cpu"]).
		below("one process, encoding/csv", median(took["streamercpu"])))
	return append(out, figureOf("export: peak RSS of any process", "MB", []float64{peak})), nil
}

// exports makes the files with the given number of worker processes. It adds the durations to `took`, and
// returns the greatest memory of a process, in MB.
func (l *lab) exports(ctx context.Context, workers int, took map[string][]float64) (peak float64, err error) {
	defer l.leave(len(l.cleanup))
	s, database := l.exporting(workers)
	if err := stock(ctx, database, largeRows); err != nil {
		return 0, err
	}
	if _, err := exportOnce(ctx, s, "jsonl"); err != nil { // the first export waits until Redis is trusted
		return 0, err
	}
	for _, format := range []string{"csv", "xlsx"} {
		before := s.cpu()
		seconds, err := exportOnce(ctx, s, format)
		if err != nil {
			return 0, err
		}
		at := format + strconv.Itoa(workers)
		took[at] = append(took[at], seconds)
		took[at+"cpu"] = append(took[at+"cpu"], s.cpu()-before)
	}
	if workers == 1 {
		seconds, cpu, err := l.stream(ctx, database)
		if err != nil {
			return 0, err
		}
		took["streamer"] = append(took["streamer"], seconds)
		took["streamercpu"] = append(took["streamercpu"], cpu)
	}
	for _, p := range s.procs {
		mb, err := peakRSS(p.PID())
		if err != nil {
			return 0, err
		}
		peak = max(peak, mb)
	}
	return peak, nil
}

// cpu returns the processor time of the service so far, in seconds. It leaves out processes whose time
// cannot be read.
func (s *site) cpu() (seconds float64) {
	for _, p := range s.procs {
		if t, err := cpuTime(p.PID()); err == nil {
			seconds += t.Seconds()
		}
	}
	return seconds
}

// exporting starts a service with the given number of worker processes.
func (l *lab) exporting(workers int) (s *site, database string) {
	redis := testenv.StartRedis(l, "--appendonly", "yes")
	database = testenv.Postgres(l)
	env := []string{
		"LISTEN=127.0.0.1:0", "DATABASE_URL=" + database, "REDIS_URL=" + redis.URL(),
		"BLOB_URL=file://" + l.TempDir(),
	}
	api := testenv.StartProcess(l, l.program("service"), env, "api")
	s = &site{url: api.URL(), procs: map[string]*testenv.Process{"api": api}, ledger: database}
	for i := range workers {
		s.procs[fmt.Sprint("worker", i)] = testenv.StartProcess(l, l.program("service"), env, "worker")
	}
	return s, database
}

// stock fills the catalogue.
func stock(ctx context.Context, database string, products int) error {
	db, err := ledger.Open(ctx, database, ledger.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Pool.Exec(ctx, `INSERT INTO catalogue (tenant, sku, name, price, stock, brand, start_on, job_id)
		SELECT 'default', 'SKU-' || lpad(cast(n AS text), 7, '0'), 'Product number ' || n, n * 0.25, n % 90,
		       (ARRAY['Acme', 'Globex', 'Stark'])[1 + n % 3], '2026-03-31', 'x'
		FROM generate_series(1, $1) n`, products)
	if err == nil {
		_, err = db.Pool.Exec(ctx, "VACUUM ANALYZE catalogue")
	}
	return err
}

// exportOnce requests an export, and returns the time from the request to the end of the task.
func exportOnce(ctx context.Context, s *site, format string) (seconds float64, err error) {
	begun := time.Now()
	body := fmt.Sprintf(`{"kind":"promos.export","type":"export","format":%q}`, format)
	resp, err := client.Post(s.url+"/api/v1/tasks", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	var t task
	if err := json.NewDecoder(resp.Body).Decode(&t); err != nil {
		return 0, err
	}
	if err := finish(s.url, t.ID, 20*time.Millisecond, func(time.Duration) {}); err != nil {
		return 0, err
	}
	took, err := sinceUntilEnd(ctx, s.ledger, t.ID, begun)
	return took.Seconds(), err
}

// stream runs the peer, which writes its file.
func (l *lab) stream(ctx context.Context, database string) (seconds, cpu float64, err error) {
	out := filepath.Join(l.dir, "stream.csv")
	defer os.Remove(out)
	cmd := exec.CommandContext(ctx, l.program("streamer"), "--database", database, "--out", out)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("streamer: %w", err)
	}
	cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	seconds, err = strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return seconds, cpu, err
}
