//go:build all

package e2e

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// slowScene imports rows that take two seconds each, and returns when some of them run. Leases last 6 s,
// because on a busy machine a worker process may get no processor for five seconds.
func slowScene(t *testing.T, rows int) *scene {
	t.Helper()
	s := &scene{deployment: newDeployment(t)}
	s.env = append(s.env, "LEASE=6s")
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	s.workers = []*testenv.Process{s.process("worker")}
	file, want := slowFile(t, rows)
	s.want = want
	s.id = start(t, s.apis[1].URL(), file).ID
	s.until(func(v task) bool { return v.Counts.Working > 0 })
	return s
}

// attempts returns the number of events by their attempts, and the number of writes of the
// catalogue.
func (s *scene) attempts() (by map[int]int, writes int) {
	s.t.Helper()
	db := s.ledger()
	var rows []struct{ Attempt, N int }
	if err := db.Read.Raw("SELECT attempt, count(*) AS n FROM rollcall.events GROUP BY attempt").Scan(&rows).Error; err != nil {
		s.t.Fatal(err)
	}
	by = map[int]int{}
	for _, r := range rows {
		by[r.Attempt] = r.N
	}
	if err := db.Read.Raw("SELECT coalesce(sum(writes), 0) FROM catalogue").Scan(&writes).Error; err != nil {
		s.t.Fatal(err)
	}
	return by, writes
}

// TestWorkerKilledInAHandler is fault 2: the rows that were running run again, with one more
// attempt; the others do not.
func TestWorkerKilledInAHandler(t *testing.T) {
	t.Parallel()
	s := slowScene(t, 40)
	s.workers[0].Kill()
	v, ok := s.getTask(s.id)
	if !ok || v.Counts.Working == 0 {
		t.Fatalf("nothing was under way: %+v", v.Counts)
	}
	var under int // a poll may be older than the last commit
	if err := s.ledger().Read.Raw("SELECT count(*) FROM rollcall.events WHERE status = 'working'").Scan(&under).Error; err != nil {
		t.Fatal(err)
	}
	s.workers = append(s.workers, s.process("worker"))
	v = s.until(done)
	s.close()
	verdict(t, s.postgres, v, s.want)
	by, writes := s.attempts()
	if by[2] != under || by[1] != 40-under || writes != 40 {
		t.Errorf("attempts %v, %d writes; %d rows were under way", by, writes, under)
	}
}

// TestWorkerAskedToStop is fault 5: the worker exits at once with 0, and the rows that it gave back
// have no further attempt.
func TestWorkerAskedToStop(t *testing.T) {
	t.Parallel()
	s := slowScene(t, 40)
	s.workers[0].Term()
	if code := s.workers[0].Wait(); code != 0 {
		t.Errorf("exit code %d; stderr:\n%s", code, s.workers[0].Stderr())
	}
	s.workers = append(s.workers, s.process("worker"))
	v := s.until(done)
	s.close()
	verdict(t, s.postgres, v, s.want)
	if by, writes := s.attempts(); by[1] != 40 || writes != 40 {
		t.Errorf("attempts %v, %d writes", by, writes)
	}
}

// TestWorkerFrozenInAHandler is fault 6: the worker is stopped for three leases, and then finishes
// rows that others have taken over. Its results change nothing.
func TestWorkerFrozenInAHandler(t *testing.T) {
	t.Parallel()
	s := slowScene(t, 30)
	s.workers[0].Pause()
	s.workers = append(s.workers, s.process("worker"))
	frozen := time.Now()
	v := s.until(done)
	before := finished(t, s.ledger())
	if rest := 18*time.Second - time.Since(frozen); rest > 0 {
		time.Sleep(rest) // three leases
	}
	s.workers[0].Resume()
	follow(t, s.apis[1].URL(), s.id, func(task) bool { return time.Since(frozen) > 24*time.Second })
	after := finished(t, s.ledger())
	for id, version := range before {
		if after[id] != version {
			t.Errorf("event %d was written again", id)
		}
	}
	s.close()
	verdict(t, s.postgres, v, s.want)
}

