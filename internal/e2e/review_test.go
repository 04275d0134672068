//go:build all

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// products writes a file with rows of distinct products. The function `of` returns the price and brand of
// the product with a number.
func products(t *testing.T, n int, of func(int) string) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("SKU,Name,Price,Brand\n")
	for i := range n {
		fmt.Fprintf(&b, "P%d,n,%s\n", i, of(i))
	}
	path := filepath.Join(t.TempDir(), "products.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// send sends a request in JSON. It fails if there is no answer.
func send(method, url, version, body string) (status int, out map[string]any, err error) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if version != "" {
		req.Header.Set("If-Match", version)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return resp.StatusCode, out, err
}

func must(t *testing.T, want int, method, url, version, body string) map[string]any {
	t.Helper()
	status, out, err := send(method, url, version, body)
	if err != nil || status != want {
		t.Fatalf("%s %s: %d %v %v", method, url, status, out, err)
	}
	return out
}

// written returns the number of products, of their writes, and of the task rounds that have ended.
func written(t *testing.T, ledgerURL string) (products, writes, rounds int) {
	t.Helper()
	db, err := ledger.Open(t.Context(), ledgerURL, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for sql, to := range map[string]*int{
		"SELECT count(*) FROM catalogue":                                           &products,
		"SELECT coalesce(sum(writes), 0) FROM catalogue":                           &writes,
		"SELECT coalesce(sum(round), 0) FROM rollcall.tasks WHERE finished_at > 0": &rounds,
	} {
		if err := db.Read.Raw(sql).Scan(to).Error; err != nil {
			t.Fatal(err)
		}
	}
	return products, writes, rounds
}

// TestTheReviewLoop: of 200 rows 20 fail. Half of them are repaired one by one and half at once,
// and all are resubmitted. All finish, and none runs twice.
func TestTheReviewLoop(t *testing.T) {
	t.Parallel()
	path := products(t, 200, func(i int) string {
		switch {
		case i%20 == 3:
			return "-3,Acme"
		case i%20 == 7:
			return "3,Nobody"
		}
		return "3,Acme"
	})
	dir := t.TempDir()
	p := embedded(t, dir)
	id := start(t, p.URL(), path).ID
	api := p.URL() + "/api/v1/"
	v := follow(t, p.URL(), id, done)
	if v.Counts.Failed != 20 || v.Counts.Finish != 180 {
		t.Fatalf("at first: %+v", v.Counts)
	}
	for _, e := range v.Errors {
		if e.Code != "PRICE_NOT_POSITIVE" {
			continue
		}
		out := must(t, 200, "PATCH", api+"events/"+e.EventID, `"1"`, `{"params":{"Price":"3"}}`)
		if out["resolution"].(map[string]any)["state"] != "fixed" {
			t.Errorf("repaired: %v", out)
		}
	}
	body := `{"filter":{"code":"BRAND_UNKNOWN"},"patch":{"set":{"Brand":"Acme"}}}`
	must(t, 200, "POST", api+"tasks/"+id+"/repair", "", body)
	out := must(t, 202, "POST", api+"tasks/"+id+"/resubmit", "", `{"filter":{"resolution":"fixed"}}`)
	if out["resubmitted"] != 20.0 {
		t.Errorf("resubmitted: %v", out)
	}
	v = follow(t, p.URL(), id, func(v task) bool { return v.Done && v.Counts.Failed == 0 })
	if v.Counts.Finish != 200 || v.Outcome != "success" {
		t.Errorf("in the end: %+v", v)
	}
	p.Term()
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d; stderr:\n%s", code, p.Stderr())
	}
	if n, writes, rounds := written(t, sqlite(dir)); n != 200 || writes != 200 || rounds != 2 {
		t.Errorf("%d products, %d writes, %d rounds", n, writes, rounds)
	}
}

// TestKilledWhileResubmitting resubmits thousands of rows. The API is killed in the middle of a
// transaction, then another API at another statement. A worker is killed after a push of rows, before
// it records the push. After another request, each row runs once more.
func TestKilledWhileResubmitting(t *testing.T) {
	t.Parallel()
	rows := long(10_000)
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{
		s.process("api", at("decided:2")...), s.process("api"), s.process("api", at("reopened:2")...),
	}
	s.workers = []*testenv.Process{s.process("worker")}
	path := products(t, rows, func(int) string { return "3,Nobody" })
	s.id = start(t, s.apis[1].URL(), path).ID
	if v := s.until(done); v.Counts.Failed != rows {
		t.Fatalf("at first: %+v", v.Counts)
	}
	body := `{"filter":{},"patch":{"set":{"Brand":"Acme"}}}`
	s.workers = append(s.workers, s.process("worker", at("refed:2")...))
	for i, api := range []int{0, 2, 1} {
		url := s.apis[api].URL() + "/api/v1/tasks/" + s.id + "/resubmit"
		status, out, err := send("POST", url, "", body)
		if (err == nil) != (i == 2) {
			t.Fatalf("press %d: %d %v %v", i, status, out, err)
		}
	}
	v := s.until(func(v task) bool { return v.Done && v.Counts.Finish == rows })
	if v.Counts.Failed != 0 {
		t.Errorf("in the end: %+v", v.Counts)
	}
	recount(t, s.ledger(), v)
	for _, p := range s.workers {
		if !p.Running() {
			s.workers = s.workers[:1] // the worker with the failpoint was killed
		}
	}
	s.close()
	n, writes, _ := written(t, s.postgres)
	if n != rows || writes != rows && len(s.workers) == 2 {
		t.Errorf("%d products, %d writes", n, writes)
	}
	by, _ := s.attempts()
	if by[2] < rows-200 {
		t.Errorf("attempts %v: each row has failed once and finished once", by)
	}
}
