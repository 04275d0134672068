package deployments_test

import (
	"iter"
	"maps"
	"strings"
	"testing"
)

// These types have only the fields that our objects use. An unknown field is a mistake.
type (
	meta struct {
		Name                string
		Labels, Annotations map[string]string
	}
	Header struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   meta
	}
	configMap struct {
		Header `yaml:",inline"`
		Data   map[string]string
	}
	claim struct {
		Header `yaml:",inline"`
		Spec   struct {
			AccessModes []string `yaml:"accessModes"`
			Resources   resources
		}
	}
	serviceObject struct {
		Header `yaml:",inline"`
		Spec   struct {
			Selector map[string]string
			Ports    []struct {
				Name       string
				Port       int
				TargetPort string `yaml:"targetPort"`
			}
		}
	}
	selector struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	}
	networkPolicy struct {
		Header `yaml:",inline"`
		Spec   struct {
			PodSelector selector `yaml:"podSelector"`
			PolicyTypes []string `yaml:"policyTypes"`
			Ingress     []struct {
				From []struct {
					NamespaceSelector selector `yaml:"namespaceSelector"`
				}
				Ports []struct{ Port string }
			}
		}
	}
	budget struct {
		Header `yaml:",inline"`
		Spec   struct {
			MaxUnavailable int `yaml:"maxUnavailable"`
			Selector       selector
		}
	}
	scaler struct {
		Header `yaml:",inline"`
		Spec   struct {
			ScaleTargetRef struct {
				APIVersion string `yaml:"apiVersion"`
				Kind, Name string
			} `yaml:"scaleTargetRef"`
			MinReplicas int `yaml:"minReplicas"`
			MaxReplicas int `yaml:"maxReplicas"`
			Metrics     []struct {
				Type     string
				Resource struct {
					Name   string
					Target struct {
						Type               string
						AverageUtilization int `yaml:"averageUtilization"`
					}
				}
				External struct {
					Metric struct{ Name string }
					Target struct{ Type, Value string }
				}
			}
			Behavior struct {
				ScaleDown struct {
					Window int `yaml:"stabilizationWindowSeconds"`
				} `yaml:"scaleDown"`
			}
		}
	}
	deployment struct {
		Header `yaml:",inline"`
		Spec   struct {
			Selector selector
			Strategy struct {
				RollingUpdate struct {
					MaxSurge       int `yaml:"maxSurge"`
					MaxUnavailable int `yaml:"maxUnavailable"`
				} `yaml:"rollingUpdate"`
			}
			Template struct {
				Metadata meta
				Spec     pod
			}
		}
	}
)

type resources struct{ Requests, Limits map[string]string }

type pod struct {
	Grace    int   `yaml:"terminationGracePeriodSeconds"`
	Token    *bool `yaml:"automountServiceAccountToken"`
	Security struct {
		RunAsNonRoot        bool                  `yaml:"runAsNonRoot"`
		RunAsUser           int                   `yaml:"runAsUser"`
		RunAsGroup          int                   `yaml:"runAsGroup"`
		FSGroup             int                   `yaml:"fsGroup"`
		FSGroupChangePolicy string                `yaml:"fsGroupChangePolicy"`
		Seccomp             struct{ Type string } `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Containers []container
	Volumes    []struct {
		Name  string
		Claim struct {
			Name string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	}
}

type container struct {
	Name, Image string
	Command     []string
	EnvFrom     []struct {
		ConfigMapRef struct{ Name string } `yaml:"configMapRef"`
	} `yaml:"envFrom"`
	Env []struct {
		Name      string
		ValueFrom struct {
			Secret struct {
				Name, Key string
				Optional  bool
			} `yaml:"secretKeyRef"`
		} `yaml:"valueFrom"`
	}
	Ports []struct {
		Name string
		Port int `yaml:"containerPort"`
	}
	StartupProbe   *probe `yaml:"startupProbe"`
	LivenessProbe  *probe `yaml:"livenessProbe"`
	ReadinessProbe *probe `yaml:"readinessProbe"`
	Resources      resources
	Security       struct {
		Escalation   *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnly     bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities struct{ Drop []string }
	} `yaml:"securityContext"`
	Mounts []struct {
		Name string
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type probe struct {
	HTTPGet struct {
		Path, Port  string
		HTTPHeaders []struct{ Name, Value string } `yaml:"httpHeaders"`
	} `yaml:"httpGet"`
	Period           int `yaml:"periodSeconds"`
	Timeout          int `yaml:"timeoutSeconds"`
	FailureThreshold int `yaml:"failureThreshold"`
}

// manifests holds all objects that are applied, by name.
type manifests struct {
	configMaps  map[string]configMap
	claims      map[string]claim
	services    map[string]serviceObject
	policies    map[string]networkPolicy
	budgets     map[string]budget
	scalers     map[string]scaler
	deployments map[string]deployment
}

// kubernetes reads the objects that deployments/kubernetes applies, without kustomize.
func kubernetes(t *testing.T) manifests {
	t.Helper()
	m := newManifests()
	for _, name := range applied(t, "kubernetes") {
		for text := range documents(file(t, name)) {
			m.add(t, name, text)
		}
	}
	return m
}

func newManifests() manifests {
	return manifests{
		map[string]configMap{},
		map[string]claim{},
		map[string]serviceObject{},
		map[string]networkPolicy{},
		map[string]budget{},
		map[string]scaler{},
		map[string]deployment{},
	}
}

// documents yields the YAML documents of a file.
func documents(text string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n---\n")
}

func (m manifests) add(t *testing.T, name, text string) {
	t.Helper()
	h := kindOf(t, name, text)
	switch h.APIVersion + " " + h.Kind {
	case "v1 ConfigMap":
		put(t, m.configMaps, h, strict[configMap](t, name, text))
	case "v1 PersistentVolumeClaim":
		put(t, m.claims, h, strict[claim](t, name, text))
	case "v1 Service":
		put(t, m.services, h, strict[serviceObject](t, name, text))
	case "networking.k8s.io/v1 NetworkPolicy":
		put(t, m.policies, h, strict[networkPolicy](t, name, text))
	case "policy/v1 PodDisruptionBudget":
		put(t, m.budgets, h, strict[budget](t, name, text))
	case "autoscaling/v2 HorizontalPodAutoscaler":
		put(t, m.scalers, h, strict[scaler](t, name, text))
	case "apps/v1 Deployment":
		put(t, m.deployments, h, strict[deployment](t, name, text))
	default:
		t.Errorf("%s: a %s %s, which this test does not know", name, h.APIVersion, h.Kind)
	}
}

func put[T any](t *testing.T, into map[string]T, h Header, object T) {
	t.Helper()
	if _, twice := into[h.Metadata.Name]; twice || h.Metadata.Name == "" {
		t.Errorf("%s %q: without a name, or twice", h.Kind, h.Metadata.Name)
	}
	into[h.Metadata.Name] = object
}

// within reports whether have contains all labels of want. Without labels it returns false.
func within(want, have map[string]string) bool {
	both := maps.Clone(have)
	maps.Copy(both, want)
	return len(want) > 0 && maps.Equal(both, have)
}
