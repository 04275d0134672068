//go:build all

package notify_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// verifier completes the Go example to a program.
const verifier = `
func main() {
	body, _ := os.ReadFile("body")
	h := http.Header{}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		h.Set(name, os.Getenv(strings.ToUpper(strings.ReplaceAll(name, "-", "_"))))
	}
	if Genuine(os.Getenv("SECRET"), h, body) {
		fmt.Println("genuine")
	}
}

`

// TestDocs_WebhookExamples_VerifySignatures runs the examples of docs/use/webhooks.md on a request of a
// deliverer, and on a changed request.
func TestDocs_WebhookExamples_VerifySignatures(t *testing.T) {
	t.Parallel()
	o := newOffice(t, filepath.Join(t.TempDir(), "ledger.db"), nil)
	w := o.webhook("acme", "/", tasks.TopicFinished)
	o.end("acme", nil, events.Finish)
	o.deliver()
	m := o.inbox.all()[0]

	dir := t.TempDir()
	code := strings.Replace(example(t, "go"), "import (", "import (\n\"fmt\"\n\"os\"", 1) + verifier
	write(t, filepath.Join(dir, "main.go"), []byte(code))
	// The packages are those from which this program was built.
	build := exec.Command("go", "build", "-race="+strconv.FormatBool(testenv.Race), "-o", "verify", "main.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, tt := range []struct {
		name    string
		body    []byte
		secret  string
		genuine bool
	}{
		{"as sent", m.body, w.Secret, true},
		{"a changed body", append([]byte(" "), m.body...), w.Secret, false},
		{"another secret", m.body, notify.NewSecret(), false},
	} {
		write(t, filepath.Join(dir, "body"), tt.body)
		for _, command := range []string{"./verify", example(t, "sh TestDocs_WebhookExamples_VerifySignatures")} {
			if got := runExample(dir, command, tt.secret, m.header); (got == "genuine") != tt.genuine {
				t.Errorf("%s: the example says %q: %.40s", tt.name, got, command)
			}
		}
	}
}

func runExample(dir, command, secret string, h http.Header) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SECRET="+secret, "WEBHOOK_ID="+h.Get("Webhook-Id"),
		"WEBHOOK_TIMESTAMP="+h.Get("Webhook-Timestamp"), "WEBHOOK_SIGNATURE="+h.Get("Webhook-Signature"))
	out, _ := cmd.CombinedOutput() // the last command of the shell fails if the signature is wrong
	return strings.TrimSpace(string(out))
}

// example returns the block of a language in docs/use/webhooks.md.
func example(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/use/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```"+language+"\n")
	block, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatalf("docs/use/webhooks.md has no example in %s", language)
	}
	return block
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
