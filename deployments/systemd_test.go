package deployments_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// assignments reads NAME=value lines, and skips sections and comments.
func assignments(t *testing.T, name string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(file(t, name)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.ContainsAny(line[:1], "#[") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if _, twice := out[key]; !ok || twice {
			t.Errorf("%s: %q: no assignment, or the second one", name, line)
		}
		out[key] = value
	}
	return out
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for name, role := range map[string]settings.Role{
		"rollcall-api.service": {API: true}, "rollcall-worker@.service": {Workers: true},
	} {
		unit := assignments(t, "systemd/"+name)
		cfg := accepted(t, "rollcall.env for "+name, role, assignments(t, "systemd/rollcall.env"))
		lies(t, name, cfg, "/var/lib/"+unit["StateDirectory"])
		given, err := strconv.Atoi(unit["TimeoutStopSec"])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		patient(t, name, time.Duration(given)*time.Second, cfg, role)
		for key, want := range map[string]string{
			"User": "rollcall", "EnvironmentFile": "/etc/rollcall/rollcall.env", "Restart": "always",
			"StartLimitIntervalSec": "0", "NoNewPrivileges": "yes", "ProtectSystem": "strict",
			"CapabilityBoundingSet": "", "WantedBy": "multi-user.target",
		} {
			if got, ok := unit[key]; !ok || got != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
	}
}

// TestSystemdReadsTheUnits checks the units with systemd-analyze, if it is installed. TestUnits needs no
// program.
func TestSystemdReadsTheUnits(t *testing.T) {
	t.Parallel()
	checker, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd-analyze on this machine")
		return
	}
	dir := t.TempDir()
	for _, name := range []string{"api.service", "worker@.service"} {
		program, _, _ := strings.Cut(strings.TrimSuffix(name, ".service"), "@")
		text := strings.ReplaceAll(file(t, "systemd/rollcall-"+name), "/usr/local/bin/rollcall-"+program, checker)
		path := filepath.Join(dir, "rollcall-"+name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, checker, "verify", path).CombinedOutput()
		if err != nil || strings.Contains(string(out), "rollcall-"+name) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
