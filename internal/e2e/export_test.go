//go:build all

package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestAKilledExport kills the process that makes an export: in `make chaos` at each step, else while
// it makes a part. The file has the same bytes as a file that was made without a kill.
func TestAKilledExport(t *testing.T) {
	t.Parallel()
	moments := []string{"planned", "part:2", "merging", "stored", "merged"}
	if !testenv.Chaos {
		moments = moments[1:2] // after most kills, the next worker must wait until a claim expires
	}
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	s.stock(45_000)
	s.workers = []*testenv.Process{s.process("worker")}
	want := s.exported(s.export())
	s.workers[0].Term()
	for _, moment := range moments {
		victim := s.process("worker", at(moment)...)
		id := s.export()
		s.fallen(victim)
		heirs := []*testenv.Process{s.process("worker"), s.process("worker")}
		if got := s.exported(id); got != want {
			t.Errorf("killed at %s: %+v, want %+v", moment, got, want)
		}
		for _, p := range heirs {
			p.Term()
		}
	}
}

// stock fills the catalogue with products.
func (s *scene) stock(products int) {
	s.t.Helper()
	db, err := ledger.Open(s.t.Context(), s.postgres, ledger.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	if err := workers.MakeCatalogue(s.t.Context(), db); err != nil {
		s.t.Fatal(err)
	}
	err = db.Write.Exec(`INSERT INTO catalogue (tenant, sku, name, price, stock, brand, start_on, job_id)
		SELECT 'default', 'SKU-' || lpad(cast(n AS text), 7, '0'), '=Anvil ' || n, n * 0.25, n % 90, 'Acme', '2026-03-31', 'x'
		FROM generate_series(1, ?) n`, products).Error
	if err != nil {
		s.t.Fatal(err)
	}
}

// export requests an export.
func (s *scene) export() (id string) {
	s.t.Helper()
	const body = `{"kind":"promos.export","type":"export","format":"csv","compression":"gzip"}`
	resp, err := client.Post(s.apis[0].URL()+"/api/v1/tasks", "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	var v task
	if err != nil || resp.StatusCode != http.StatusAccepted || json.Unmarshal(text, &v) != nil {
		s.t.Fatalf("%s %s: %v", resp.Status, text, err)
	}
	return v.ID
}

// madeFile is the file of an export.
type madeFile struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Rows   int64  `json:"rows"`
}

// exported waits for the file of an export.
func (s *scene) exported(id string) madeFile {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var v struct {
			Status string   `json:"status"`
			Done   bool     `json:"done"`
			Result madeFile `json:"result"`
		}
		get(s.t, s.apis[1].URL()+"/api/v1/tasks/"+id, &v)
		if v.Done && v.Status != "finished" || time.Now().After(deadline) {
			s.t.Fatalf("the export is %+v", v)
		}
		if v.Done {
			return v.Result
		}
	}
}