// post sends a small file and reports whether it was answered.
func (s *scene) post(to *testenv.Process) (answered bool) {
	s.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "p.csv")
	if err == nil {
		_, err = part.Write([]byte("SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,2,Acme\n"))
	}
	if err == nil {
		err = w.WriteField("kind", "products.import")
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := client.Post(to.URL()+"/api/v1/tasks", w.FormDataContentType(), &body)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return true
}

// list reads the ids of all tasks.
func (s *scene) list() (ids []string) {
	s.t.Helper()
	var page struct{ Items []task }
	get(s.t, s.apis[1].URL()+"/api/v1/tasks", &page)
	for _, v := range page.Items {
		ids = append(ids, v.ID)
	}
	return ids
}

// TestAPIKilledBehindTheCommit is fault 7: the task was accepted, although the client got no
// answer, and it runs.
func TestAPIKilledBehindTheCommit(t *testing.T) {
	t.Parallel()
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{s.process("api", at("accepted")...), s.process("api")}
	s.workers = []*testenv.Process{s.process("worker")}
	if s.post(s.apis[0]) {
		t.Fatal("the API answered, and was to die before")
	}
	s.fallen(s.apis[0])
	ids := s.list()
	if len(ids) != 1 {
		t.Fatalf("%d tasks were accepted", len(ids))
	}
	s.id = ids[0]
	v := s.until(done)
	s.close()
	verdict(t, s.postgres, v, samples.Counts{Rows: 2, Good: 2, DistinctSKU: 2})
}

// TestAPIKilledBeforeTheCommit is fault 9: the file is stored and belongs to no task. The sweep of
// package blobs deletes it after a day.
func TestAPIKilledBeforeTheCommit(t *testing.T) {
	t.Parallel()
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{s.process("api", at("stored")...), s.process("api")}
	if s.post(s.apis[0]) {
		t.Fatal("the API answered, and was to die before")
	}
	s.fallen(s.apis[0])
	if ids := s.list(); len(ids) != 0 {
		t.Errorf("there are tasks: %v", ids)
	}
	if files := s.files(); len(files) != 1 {
		t.Errorf("files: %v", files)
	}
	s.close()
}

// TestAPIKilledInAnUpload is fault 8: no task is added, and the half of the file that was stored never
// looks like a whole file. The sweep of package blobs deletes it after a day.
func TestAPIKilledInAnUpload(t *testing.T) {
	t.Parallel()
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	s.halfUpload(s.apis[0])
	for end := time.Now().Add(patience); len(s.files()) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing was stored of half an upload")
		}
	}
	s.apis[0].Kill()
	if ids := s.list(); len(ids) != 0 {
		t.Errorf("there are tasks: %v", ids)
	}
	s.close()
	for _, f := range s.files() {
		if !strings.Contains(f, ".part") && !strings.Contains(f, "tmp") {
			t.Errorf("%s looks like a whole file", f)
		}
	}
}

// halfUpload sends the first half of a request, and leaves the request open.
func (s *scene) halfUpload(to *testenv.Process) {
	s.t.Helper()
	host := strings.TrimPrefix(to.URL(), "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	half := "--b\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nproducts.import\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\n\r\nSKU,Name,Price,Brand\n" +
		strings.Repeat("A,a,1,Acme\n", 20_000)
	_, err = fmt.Fprintf(conn, "POST /api/v1/tasks HTTP/1.1\r\nHost: %s\r\n"+
		"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n%s", host, 2*len(half), half)
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestFourAtOnce is fault 38: four processes start on an empty database. One creates the tables,
// the others wait, and all of them serve.
func TestFourAtOnce(t *testing.T) {
	t.Parallel()
	s := &scene{deployment: newDeploymentOn(t, testenv.Postgres(t))}
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	s.workers = []*testenv.Process{s.process("worker"), s.process("worker")}
	for _, p := range s.apis {
		resp, err := client.Get(p.URL() + "/readyz")
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("readyz: %v, %v", resp, err)
		}
	}
	path, want := sample(t, samples.Options{Rows: 500, Format: "csv", Seed: 6})
	s.id, s.want = start(t, s.apis[0].URL(), path).ID, want
	v := s.until(done)
	s.close()
	verdict(t, s.postgres, v, want)
}
