package deployments_test

import (
	"regexp"
	"strings"
	"testing"
)

// repository is where the pages of documentation can be read.
const repository = "https://github.com/rollcall-dev/rollcall/blob/main/"

type rules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Record, Alert, Expr, For string
			Labels                   map[string]string
			Annotations              struct {
				Summary, Advice string
				Runbook         string `yaml:"runbook_url"`
			}
		}
	}
}

// alerts returns the runbook of each alert of rules.yaml.
func alerts(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, group := range strict[rules](t, "rules.yaml", file(t, "prometheus/rules.yaml")).Groups {
		for _, r := range group.Rules {
			if r.Alert == "" {
				continue
			}
			list[r.Alert] = r.Annotations.Runbook
			if s := r.Labels["severity"]; r.Annotations.Summary == "" || r.Annotations.Advice == "" || s != "page" && s != "ticket" {
				t.Errorf("rules.yaml: %s has no summary, no advice, or the severity %q", r.Alert, s)
			}
		}
	}
	if len(list) < 15 {
		t.Errorf("rules.yaml has only %d alerts", len(list))
	}
	return list
}

func TestAlerts_Each_HasASectionInTheRunbook(t *testing.T) {
	t.Parallel()
	text := file(t, "../docs/run/alerts.md")
	list := alerts(t)
	for name, runbook := range list {
		if want := repository + "docs/run/alerts.md#" + strings.ToLower(name); runbook != want {
			t.Errorf("rules.yaml: the runbook of %s is %q, want %s", name, runbook, want)
		}
		_, section, found := strings.Cut(text, "\n## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, part := range []string{"**Cause**", "**Effect**", "**What to do**"} {
			if !found || !strings.Contains(section, part) {
				t.Errorf("docs/run/alerts.md: the section of %s lacks %s", name, part)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^## (Rollcall\w+)$`).FindAllStringSubmatch(text, -1) {
		if _, ok := list[m[1]]; !ok {
			t.Errorf("docs/run/alerts.md: no alert %s", m[1])
		}
	}
}

func TestAlerts_Each_IsFiredByAUnitTest(t *testing.T) {
	t.Parallel()
	text := file(t, "prometheus/rules_test.yaml") // make deployments-test runs it
	for name := range alerts(t) {
		if !strings.Contains(text, `ALERTS{alertname="`+name+`", alertstate="firing"`) {
			t.Errorf("rules_test.yaml does not fire %s", name)
		}
	}
}
