package housetest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Shell commands of the docs are in fenced blocks of three kinds:
//
//	sh          run by TestDocs_Commands_RunAndAnswerAsWritten in internal/e2e
//	sh TestX    run by that test
//	console     run by no test: they need an engine, a cluster, root, or minutes
var (
	shellFence = regexp.MustCompile("(?ms)^```(sh|console|bash|shell)( [^\n]*)?\n(.*?)^```$")
	indented   = regexp.MustCompile(`(?m)^    +([a-z][a-z_-]*) .*$`)
	makeLine   = regexp.MustCompile(`(?m)^make ([a-z-]+)`)
)

// programs lists the programs with which commands begin. No such command may stand in a block
// without a fence.
var programs = []string{
	"api", "cd", "curl", "docker", "export", "git", "go", "install", "kubectl", "make", "npm", "rollcall-api",
	"rollcall-worker", "rsync", "systemctl", "useradd", "worker",
}

// consoles lists the programs of console blocks, each with the reason why no test runs it.
var consoles = map[string]string{
	"docker": "needs an engine", "kubectl": "needs a cluster", "systemctl": "needs systemd", "useradd": "needs root",
	"install": "needs root", "(set": "needs the files of systemd", "make": "the targets are run themselves",
	"git": "needs the forge", "cd": "the benches take minutes", "go": "what make runs, in other words",
	"export": "belongs to the lines behind it", "npm": "needs the registry", "CGO_ENABLED=0": "what make release does",
}

// TestDocs_Commands_AreInBlocksThatATestRuns checks that pages use only the three kinds of blocks.
// Measurements are records of one day, and exempt.
func TestDocs_Commands_AreInBlocksThatATestRuns(t *testing.T) {
	t.Parallel()
	list, _ := listTests(sources(t))
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for name := range pages(t) {
		if filepath.Dir(name) == "docs/measurements" {
			continue
		}
		ownWorker := name == "docs/workers/first-worker.md" // its upload needs the worker that its reader writes
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range indented.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if slices.Contains(programs, m[1]) {
				t.Errorf("%s: the command %q has no fence", name, strings.TrimSpace(m[0]))
			}
		}
		for _, m := range shellFence.FindAllStringSubmatch(string(text), -1) {
			for _, wrong := range wrongBlock(m[1], strings.TrimSpace(m[2]), m[3], list) {
				if ownWorker && m[1] == "console" {
					continue
				}
				t.Errorf("%s: %s", name, wrong)
			}
			for _, target := range makeLine.FindAllStringSubmatch(m[3], -1) {
				if !strings.Contains(string(makefile), "\n"+target[1]+":") {
					t.Errorf("%s: there is no make %s", name, target[1])
				}
			}
		}
	}
}

// wrongBlock returns the fault of a block of commands; "" if it has none.
func wrongBlock(language, test, commands string, list tests) (wrong []string) {
	switch {
	case language == "sh" && test == "":
	case language == "sh":
		for s := range list {
			if s.test == test {
				return nil
			}
		}
		wrong = append(wrong, "there is no test "+test)
	case language == "console" && test == "":
		continued := false
		for line := range strings.Lines(commands) {
			program, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !continued && program != "" && program[0] != '#' && consoles[program] == "" {
				wrong = append(wrong, "a test can run "+program+": use sh")
			}
			continued = strings.HasSuffix(strings.TrimSpace(line), `\`)
		}
	default:
		wrong = append(wrong, "use sh or console, not "+language)
	}
	return wrong
}

func TestDocs_WrongBlocks_AreReported(t *testing.T) {
	t.Parallel()
	list := tests{{"queue", "TestOrder"}: 0}
	for _, tt := range []struct{ language, test, commands, want string }{
		{"sh", "", "curl x\n", ""},
		{"sh", "TestOrder", "curl x\n", ""},
		{"sh", "TestGone", "curl x\n", "there is no test TestGone"},
		{"console", "", "docker build . \\\n  -t x\n# a comment\n", ""},
		{"console", "", "jq .\n", "a test can run jq"},
		{"bash", "", "ls\n", "use sh or console"},
	} {
		if got := strings.Join(wrongBlock(tt.language, tt.test, tt.commands, list), "; "); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
