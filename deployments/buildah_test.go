//go:build outside

package deployments_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// engine is a store of images, without a daemon and without a network for containers.
type engine struct {
	path string
	args []string
}

func newEngine(t *testing.T) engine {
	t.Helper()
	dir := t.TempDir()
	return engine{program(t, "buildah"), []string{
		"--root=" + filepath.Join(dir, "root"), "--runroot=" + filepath.Join(dir, "run"), "--storage-driver=vfs",
	}}
}

// do runs a command of buildah, which must succeed, and returns its standard output.
func (e engine) do(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), e.path, append(e.args[:len(e.args):len(e.args)], args...)...)
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("buildah %s: %v\n%s", strings.Join(args, " "), err, &faults)
	}
	return strings.TrimSpace(string(out))
}

// built builds the last stage of the Dockerfile. The programs come from the go command of this
// machine instead of the first stage, whose image is in a registry.
func (e engine) built(t *testing.T) (image string) {
	t.Helper()
	_, stage, ok := strings.Cut(file(t, "Dockerfile"), "\nFROM scratch\n")
	if !ok {
		t.Fatal("Dockerfile: the last stage is not made from scratch")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Dockerfile"), "FROM scratch\n"+stage)
	build := filepath.Join(dir, "build")
	for _, folder := range []string{"etc/ssl/certs", "empty"} {
		if err := os.MkdirAll(filepath.Join(build, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(build, "etc/ssl/certs/ca-certificates.crt"), "")
	compile := exec.CommandContext(t.Context(), "../scripts/build.sh", filepath.Join(build, "out"))
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	e.do(t, "bud", "--isolation=chroot", "--build-context=build="+build, "-f", filepath.Join(dir, "Dockerfile"), "-t", "rollcall", "..")
	return "rollcall"
}

// TestImage_BuiltFromScratch_ImportsAFile builds the image and runs it: a container creates the
// first key, then the API of the image imports a file. The user and the settings are those of the
// image, except for the address.
func TestImage_BuiltFromScratch_ImportsAFile(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	container := e.do(t, "from", e.built(t))
	if size := e.do(t, "images", "--format={{.Size}}", "rollcall"); !strings.HasSuffix(size, "MB") {
		t.Errorf("the image has %s", size)
	}
	run := []string{"run", "--isolation=chroot", "--env=LISTEN=127.0.0.1:0", container, "--"}
	key := e.do(t, append(run[:len(run):len(run)], "/api", "keys", "create", "--name=ops")...)
	if version := e.do(t, append(run[:len(run):len(run)], "/worker", "--version")...); !strings.HasPrefix(version, "worker ") {
		t.Errorf("/worker --version: %s", version)
	}
	p := testenv.StartProcess(t, e.path, nil, append(append(e.args[:len(e.args):len(e.args)], run...), "/api")...)
	counts := imported(t, p.URL(), key, "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,2,Nobody\n")
	if counts.Finish != 1 || counts.Failed != 1 {
		t.Errorf("counts of the import: %+v", counts)
	}
}
