package scripts

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

type workflow struct {
	Name        string
	On          any
	Permissions map[string]string
	Jobs        map[string]struct {
		RunsOn  string `yaml:"runs-on"`
		Minutes int    `yaml:"timeout-minutes"`
		Steps   []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

// actions lists the actions of others that a step of a workflow may use.
var actions = []string{"actions/checkout@v4", "actions/setup-go@v5", "actions/upload-artifact@v4"}

// verifying lists the targets that a workflow has to run.
var verifying = []string{"test", "check", "test-all", "chaos", "deployments-test", "fuzz", "vuln", "release"}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// targets returns the targets of the Makefile that its help lists.
func targets(t *testing.T) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):.*## `).FindAllStringSubmatch(read(t, "../Makefile"), -1) {
		list = append(list, m[1])
	}
	return list
}

func TestWorkflows_Steps_AreTargetsOfTheMakefile(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	known, run := targets(t), []string{}
	for _, name := range names {
		var w workflow
		if err := yaml.UnmarshalWithOptions([]byte(read(t, name)), &w, yaml.Strict()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if w.Permissions["contents"] != "read" || len(w.Permissions) != 1 {
			t.Errorf("%s: permissions %v", name, w.Permissions)
		}
		for job, j := range w.Jobs {
			for _, s := range j.Steps {
				target, isMake := strings.CutPrefix(s.Run, "make ")
				switch {
				case s.Run == "" && slices.Contains(actions, s.Uses):
				case s.Uses == "" && isMake && slices.Contains(known, target):
					run = append(run, target)
				default:
					t.Errorf("%s: %s: the step %q%q is no target of the Makefile", name, job, s.Run, s.Uses)
				}
			}
		}
	}
	for _, target := range verifying {
		if !slices.Contains(run, target) {
			t.Errorf("no workflow runs make %s", target)
		}
	}
}

func TestWorkflows_BuildServer_RunsTheSameTargets(t *testing.T) {
	t.Parallel()
	m := regexp.MustCompile(`for target in ([a-z -]+); do`).FindStringSubmatch(read(t, "../.ci/run"))
	if m == nil {
		t.Fatal(".ci/run has no list of targets")
	}
	check := read(t, "../.github/workflows/check.yaml")
	for _, target := range strings.Fields(m[1]) {
		if !strings.Contains(check, "run: make "+target+"\n") {
			t.Errorf("check.yaml does not run make %s, as .ci/run does", target)
		}
	}
}
