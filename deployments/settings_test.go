package deployments_test

import (
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"

	"github.com/rollcall-dev/rollcall/internal/boot"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// slack is the time that a process gets to stop, beyond the time that it promises to need.
const slack = 5 * time.Second

// accepted returns the settings that a program reads from an environment. A setting that the program
// rejects fails the test.
func accepted(t *testing.T, who string, role settings.Role, env map[string]string) settings.Config {
	t.Helper()
	var cfg settings.Config
	parser, err := kong.New(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{}
	for _, group := range parser.Model.AllFlags(false) {
		for _, flag := range group {
			for _, name := range flag.Envs {
				flags[name] = flag.Name
			}
		}
	}
	var args []string
	for name, value := range env {
		if flags[name] == "" {
			t.Errorf("%s: the programs know no %s", who, name)
			continue
		}
		args = append(args, "--"+flags[name]+"="+value)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Errorf("%s: %v", who, err)
	}
	if err := cfg.Check(role); err != nil {
		t.Errorf("%s: %v", who, err)
	}
	return cfg
}

// lies checks that BLOB_URL is in `folder`, which all processes share.
func lies(t *testing.T, who string, cfg settings.Config, folder string) {
	t.Helper()
	if !strings.HasPrefix(cfg.BlobURL, "file://"+path.Clean(folder)+"/") {
		t.Errorf("%s: BLOB_URL=%s is not in %s, which all share", who, cfg.BlobURL, folder)
	}
}

// patient checks that an engine gives a program the time that it needs to stop.
func patient(t *testing.T, who string, given time.Duration, cfg settings.Config, role settings.Role) {
	t.Helper()
	if need := boot.StopsWithin(cfg, role) + slack; given < need {
		t.Errorf("%s: it is killed after %v, and may need %v", who, given, need)
	}
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// strict reads YAML. A field that the type lacks is a mistake.
func strict[T any](t *testing.T, name, text string) T {
	t.Helper()
	var out T
	if err := yaml.UnmarshalWithOptions([]byte(text), &out, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

func duration(t *testing.T, who, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Errorf("%s: %v", who, err)
	}
	return d
}
