package deployments_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// image holds the parts of the Dockerfile on which other files rely.
type image struct {
	env   map[string]string
	lines []string // continuation lines joined, comments left out
}

func dockerfile(t *testing.T) image {
	t.Helper()
	out := image{env: map[string]string{}}
	text := strings.ReplaceAll(file(t, "Dockerfile"), "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if strings.HasPrefix(line, "FROM ") {
			out.env = map[string]string{} // those of an earlier stage are gone
		}
		if env, ok := strings.CutPrefix(line, "ENV "); ok {
			for _, pair := range strings.Fields(env) {
				name, value, _ := strings.Cut(pair, "=")
				out.env[name] = value
			}
		}
		out.lines = append(out.lines, line)
	}
	return out
}

func TestImage(t *testing.T) {
	t.Parallel()
	img := dockerfile(t)
	accepted(t, "Dockerfile", settings.Role{API: true}, img.env)
	for _, want := range []string{
		"RUN ./scripts/build.sh /out", "FROM scratch", "USER 65532:65532", "STOPSIGNAL SIGTERM", `CMD ["/api"]`,
		"COPY LICENSE THIRD_PARTY_NOTICES /",
	} {
		if !slices.Contains(img.lines, want) {
			t.Errorf("Dockerfile: no line %q", want)
		}
	}
	if !slices.ContainsFunc(img.lines, func(l string) bool {
		return strings.HasPrefix(l, "HEALTHCHECK ") && strings.HasSuffix(l, `CMD ["/api", "health"]`)
	}) {
		t.Error("Dockerfile: the program does not look after its own health")
	}
}

// TestImageIsBuiltFromWhatIsSent: .dockerignore omits no file that is needed to build the programs.
func TestImageIsBuiltFromWhatIsSent(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	ignored := strings.Fields(file(t, "../.dockerignore"))
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Dir,GoFiles,EmbedFiles,Standard",
		"./cmd/api", "./cmd/worker")
	cmd.Dir = root
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for in := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p struct {
			Dir                 string
			GoFiles, EmbedFiles []string
			Standard            bool
		}
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(p.GoFiles, p.EmbedFiles...) {
			rel, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if err != nil || p.Standard || strings.HasPrefix(rel, "..") {
				continue
			}
			seen++
			for _, not := range ignored {
				if rel == not || strings.HasPrefix(rel, not+"/") {
					t.Errorf(".dockerignore: %s leaves out %s", not, rel)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d files seen: the test does not see the programs", seen)
	}
}
