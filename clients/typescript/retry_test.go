//go:build all

package typescript

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestClient_Faults_AreRetriedIfTheServiceGaveNoAnswer runs retry.ts under Node. The client makes two attempts after
// network failures, timeouts and responses such as 503, and one after faults of the program. It makes one attempt of
// a PATCH that the service may have executed, and continues an upload after status 502 or 504 for a part,
// and a stream after its connection broke.
func TestClient_Faults_AreRetriedIfTheServiceGaveNoAnswer(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "retry.mjs")
	compile(t, "retry.ts", script)
	const want = `lost: 2 2 TypeError: fetch failed
silent: 2 2 TimeoutError: the service sent nothing for too long
busy: 2 2 Problem: status 503
wrong: 1 1 Problem: status 404
patch: 1 1 TypeError: fetch failed
key: 1 0 TypeError: no key
body: 1 0 TypeError: Do not know how to serialize a BigInt
header: 1 0 TypeError: Headers.append: "a
fetch: 1 1 RangeError: a fault of this fetch
abort: 1 1 TimeoutError: The operation was aborted due to timeout
file: 3 3 RangeError: a fault of this fetch
get 502: 2 2 Problem: status 502
get 504: 2 2 Problem: status 504
patch 502: 1 1 Problem: status 502
patch 504: 1 1 Problem: status 504
patch 503: 2 2 Problem: status 503
part 502: 6 6 none
part 504: 6 6 none
part 502, later: 3 3 Problem: status 502
moved: 1 1 Error: http://127.0.0.1:9/api/v1/tasks/a redirects to https://elsewhere.example/a
moved, in a browser: 1 1 Error: http://127.0.0.1:9/api/v1/tasks/a redirects to another address
stream: 2 2 TypeError: Cannot read properties of null (reading 'done')
stream with a fault: 1 1 TypeError: a fault of this body
`
	out, err := exec.CommandContext(t.Context(), node(t), script).CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%v, the script prints:\n%s\nwant:\n%s", err, out, want)
	}
}
