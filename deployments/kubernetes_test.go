package deployments_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/web"
)

// settings returns what a container's program reads. Values of secrets are invented.
func (m manifests) settings(t *testing.T, who string, c container) map[string]string {
	t.Helper()
	env := map[string]string{}
	for _, from := range c.EnvFrom {
		values, ok := m.configMaps[from.ConfigMapRef.Name]
		if !ok {
			t.Errorf("%s: no ConfigMap %s", who, from.ConfigMapRef.Name)
		}
		for name, value := range values.Data {
			env[name] = value
		}
	}
	secrets := map[string]string{
		"DATABASE_URL": "postgres://rollcall@postgres/rollcall", "REDIS_URL": "rediss://redis:6379/0",
		"SECRET_KEYS": base64.StdEncoding.EncodeToString(make([]byte, 32)),
	}
	for _, e := range c.Env {
		env[e.Name] = secrets[e.ValueFrom.Secret.Key]
		if env[e.Name] == "" || e.ValueFrom.Secret.Name != "rollcall" {
			t.Errorf("%s: %s is not in the Secret of kustomization.yaml", who, e.Name)
		}
		if optional := e.Name == "SECRET_KEYS"; e.ValueFrom.Secret.Optional != optional {
			t.Errorf("%s: %s is optional: %v, want %v", who, e.Name, !optional, optional)
		}
	}
	return env
}

func TestPods(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	if len(m.deployments) != 2 {
		t.Fatalf("%d deployments", len(m.deployments))
	}
	for name, role := range map[string]settings.Role{"rollcall-api": {API: true}, "rollcall-worker": {Workers: true}} {
		d := m.deployments[name].Spec
		p := d.Template.Spec
		if len(p.Containers) != 1 {
			t.Fatalf("%s: %d containers", name, len(p.Containers))
		}
		c := p.Containers[0]
		cfg := accepted(t, name, role, m.settings(t, name, c))
		patient(t, name, time.Duration(p.Grace)*time.Second, cfg, role)
		if role.API && cfg.Drain < time.Second {
			t.Errorf("%s: it stops while proxies still send to it", name)
		}
		if !within(d.Selector.MatchLabels, d.Template.Metadata.Labels) {
			t.Errorf("%s: it does not find its own pods", name)
		}
		if want := "/" + strings.TrimPrefix(name, "rollcall-"); !slices.Equal(c.Command, []string{want}) {
			t.Errorf("%s: runs %v", name, c.Command)
		}
		m.mounted(t, name, p, cfg)
		confined(t, name, p)
	}
}

// TestPods_SettingsOfCompose_AreThereToo requires that the pod of a program has each setting of the
// program in compose.
func TestPods_SettingsOfCompose_AreThereToo(t *testing.T) {
	t.Parallel()
	m, c := kubernetes(t), compose(t)
	for _, program := range []string{"api", "worker"} {
		pod := "rollcall-" + program
		env := m.settings(t, pod, m.deployments[pod].Spec.Template.Spec.Containers[0])
		for name := range c.Services[program].Environment {
			if _, has := env[name]; !has {
				t.Errorf("%s: it is not told %s", pod, name)
			}
		}
	}
}

// mounted checks that files that all pods share are on a shared volume.
func (m manifests) mounted(t *testing.T, name string, p pod, cfg settings.Config) {
	t.Helper()
	mounts := p.Containers[0].Mounts
	if len(p.Volumes) != 1 || len(mounts) != 1 || mounts[0].Name != p.Volumes[0].Name {
		t.Fatalf("%s: volumes %+v, mounts %+v", name, p.Volumes, mounts)
	}
	lies(t, name, cfg, mounts[0].Path)
	files := m.claims[p.Volumes[0].Claim.Name].Spec
	if !slices.Equal(files.AccessModes, []string{"ReadWriteMany"}) || files.Resources.Requests["storage"] == "" {
		t.Errorf("%s: its files are %+v", name, files)
	}
}

func confined(t *testing.T, name string, p pod) {
	t.Helper()
	s, c := p.Security, p.Containers[0]
	if !s.RunAsNonRoot || s.RunAsUser != 65532 || s.FSGroup != 65532 || s.Seccomp.Type != "RuntimeDefault" ||
		p.Token == nil || *p.Token {
		t.Errorf("%s: the pod may do too much: %+v", name, s)
	}
	if e := c.Security.Escalation; e == nil || *e || !c.Security.ReadOnly ||
		!slices.Equal(c.Security.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("%s: the container may do too much: %+v", name, c.Security)
	}
	if c.Resources.Requests["cpu"] == "" || c.Resources.Limits["memory"] == "" {
		t.Errorf("%s: without a request of cpu nothing scales, without a limit of memory it takes all", name)
	}
}

