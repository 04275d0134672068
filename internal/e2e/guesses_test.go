//go:build all

package e2e

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// door is a service of two processes behind nginx, as clients see it.
type door struct {
	*testing.T
	url    string
	keys   *access.Store
	client *http.Client

	mu   sync.Mutex
	seen map[string]map[int]int // by kind of client and status
}

// TestGuesses_ThroughNginxAndRestarts_RefuseNoGoodRequest has 50 good clients and a guesser with
// 100 requests a second at one address, while both processes restart in turn.
func TestGuesses_ThroughNginxAndRestarts_RefuseNoGoodRequest(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	addrs := [2]string{freeAddr(t), freeAddr(t)}
	api := func(addr string) *testenv.Process {
		p := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"),
			append(h.env, "LISTEN="+addr, "TRUSTED_PROXIES=127.0.0.1"))
		p.URL()
		return p
	}
	processes := [2]*testenv.Process{api(addrs[0]), api(addrs[1])}
	d := newDoor(t, h.postgres, testenv.StartNginx(t, addrs[:]...).URL())

	ctx, stop := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	defer clients.Wait()
	defer stop()
	wrong := d.foreign()
	var good [50][2]string
	for i := range good {
		good[i] = d.credential(i)
	}
	for range 4 { // 100 a second together
		clients.Go(func() { d.repeat(ctx, 40*time.Millisecond, "guesser", "Authorization", "Bearer "+wrong) })
	}
	d.until("guesser", http.StatusTooManyRequests, 1)
	for _, c := range good {
		clients.Go(func() { d.repeat(ctx, 200*time.Millisecond, "good", c[0], c[1]) })
	}
	d.until("good", http.StatusOK, 200)
	for i, p := range processes {
		p.Term()
		p.Wait()
		processes[i] = api(addrs[i])
		d.until("good", http.StatusOK, 200)
	}
	for range 10 {
		d.signIn()
	}
	d.until("guesser", http.StatusTooManyRequests, 100)
	stop()
	clients.Wait()
	d.judge()

	for i := range 2 { // one process may not have counted all
		from := "203.0.113." + string(rune('1'+i))
		if got := d.get(t.Context(), "Authorization", "Bearer "+d.foreign(), "X-Forwarded-For", from); got != http.StatusUnauthorized {
			t.Errorf("a client of another address, with one wrong key: %d, want 401", got)
		}
	}
}

func newDoor(t *testing.T, postgres, address string) *door {
	t.Helper()
	db, err := ledger.Open(t.Context(), postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &door{
		T: t, url: address, keys: access.New(db, access.Options{}), seen: map[string]map[int]int{},
		client: &http.Client{
			Timeout:       20 * time.Second,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 100},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	addr, err := testenv.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// key creates a key and returns its secret.
func (d *door) key() string {
	d.Helper()
	_, secret, err := d.keys.Create(d.Context(), "test", access.Draft{Tenant: "default", Name: "a client", Role: access.Viewer})
	if err != nil {
		d.Fatal(err)
	}
	return secret
}

// foreign returns the secret of a key of another service.
func (d *door) foreign() string {
	d.Helper()
	db, err := ledger.Open(d.Context(), d.TempDir()+"/other.db", ledger.Options{})
	if err != nil {
		d.Fatal(err)
	}
	other := &door{T: d.T, keys: access.New(db, access.Options{})}
	secret := other.key()
	if err := db.Close(); err != nil {
		d.Fatal(err)
	}
	return secret
}

// credential returns the header that client i sends, with a key or with the session of a key.
func (d *door) credential(i int) [2]string {
	d.Helper()
	secret := d.key()
	if i%5 > 0 {
		return [2]string{"Authorization", "Bearer " + secret}
	}
	session, err := d.keys.SignIn(d.Context(), secret, "", time.Hour)
	if err != nil {
		d.Fatal(err)
	}
	return [2]string{"Cookie", "rollcall_session=" + session}
}

// repeat sends a request with headers at an interval, and counts the answers.
func (d *door) repeat(ctx context.Context, every time.Duration, kind string, headers ...string) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if status := d.get(ctx, headers...); ctx.Err() == nil {
			d.count(kind, status)
		}
	}
}

// get sends a request with headers, and returns the status; 0 without an answer.
func (d *door) get(ctx context.Context, headers ...string) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+"/api/v1/kinds", nil)
	if err != nil {
		d.Error(err)
		return 0
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return d.send(req)
}

func (d *door) send(req *http.Request) int {
	res, err := d.client.Do(req)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			d.Errorf("%s: %v", req.URL.Path, err)
		}
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body) // the connection is used again
	_ = res.Body.Close()
	return res.StatusCode
}

// signIn signs in with a key that no process has seen before.
func (d *door) signIn() {
	d.Helper()
	form := url.Values{"key": {d.key()}, "to": {"/"}}.Encode()
	req, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.url+"/sign-in", strings.NewReader(form))
	if err != nil {
		d.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if got := d.send(req); got != http.StatusSeeOther {
		d.Errorf("a sign-in: %d, want 303", got)
	}
}

func (d *door) count(kind string, status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.seen[kind] == nil {
		d.seen[kind] = map[int]int{}
	}
	d.seen[kind][status]++
}

// until waits, at most a minute, for more answers with a status.
func (d *door) until(kind string, status, more int) {
	d.Helper()
	have := func() int {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.seen[kind][status]
	}
	want := have() + more
	for end := time.Now().Add(time.Minute); have() < want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			d.Fatalf("%d answers %d of a %s client after a minute, want %d", have(), status, kind, want)
		}
	}
}

// judge checks that good clients were always answered with 200, and the guesser always with
// refusals.
func (d *door) judge() {
	d.Helper()
	d.Logf("answers: %v", d.seen)
	for kind, allowed := range map[string]map[int]bool{
		"good":    {http.StatusOK: true},
		"guesser": {http.StatusUnauthorized: true, http.StatusTooManyRequests: true},
	} {
		for status, n := range d.seen[kind] {
			if !allowed[status] {
				d.Errorf("%d requests of a %s client were answered %d", n, kind, status)
			}
		}
	}
}
