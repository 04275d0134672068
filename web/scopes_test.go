package web

import (
	"maps"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/access"
)

// TestEveryPathHasAScope: what is missing in the table is refused to everybody,
// so it is found here before.
func TestEveryPathHasAScope(t *testing.T) {
	t.Parallel()
	s := New(Options{Access: access.New(nil, access.Options{})})
	stale := maps.Clone(scopes)
	for _, r := range s.gin.Routes() {
		if r.Method == http.MethodHead {
			r.Method = http.MethodGet
		}
		if _, ok := scopes[r.Method+" "+r.Path]; !ok {
			t.Errorf("%s %s has no scope: give it one in web/scopes.go", r.Method, r.Path)
		}
		delete(stale, r.Method+" "+r.Path)
	}
	for path := range stale {
		t.Errorf("%s has a scope, but there is no such path", path)
	}
}
