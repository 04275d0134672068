package deployments_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

type composition struct {
	Name        string
	Rollcall    any `yaml:"x-rollcall"`
	Environment any `yaml:"x-environment"`
	Services    map[string]service
	Volumes     map[string]struct{}
	Networks    map[string]struct{ Internal bool }
}

type service struct {
	Image       string
	User        string
	Build       struct{ Context, Dockerfile string }
	Restart     string
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	Volumes     []string
	Networks    []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Command     []string
	Environment map[string]string
	Ports       []string
	Deploy      struct{ Replicas int }
	Grace       string `yaml:"stop_grace_period"`
	ShmSize     string `yaml:"shm_size"`
	Healthcheck struct {
		Test              []string
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
		Retries           int
	}
}

// compose reads the file as docker compose does when both passwords are in the environment.
func compose(t *testing.T) composition {
	t.Helper()
	variable := regexp.MustCompile(`\$\{(\w+):([-?])([^}]*)\}`)
	text := variable.ReplaceAllStringFunc(file(t, "compose.yaml"), func(v string) string {
		m := variable.FindStringSubmatch(v)
		if m[2] == "-" {
			return `"` + m[3] + `"`
		}
		if m[1] != "POSTGRES_PASSWORD" && m[1] != "REDIS_PASSWORD" {
			t.Errorf("compose.yaml: its first lines do not say to set %s", m[1])
		}
		return "secret"
	})
	return strict[composition](t, "compose.yaml", text)
}

func TestCompose(t *testing.T) {
	t.Parallel()
	c := compose(t)
	for name, role := range map[string]settings.Role{"api": {API: true}, "worker": {Workers: true}} {
		s := c.Services[name]
		who := "compose.yaml: " + name
		env := maps.Clone(dockerfile(t).env)
		maps.Copy(env, s.Environment)
		cfg := accepted(t, who, role, env)
		patient(t, who, duration(t, who, s.Grace), cfg, role)
		lies(t, who, cfg, "/data")
		if !slices.Contains(s.Volumes, "files:/data") || cfg.Embedded() {
			t.Errorf("%s: it shares no files, or no database: %v", who, s.Volumes)
		}
		if s.Deploy.Replicas < 2 || !slices.Equal(s.Command, []string{"/" + name}) {
			t.Errorf("%s: %d times %v", who, s.Deploy.Replicas, s.Command)
		}
		if test := s.Healthcheck.Test; !slices.Equal(test, []string{"CMD", "/" + name, "health"}) {
			t.Errorf("%s: its health is asked by %q", who, test)
		}
		if role.Workers && cfg.MetricsListen == "" {
			t.Errorf("%s: it listens nowhere, and is asked as if it did", who)
		}
		if s.Build.Context != ".." || s.Build.Dockerfile != "deployments/Dockerfile" {
			t.Errorf("%s: built from %+v", who, s.Build)
		}
	}
}

// TestComposeNamesWhatIsThere: the volumes of each service exist, each service for which another waits has a
// health check, and services start again. Redis has the settings that it needs.
func TestComposeNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	c := compose(t)
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			if _, ok := c.Volumes[source]; !ok {
				t.Errorf("compose.yaml: %s: no volume %s", name, source)
			}
		}
		for on, how := range s.DependsOn {
			if how.Condition != "service_healthy" || len(c.Services[on].Healthcheck.Test) == 0 {
				t.Errorf("compose.yaml: %s waits for %s, which has no health check", name, on)
			}
		}
		if s.Restart != "unless-stopped" {
			t.Errorf("compose.yaml: %s is not started again", name)
		}
	}
	redis := strings.Join(c.Services["redis"].Command, " ")
	if !strings.Contains(redis, "--appendonly yes") ||
		!strings.Contains(redis, "--maxmemory-policy noeviction") {
		t.Errorf("compose.yaml: %s", redis)
	}
}

func TestCompose_Stores_AskForAPasswordInANetworkOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := compose(t)
	for name, s := range c.Services {
		isStore := name == "postgres" || name == "redis"
		if !slices.Contains(s.Networks, "inner") || slices.Contains(s.Networks, "outer") == isStore {
			t.Errorf("compose.yaml: %s is in %v", name, s.Networks)
		}
		if isStore && len(s.Ports) > 0 {
			t.Errorf("compose.yaml: %s is published: %v", name, s.Ports)
		}
	}
	if !c.Networks["inner"].Internal {
		t.Error("compose.yaml: the inner network leads outside")
	}
	redis := c.Services["redis"]
	if command := strings.Join(redis.Command, " "); !strings.Contains(command, `requirepass "$$REDISCLI_AUTH"`) ||
		redis.Environment["REDISCLI_AUTH"] != "secret" {
		t.Errorf("compose.yaml: redis asks for no password: %s", command)
	}
	if url := c.Services["api"].Environment["REDIS_URL"]; url != "redis://:secret@redis:6379/0" {
		t.Errorf("compose.yaml: REDIS_URL is %s", url)
	}
}

// TestComposePublishes checks that each API has a port, for this machine only.
func TestComposePublishes(t *testing.T) {
	t.Parallel()
	s := compose(t).Services["api"]
	if len(s.Ports) != 1 {
		t.Fatalf("compose.yaml: ports %v", s.Ports)
	}
	m := regexp.MustCompile(`^127\.0\.0\.1:(\d+)-(\d+):(\d+)$`).FindStringSubmatch(s.Ports[0])
	if m == nil {
		t.Fatalf("compose.yaml: port %s", s.Ports[0])
	}
	first, _ := strconv.Atoi(m[1]) // digits, by the pattern
	last, _ := strconv.Atoi(m[2])
	if last-first+1 < s.Deploy.Replicas {
		t.Errorf("compose.yaml: %d ports for %d APIs", last-first+1, s.Deploy.Replicas)
	}
	if listen := dockerfile(t).env["LISTEN"]; listen != "0.0.0.0:"+m[3] {
		t.Errorf("compose.yaml: port %s is published, the image listens on %s", m[3], listen)
	}
}