// TestProbesAreAnswered requests the real routes as a kubelet does, with the host name of the
// probe.
func TestProbesAreAnswered(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	c := m.deployments["rollcall-api"].Spec.Template.Spec.Containers[0]
	srv := web.New(web.Options{Hosts: []string{"rollcall"}})
	for kind, path := range map[*probe]string{
		c.StartupProbe: "/healthz", c.LivenessProbe: "/healthz", c.ReadinessProbe: "/readyz",
	} {
		if kind == nil || kind.HTTPGet.Path != path {
			t.Fatalf("a probe of %s is missing: %+v", path, kind)
		}
		if kind.Period < 1 || kind.Timeout < 3 || kind.FailureThreshold < 2 {
			t.Errorf("the probe of %s is hasty: %+v", path, kind)
		}
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "10.0.0.7:8080"
		for _, h := range kind.HTTPGet.HTTPHeaders {
			if h.Name == "Host" {
				r.Host = h.Value
			}
		}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s of %s: %d %s", path, r.Host, w.Code, w.Body)
		}
		if kind.HTTPGet.Port != c.Ports[0].Name {
			t.Errorf("%s: no port %s", path, kind.HTTPGet.Port)
		}
	}
}

// TestWorkersAreProbed checks that the scrapes of all pods, and the probes of workers, use the port of
// METRICS_LISTEN.
func TestWorkersAreProbed(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	for name, d := range m.deployments {
		c, notes := d.Spec.Template.Spec.Containers[0], d.Spec.Template.Metadata.Annotations
		port := c.Ports[len(c.Ports)-1]
		cfg := accepted(t, name, settings.Role{API: true}, m.settings(t, name, c))
		if port.Name != "metrics" || cfg.MetricsListen != "0.0.0.0:"+strconv.Itoa(port.Port) ||
			notes["prometheus.io/scrape"] != "true" || notes["prometheus.io/port"] != strconv.Itoa(port.Port) {
			t.Errorf("%s: METRICS_LISTEN=%s, port %+v, notes %v", name, cfg.MetricsListen, port, notes)
		}
		if name != "rollcall-worker" {
			continue
		}
		for p, path := range map[*probe]string{
			c.StartupProbe: "/healthz", c.LivenessProbe: "/healthz", c.ReadinessProbe: "/readyz",
		} {
			if p == nil || p.HTTPGet.Path != path || p.HTTPGet.Port != "metrics" || p.Timeout < 3 || p.FailureThreshold < 2 {
				t.Errorf("the probe of %s: %+v", path, p)
			}
		}
	}
}

// TestObjectsFindEachOther: the Service selects the pods of the API, sends to their port, and has a name
// that the API accepts as a host name. Each Deployment has a budget and a scaler.
func TestObjectsFindEachOther(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	service := m.services["rollcall"].Spec
	pods := m.deployments["rollcall-api"].Spec.Template
	port := pods.Spec.Containers[0].Ports[0]
	if !within(service.Selector, pods.Metadata.Labels) ||
		len(service.Ports) != 1 || service.Ports[0].TargetPort != port.Name {
		t.Errorf("the Service %+v does not find %+v", service, pods.Metadata.Labels)
	}
	if within(service.Selector, m.deployments["rollcall-worker"].Spec.Template.Metadata.Labels) {
		t.Error("the Service sends requests to workers")
	}
	cfg := accepted(t, "ConfigMap", settings.Role{API: true}, m.settings(t, "rollcall-api", pods.Spec.Containers[0]))
	if cfg.Listen != "0.0.0.0:"+strconv.Itoa(port.Port) || !slices.Contains(cfg.Hosts, "rollcall") {
		t.Errorf("LISTEN=%s, HOSTS=%v; the Service rollcall sends to port %d", cfg.Listen, cfg.Hosts, port.Port)
	}
	for name, d := range m.deployments {
		b, s := m.budgets[name].Spec, m.scalers[name].Spec
		if b.MaxUnavailable != 1 || !within(b.Selector.MatchLabels, d.Spec.Template.Metadata.Labels) {
			t.Errorf("the PodDisruptionBudget of %s: %+v", name, b)
		}
		to := s.ScaleTargetRef
		if to.APIVersion != d.APIVersion || to.Kind != d.Kind || to.Name != name ||
			s.MinReplicas < 2 || s.MaxReplicas <= s.MinReplicas || len(s.Metrics) != 1 {
			t.Errorf("the HorizontalPodAutoscaler of %s: %+v", name, s)
		}
	}
}
