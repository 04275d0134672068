//go:build outside

package scripts

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxProgram is the greatest size of a released program in bytes: 55 MiB.
const maxProgram = 55 << 20

// TestRelease_SameCommitTwice_SameBytes: anyone can build a release again and compare it.
func TestRelease_SameCommitTwice_SameBytes(t *testing.T) {
	t.Parallel()
	clean := "GOVULNDB=file://" + folder(t, advisories)
	first, second := released(t, clean), released(t, "GOVULNDB=file:///nowhere", "VULN=unchecked")
	const name = "rollcall-v9.9.9-linux-amd64.tar.gz"
	if !bytes.Equal(first[name], second[name]) || len(first[name]) == 0 {
		t.Errorf("archives of %d and %d bytes differ", len(first[name]), len(second[name]))
	}
	if note := string(first["VULNERABILITIES.txt"]); !strings.Contains(note, "No vulnerabilities found") {
		t.Errorf("a checked release: %s", note)
	}
	if note := string(second["VULNERABILITIES.txt"]); !strings.Contains(note, "v9.9.9 was not checked") {
		t.Errorf("an unchecked release: %s", note)
	}
	files := contents(t, first[name])
	for _, want := range []string{"api.cdx.json", "worker.cdx.json", "LICENSE", "THIRD_PARTY_NOTICES"} {
		if len(files[want]) == 0 {
			t.Errorf("the archive lacks %s", want)
		}
	}
	runs(t, files)
	importsSoon(t, first[name])
}

// runs starts the programs of an archive, which report their version and no path of the
// machine that built them.
func runs(t *testing.T, files map[string][]byte) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"api", "worker"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, files[name], 0o700); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), path, "--version").CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), name+" v9.9.9 (commit ") {
			t.Errorf("%s --version: %s, %v", name, out, err)
		}
		if bytes.Contains(files[name], []byte(root+"/")) {
			t.Errorf("%s has paths below %s", name, root)
		}
		linked(t, name, files[name])
	}
}

// TestRelease_NotGood_Ends: unchecked programs are released only with consent, and programs with
// known vulnerabilities never.
func TestRelease_NotGood_Ends(t *testing.T) {
	t.Parallel()
	reached := "GOVULNDB=file://" + folder(t, reachedAdvisories())
	for name, tt := range map[string]struct {
		env  []string
		code int
	}{
		"not checked":               {[]string{"GOVULNDB=file:///nowhere"}, 1},
		"vulnerable":                {[]string{reached}, found},
		"vulnerable, and consented": {[]string{reached, "VULN=unchecked"}, found},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dist := t.TempDir()
			code, text := release(t, dist, tt.env...)
			files, err := os.ReadDir(dist)
			if code != tt.code || err != nil || len(files) != 0 {
				t.Errorf("code %d, want %d, with %d files:\n%s", code, tt.code, len(files), text)
			}
		})
	}
}

// reachedAdvisories is a database of one invented vulnerability that the programs reach.
func reachedAdvisories() map[string]string {
	all := map[string]string{}
	for name, text := range advisories {
		text = strings.ReplaceAll(text, "example.com/lib", "github.com/alecthomas/kong")
		text = strings.NewReplacer(`"Leak"`, `"New"`, "1.2.4", "99.0.0").Replace(text)
		all[name] = text
	}
	return all
}

// released runs release.sh, which must succeed, and returns its files by name.
func released(t *testing.T, env ...string) map[string][]byte {
	t.Helper()
	dist := t.TempDir()
	if code, text := release(t, dist, env...); code != 0 {
		t.Fatalf("code %d:\n%s", code, text)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dist
	if out, err := check.CombinedOutput(); err != nil || bytes.Count(out, []byte(": OK")) != 2 {
		t.Errorf("checksums: %s, %v", out, err)
	}
	made := map[string][]byte{}
	entries, err := os.ReadDir(dist)
	for _, e := range entries {
		text, fault := os.ReadFile(filepath.Join(dist, e.Name()))
		err = errors.Join(err, fault)
		made[e.Name()] = text
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// release runs release.sh for linux/amd64.
func release(t *testing.T, dist string, env ...string) (code int, text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "./release.sh", "linux/amd64")
	cmd.Env = slices.Concat(os.Environ(), []string{"DIST=" + dist, "VERSION=v9.9.9"}, env)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// contents reads an archive, whose entries are sorted and of one time and owner.
func contents(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	in, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files, names, times := map[string][]byte{}, []string{}, map[int64]bool{}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if files[filepath.Base(h.Name)], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		names, times[h.ModTime.Unix()] = append(names, h.Name), true
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
			t.Errorf("%s belongs to %d %s", h.Name, h.Uid, h.Uname)
		}
	}
	if !slices.IsSorted(names) || len(times) != 1 {
		t.Errorf("entries %q of %d times", names, len(times))
	}
	return files
}
