package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// versity is the Go package of an S3 service that stores files in a folder. Its first build takes
// minutes, so the tests that use it need the build tag "outside".
const versity = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// S3ID and S3Secret are the access key of every service of [StartS3].
const (
	S3ID     = "rollcall-test"
	S3Secret = "rollcall-test-secret"
)

// StartS3 starts a private S3 service with an empty bucket. It returns the service, the bucket's
// address in the form of BLOB_URL, and the folder of the bucket's files.
func StartS3(t T) (s *Server, address, folder string) {
	t.Helper()
	path := buildVersity(t)
	dir := newDir(t, "s3")
	folder = filepath.Join(dir, "buckets", "files")
	for _, d := range []string{folder, filepath.Join(dir, "meta")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	s = launch(t, dir, recipe{
		name: "versitygw",
		quit: syscall.SIGTERM,
		url: func(port int) string {
			return fmt.Sprintf("s3://files?region=us-east-1&endpoint=http://127.0.0.1:%d", port)
		},
		command: func(dir string, port int) command {
			return command{path: path, dir: dir, args: []string{
				"--quiet", "--port", fmt.Sprintf("127.0.0.1:%d", port), "--access", S3ID, "--secret", S3Secret,
				"posix", "--sidecar", filepath.Join(dir, "meta"), filepath.Join(dir, "buckets"),
			}}
		},
		ready: func(_ string, port, _ int) bool { return accepts(port) },
	})
	t.Cleanup(s.remove)
	return s, s.URL(), folder
}

// buildVersity returns the path of the built program. It builds the program only once per version and
// machine.
func buildVersity(t T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	dir := filepath.Join(cache, "rollcall-testenv", filepath.Base(versity))
	path := filepath.Join(dir, "versitygw")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	cmd := exec.Command("go", "install", versity)
	cmd.Dir = os.TempDir() // outside any module
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testenv: build %s: %v\n%s", versity, err, out)
	}
	return path
}
