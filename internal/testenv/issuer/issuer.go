// Package issuer is an OpenID Connect provider for tests: discovery, the code flow with PKCE, and
// keys. A test sets the user of the next sign-in, and can make the next request fail. The provider
// rejects invalid requests.
package issuer

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Issuer is a running provider.
type Issuer struct {
	ClientID, ClientSecret string

	t      testing.TB
	server *httptest.Server
	ahead  time.Duration // difference to the clock of the machine

	mu     sync.Mutex
	key    *rsa.PrivateKey
	kid    string
	people []map[string]any         // claims of the next users
	faults int                      // number of next requests that get status 500
	codes  map[string]pendingSignIn // by code
}

// Start starts a provider whose clock begins at `now`. The provider ends with the test.
func Start(t testing.TB, now time.Time) *Issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{
		ClientID: rand.Text(), ClientSecret: rand.Text(), t: t, ahead: time.Until(now), key: key, kid: "first",
		codes: map[string]pendingSignIn{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /oidc/.well-known/openid-configuration", i.discovery)
	mux.HandleFunc("GET /oidc/authorize", i.authorize)
	mux.HandleFunc("POST /oidc/token", i.token)
	mux.HandleFunc("GET /oidc/keys", i.keys)
	i.server = httptest.NewServer(i.faulty(mux))
	t.Cleanup(i.server.Close)
	return i
}

// Addr returns the address of the server.
func (i *Issuer) Addr() string { return i.server.URL }

// Issuer returns the issuer of the provider's tokens: its URL.
func (i *Issuer) Issuer() string { return i.server.URL + "/oidc" }

// Now returns the time by the clock of the provider.
func (i *Issuer) Now() time.Time { return time.Now().Add(i.ahead) }

// Shutdown ends the provider before the test ends.
func (i *Issuer) Shutdown() { i.server.Close() }

// QueueUser adds a user to a queue. Each sign-in takes the first user of the queue. The claims in
// `claims` replace the defaults in the ID token.
func (i *Issuer) QueueUser(claims map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.people = append(i.people, claims)
}

// QueueError makes the next request fail with status 500.
func (i *Issuer) QueueError() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.faults++
}

// Rename changes the key id of the signing key.
func (i *Issuer) Rename(kid string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kid = kid
}

// faulty answers a request with status 500 if an error is queued.
func (i *Issuer) faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		fault := i.faults > 0
		i.faults = max(i.faults-1, 0)
		i.mu.Unlock()
		if fault {
			http.Error(w, `{"error":"x"}`, http.StatusInternalServerError)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}
