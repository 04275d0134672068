package deployments_test

import (
	"slices"
	"testing"
)

func TestNetworkPolicies_OpenPortsOfTheirPodsAlone(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	all, api := m.policies["rollcall"], m.policies["rollcall-api"]
	for name, d := range m.deployments {
		for key, value := range all.Spec.PodSelector.MatchLabels {
			if d.Spec.Template.Metadata.Labels[key] != value {
				t.Errorf("the policy of all pods leaves out %s", name)
			}
		}
	}
	for name, p := range m.policies {
		if !slices.Equal(p.Spec.PolicyTypes, []string{"Ingress"}) || len(p.Spec.Ingress) != 1 || len(p.Spec.Ingress[0].Ports) != 1 {
			t.Errorf("%s: %+v", name, p.Spec)
		}
	}
	if metrics := all.Spec.Ingress[0]; metrics.Ports[0].Port != "metrics" || len(metrics.From) != 1 {
		t.Errorf("metrics are for all: %+v", metrics)
	}
	if open := api.Spec.Ingress[0]; open.Ports[0].Port != "http" || len(open.From) != 0 ||
		api.Spec.PodSelector.MatchLabels["app.kubernetes.io/component"] != "api" {
		t.Errorf("requests: %+v", api.Spec)
	}
}
