package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

// uploadSize is slightly below the greatest upload that the API accepts, in bytes.
const uploadSize = 100<<20 - 1<<10

// benchUpload measures how long the API takes to accept a large file, until the file is on disk, hashed
// and inspected, and its task is committed. The peer copies and hashes the same file with tools of the
// system.
func benchUpload(ctx context.Context, l *lab, runs int) ([]figure, error) {
	defer l.leave(len(l.cleanup))
	path := filepath.Join(l.dir, "products.csv")
	if err := writeCSV(path, uploadSize); err != nil {
		return nil, err
	}
	s, _, err := l.apiAlone(ctx)
	if err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // the process becomes idle
	idle, err := nowRSS(s.procs["api"].PID())
	if err != nil {
		return nil, err
	}
	var ours, theirs, synced []float64
	for range runs {
		begun := time.Now()
		if _, err := upload(s.url, path); err != nil {
			return nil, err
		}
		ours = append(ours, time.Since(begun).Seconds())
		plain, durable, err := copyAndHash(ctx, path)
		if err != nil {
			return nil, err
		}
		theirs, synced = append(theirs, plain.Seconds()), append(synced, durable.Seconds())
	}
	peak, err := peakRSS(s.procs["api"].PID())
	if err != nil {
		return nil, err
	}
	f := figureOf("upload of 100 MB", "s", ours)
	return []figure{
		f.below("cp, sha256sum", median(theirs)),
		f.below("cp, sync, sha256sum", median(synced)),
		figureOf("upload of 100 MB: peak RSS of api over idle", "MB", []float64{peak - idle}),
	}, nil
}

// copyAndHash copies and hashes a file, and returns the durations. `durable` also contains the time to
// sync the copy to disk. The API syncs its files too.
func copyAndHash(ctx context.Context, path string) (plain, durable time.Duration, err error) {
	twin := path + ".copy"
	run := func(name string, args ...string) (took time.Duration) {
		if err != nil {
			return 0
		}
		begun := time.Now()
		err = exec.CommandContext(ctx, name, args...).Run()
		return time.Since(begun)
	}
	copied := run("cp", path, twin)
	hashed := run("sha256sum", path)
	synced := run("sync", twin)
	if err == nil {
		err = os.Remove(twin)
	}
	return copied + hashed, copied + hashed + synced, err
}

// writeCSV writes good rows up to about the given size.
func writeCSV(path string, size int) error {
	var b bytes.Buffer
	b.WriteString("SKU,Name,Price,Stock,Brand\n")
	for i := 0; b.Len() < size-100; i++ {
		fmt.Fprintf(&b, "SKU-%08d,name of the product number %d,%d.50,%d,Acme\n", i, i, i%1000+1, i%100)
	}
	return os.WriteFile(path, b.Bytes(), 0o600)
}

var residentNow = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// nowRSS returns the current memory of a process, in MB.
func nowRSS(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	m := residentNow.FindSubmatch(b)
	if m == nil {
		return 0, fmt.Errorf("no VmRSS for %d", pid)
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024, err
}
