//go:build chaos

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// cramped starts the embedded service on a small disk, in a mount namespace that ends with the
// service. The result `inside` is the path at which the test sees this disk.
func cramped(t *testing.T, small, size string, env ...string) (p *testenv.Process, inside string) {
	t.Helper()
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Fatalf("install util-linux: %v", err)
	}
	script := fmt.Sprintf(`mount -t tmpfs -o size=%s none %s && exec "$0"`, size, small)
	env = append([]string{"LISTEN=127.0.0.1:0"}, env...)
	p = testenv.StartProcess(t, unshare, env, "-Urm", "sh", "-c", script, testenv.Binary(t, "./cmd/api"))
	p.URL()
	return p, fmt.Sprintf("/proc/%d/root%s", p.PID(), small)
}

// fill uses up the rest of a disk.
func fill(t *testing.T, ballast string) {
	t.Helper()
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// TestDiskFull is fault 27: the disk of the files is full, during an upload or an export, or that of
// the ledger. It needs a kernel that allows mounts, so only `make chaos` runs it.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	path, want := sample(t, samples.Options{Rows: 300, Format: "csv", Seed: 9, Invalid: 10})
	t.Run("files", func(t *testing.T) {
		t.Parallel()
		big := filepath.Join(t.TempDir(), "big.csv")
		rows := "SKU,Name,Price,Brand\n" + strings.Repeat("S-1,a name,1.50,Acme\n", 200_000)
		if err := os.WriteFile(big, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		small, data := t.TempDir(), t.TempDir()
		p, inside := cramped(t, small, "2m", "DATA_DIR="+data, "BLOB_URL=file://"+small)
		for range 3 { // each file alone would fill the disk
			refusedUpload(t, p.URL(), big, http.StatusInsufficientStorage)
		}
		if files, ids := filesIn(t, inside), taskIDs(t, p.URL()); len(files) > 0 || len(ids) > 0 {
			t.Errorf("left behind: files %v, tasks %v", files, ids)
		}
		v := follow(t, p.URL(), start(t, p.URL(), path).ID, done)
		verdict(t, sqlite(data), v, want)
	})
	t.Run("ledger", func(t *testing.T) {
		t.Parallel()
		small, blobs := t.TempDir(), t.TempDir()
		p, inside := cramped(t, small, "24m", "DATA_DIR="+small, "BLOB_URL=file://"+blobs)
		first := follow(t, p.URL(), start(t, p.URL(), path).ID, done)
		fill(t, inside+"/ballast")
		refusedUpload(t, p.URL(), path, http.StatusServiceUnavailable)
		if ids := taskIDs(t, p.URL()); len(ids) != 1 || ids[0] != first.ID {
			t.Errorf("tasks %v, want the one from before", ids)
		}
		if files := filesIn(t, blobs); len(files) != 1 {
			t.Errorf("files %v, want that of the one task", files)
		}
		if err := os.Remove(inside + "/ballast"); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(patience)
		for resp, _ := upload(t, p.URL(), path); resp.StatusCode != http.StatusAccepted; resp, _ = upload(t, p.URL(), path) {
			if time.Now().After(deadline) {
				t.Fatalf("there is room again, and still %s", resp.Status)
			}
		}
		v := follow(t, p.URL(), taskIDs(t, p.URL())[0], done)
		if int(v.Counts.Total) != 300 || !p.Running() {
			t.Errorf("counts %+v", v.Counts)
		}
	})
	t.Run("export", func(t *testing.T) {
		t.Parallel()
		small, data := t.TempDir(), t.TempDir()
		p, inside := cramped(t, small, "2m", "DATA_DIR="+data, "BLOB_URL=file://"+small)
		verdict(t, sqlite(data), follow(t, p.URL(), start(t, p.URL(), path).ID, done), want)
		before := filesIn(t, inside)
		fill(t, inside+"/ballast")
		id := exportOf(t, p.URL())
		follow(t, p.URL(), id, func(v task) bool { return v.Counts.Retrying > 0 })
		if body, err := fetch(p.URL() + "/api/v1/tasks/" + id + "/result"); err == nil {
			t.Errorf("half a file is served: %q", body)
		}
		if files := filesIn(t, inside); len(files) != len(before)+1 {
			t.Errorf("files %v, want %v and the ballast", files, before)
		}
		if err := os.Remove(inside + "/ballast"); err != nil {
			t.Fatal(err)
		}
		if v := follow(t, p.URL(), id, done); v.Status != "finished" {
			t.Errorf("there is room again, and the export is %s", v.Status)
		}
		body, err := fetch(p.URL() + "/api/v1/tasks/" + id + "/result")
		if lines := strings.Count(string(body), "\n"); err != nil || lines != want.Good+1 {
			t.Errorf("the file has %d lines, want %d: %v", lines, want.Good+1, err)
		}
	})
}

// exportOf requests an export of the catalogue as CSV.
func exportOf(t *testing.T, url string) (id string) {
	t.Helper()
	resp, err := client.Post(url+"/api/v1/tasks", "application/json",
		strings.NewReader(`{"kind":"promos.export","type":"export","format":"csv"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	var v task
	if err != nil || resp.StatusCode != http.StatusAccepted || json.Unmarshal(body, &v) != nil {
		t.Fatalf("export: %s %s, %v", resp.Status, body, err)
	}
	return v.ID
}
