//go:build all

package scripts

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestVuln_Database_DecidesByWhatTheCodeReaches: a vulnerability counts if the version has it and
// the code calls it, with a folder and with a server alike.
func TestVuln_Database_DecidesByWhatTheCodeReaches(t *testing.T) {
	t.Parallel()
	databases := map[string]string{
		"folder": "file://" + folder(t, advisories), "server": mirror(t, advisories).URL,
	}
	for name, database := range databases {
		for _, tt := range []struct {
			name, version, function string
			code                    int
			text                    string
		}{
			{"called", "v1.2.3", "Leak", found, "GO-2026-9999"},
			{"not called", "v1.2.3", "Keep", 0, "0 vulnerabilities"},
			{"fixed", "v1.2.4", "Leak", 0, "No vulnerabilities found"},
		} {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				code, text := vuln(t, database, moduleOf(t, tt.version, tt.function))
				if code != tt.code || !strings.Contains(text, tt.text) || strings.Contains(text, "not checked") {
					t.Errorf("code %d, want %d and %q:\n%s", code, tt.code, tt.text, text)
				}
				if !strings.Contains(text, "2026-11-01") {
					t.Errorf("the age of the database is missing:\n%s", text)
				}
			})
		}
	}
}

// TestVuln_NoDatabase_ReportsNotChecked: code that could not be checked never passes.
func TestVuln_NoDatabase_ReportsNotChecked(t *testing.T) {
	t.Parallel()
	gone := mirror(t, nil)
	gone.Close()
	for name, database := range map[string]string{
		"server gone":      gone.URL,
		"server without":   mirror(t, nil).URL,
		"folder missing":   "file:///nowhere/vulndb",
		"folder empty":     "file://" + t.TempDir(),
		"folder with half": "file://" + folder(t, map[string]string{"index/modules.json": "[]"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, text := vuln(t, database, moduleOf(t, "v1.2.3", "Leak"))
			if code == 0 || code == found || !strings.Contains(text, "not checked") {
				t.Errorf("code %d:\n%s", code, text)
			}
		})
	}
}

// TestVuln_CodeThatDoesNotBuild_ReportsNotChecked: the script fails, and says that the code was not
// checked.
func TestVuln_CodeThatDoesNotBuild_ReportsNotChecked(t *testing.T) {
	t.Parallel()
	code, text := vuln(t, "file://"+folder(t, advisories), moduleOf(t, "v1.2.3", "Missing"))
	if code == 0 || code == found || !strings.Contains(text, "not checked") {
		t.Errorf("code %d:\n%s", code, text)
	}
}

// vuln runs vuln.sh and returns its exit code and its output.
func vuln(t *testing.T, database, module string) (code int, text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "./vuln.sh", module)
	cmd.Env = append(os.Environ(), "GOVULNDB="+database)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
