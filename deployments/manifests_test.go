//go:build outside

package deployments_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// validator builds tools/manifests and returns the path of the program.
func validator(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "manifests")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	build.Dir, build.Env = "../tools/manifests", append(os.Environ(), "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// validated runs a program with an input and returns its output.
func validated(t *testing.T, in string, env []string, args ...string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Stdin, cmd.Env = strings.NewReader(in), append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func TestManifests_ObjectsOfEveryFolder_MatchTheTypesOfKubernetes(t *testing.T) {
	t.Parallel()
	program := validator(t)
	for _, dir := range kustomizations(t) {
		objects := build(t, dir)
		out, err := validated(t, objects, nil, program, "kubernetes")
		if err != nil || strings.Count(out, "\n") < 10 {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
		for _, fault := range [][2]string{
			{"minReplicas:", "minReplica:"}, {"readinessProbe:", "readyProbe:"}, {"maxUnavailable: 1", "maxUnavailable: [1]"},
		} {
			wrong := strings.Replace(objects, fault[0], fault[1], 1)
			if out, err := validated(t, wrong, nil, program, "kubernetes"); wrong == objects || err == nil {
				t.Errorf("%s with %s is accepted:\n%s", dir, fault[1], out)
			}
		}
	}
}

func TestManifests_ComposeFile_IsLoadedByComposeGo(t *testing.T) {
	t.Parallel()
	program := validator(t)
	env := []string{"POSTGRES_PASSWORD=a", "REDIS_PASSWORD=b"}
	out, err := validated(t, "", env, program, "compose", "compose.yaml")
	if err != nil || out != "service api\nservice postgres\nservice redis\nservice worker\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := validated(t, "", nil, program, "compose", "compose.yaml"); err == nil {
		t.Errorf("it is loaded without passwords:\n%s", out)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "compose.yaml"), strings.Replace(file(t, "compose.yaml"), "healthcheck:", "healthchek:", 1))
	if out, err := validated(t, "", env, program, "compose", filepath.Join(dir, "compose.yaml")); err == nil {
		t.Errorf("a misspelt field is accepted:\n%s", out)
	}
}
