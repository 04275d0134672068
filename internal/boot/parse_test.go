package boot

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// TestEveryVariableAtFaultIsReported: all wrong variables are reported. Each setting has a variable and
// a help text.
func TestEveryVariableAtFaultIsReported(t *testing.T) {
	t.Parallel()
	var c settings.Config
	p, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"RETENTION": "long", "LEASE": "10", "LOG_LEVEL": "loud", "CONCURRENCY": "-8", "WEBHOOK_ALLOW_PRIVATE": "yes",
	}
	err = environment(p.Model, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, name := range []string{"RETENTION", "LEASE", "LOG_LEVEL"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported: %v", name, err)
		}
	}
	if n := strings.Count(err.Error(), "\n"); n != 2 {
		t.Errorf("more is reported than is wrong: %v", err)
	}
	for _, flag := range p.Model.Flags {
		if flag.Name != "help" && (len(flag.Envs) != 1 || flag.Help == "") {
			t.Errorf("--%s has no variable, or no help", flag.Name)
		}
	}
}
