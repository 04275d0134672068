//go:build outside

package deployments_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestKustomize_EveryFolder_Builds runs kustomize itself. Only make deployments-test runs this test,
// because compiling kustomize takes half a minute.
func TestKustomize_EveryFolder_Builds(t *testing.T) {
	t.Parallel()
	for _, dir := range kustomizations(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			m := newManifests()
			for text := range documents(build(t, dir)) {
				m.add(t, dir, text)
			}
			if len(m.deployments) != 2 || len(m.scalers) != 2 || len(m.budgets) != 2 || len(m.services) != 1 {
				t.Errorf("%d Deployments, %d HorizontalPodAutoscalers, %d PodDisruptionBudgets, %d Services",
					len(m.deployments), len(m.scalers), len(m.budgets), len(m.services))
			}
		})
	}
}

// TestKustomize_Wait_ScalesWorkersByTheDrainTime: the patch of the folder `wait` replaces the metric of the
// HorizontalPodAutoscaler, and leaves the rest as it is.
func TestKustomize_Wait_ScalesWorkersByTheDrainTime(t *testing.T) {
	t.Parallel()
	m := newManifests()
	for text := range documents(build(t, "kubernetes/wait")) {
		m.add(t, "kubernetes/wait", text)
	}
	s := m.scalers["rollcall-worker"].Spec
	if len(s.Metrics) != 1 || s.Metrics[0].External.Metric.Name != "rollcall_drain_seconds" ||
		s.MinReplicas < 2 || s.ScaleTargetRef.Name != "rollcall-worker" {
		t.Errorf("the HorizontalPodAutoscaler of the workers: %+v", s)
	}
}

// build returns the objects that kustomize makes from a folder.
func build(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile=../tools/kustomize/go.mod", "kustomize", "build", dir)
	var faults strings.Builder
	cmd.Stderr = &faults
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("kustomize build %s: %v\n%s", dir, err, &faults)
	}
	return string(text)
}
