//go:build all

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// lines writes rows into a file with the columns of the sample kind.
func lines(t *testing.T, rows string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lines.csv")
	if err := os.WriteFile(path, []byte("SKU,Name,Price,Brand\n"+rows), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// priceOf returns the price of a product in the catalogue.
func priceOf(t *testing.T, ledgerURL, sku string) (price string) {
	t.Helper()
	db, err := ledger.Open(t.Context(), ledgerURL, ledger.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Read.Raw("SELECT price FROM catalogue WHERE sku = ?", sku).Scan(&price).Error; err != nil {
		t.Fatal(err)
	}
	return price
}

// TestSuperseded_OlderRowsOfAKey_NeverReplaceNewerOnes: newer rows that have finished supersede a
// repaired row of their key, and a row of a resumed task. A user can decide otherwise.
func TestSuperseded_OlderRowsOfAKey_NeverReplaceNewerOnes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := embedded(t, dir)
	tasks := p.URL() + "/api/v1/tasks/"

	first := start(t, p.URL(), lines(t, "B1,n,-1,Acme\nB1,n,20,Acme\n")).ID
	v := follow(t, p.URL(), first, done)
	must(t, 200, "PATCH", p.URL()+"/api/v1/events/"+v.Errors[0].EventID, `"1"`, `{"params":{"Price":"10"}}`)
	out := must(t, 200, "POST", tasks+first+"/resubmit", "", `{"filter":{},"dry_run":true}`)
	if out["resubmitted"] != 0.0 || out["superseded"] != 1.0 {
		t.Errorf("dry run: %v", out)
	}
	must(t, 202, "POST", tasks+first+"/resubmit", "", `{"filter":{}}`)
	v = follow(t, p.URL(), first, func(v task) bool { return v.Done && v.Counts.Superseded == 1 })
	if v.Counts.Failed != 1 || v.Counts.Finish != 1 {
		t.Errorf("after the repair: %+v", v.Counts)
	}
	rows := must(t, 200, "GET", tasks+first+"/events?resolution=superseded", "", "")["items"].([]any)
	if got := rows[0].(map[string]any)["result"].(map[string]any)["superseded_by"]; got != first+".2" {
		t.Errorf("superseded by %v, want row 2 of %s", got, first)
	}
	must(t, 202, "POST", tasks+first+"/resubmit", "", `{"filter":{}}`) // leaves the superseded row unchanged

	second := start(t, p.URL(), lines(t, "K,n,1,Acme\nL,n,1,Acme\n"), `{"on_invalid":"block"}`).ID
	follow(t, p.URL(), second, done)
	held := start(t, p.URL(), lines(t, "K,n,3,Acme\nM,n,-1,Acme\n"), `{"on_invalid":"block"}`).ID
	follow(t, p.URL(), held, func(v task) bool { return v.Status == "paused" })
	later := start(t, p.URL(), lines(t, "K,n,4,Acme\n")).ID
	follow(t, p.URL(), later, done)
	out = must(t, 200, "POST", tasks+held+"/resume", "", `{"dry_run":true}`)
	if out["waiting"] != 1.0 || out["superseded"] != 1.0 {
		t.Errorf("dry run of resume: %v", out)
	}
	must(t, 422, "POST", tasks+held+"/resume", "", `{"superseded":"please"}`)
	must(t, 200, "POST", tasks+held+"/resume", "", "")
	follow(t, p.URL(), held, func(v task) bool { return v.Done && v.Counts.Superseded == 1 })

	p.Term()
	if code := p.Wait(); code != 0 {
		t.Fatalf("exit code %d; stderr:\n%s", code, p.Stderr())
	}
	if b, k := priceOf(t, sqlite(dir), "B1"), priceOf(t, sqlite(dir), "K"); b != "20" || k != "4" {
		t.Errorf("the catalogue holds %s and %s, want 20 and 4", b, k)
	}

	p = embedded(t, dir)
	tasks = p.URL() + "/api/v1/tasks/"
	must(t, 202, "POST", tasks+first+"/resubmit", "", `{"filter":{"resolution":"superseded"},"superseded":"run"}`)
	follow(t, p.URL(), first, func(v task) bool { return v.Done && v.Counts.Finish == 2 })
	p.Term()
	p.Wait()
	if b := priceOf(t, sqlite(dir), "B1"); b != "10" {
		t.Errorf("the catalogue holds %s after a person said so, want 10", b)
	}
}
