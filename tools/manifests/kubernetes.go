package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// kinds returns an empty object of each Kubernetes kind that the deployments use.
func kinds() map[string]any {
	return map[string]any{
		"v1 ConfigMap":                           &core.ConfigMap{},
		"v1 PersistentVolumeClaim":               &core.PersistentVolumeClaim{},
		"v1 Service":                             &core.Service{},
		"apps/v1 Deployment":                     &apps.Deployment{},
		"policy/v1 PodDisruptionBudget":          &policy.PodDisruptionBudget{},
		"autoscaling/v2 HorizontalPodAutoscaler": &autoscaling.HorizontalPodAutoscaler{},
		"networking.k8s.io/v1 NetworkPolicy":     &networking.NetworkPolicy{},
	}
}

// kubernetes decodes each Kubernetes object in the input, and prints its Kubernetes kind and name.
// An unknown Kubernetes kind, an unknown or repeated field, or a value of a wrong type is an error.
func kubernetes(in io.Reader) error {
	var faults []error
	for r := yaml.NewYAMLReader(bufio.NewReader(in)); ; {
		text, err := r.Read()
		if errors.Is(err, io.EOF) {
			return errors.Join(faults...)
		} else if err != nil {
			return err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			faults = append(faults, object(text))
		}
	}
}

// object decodes one Kubernetes object, and prints its Kubernetes kind and name.
func object(text []byte) error {
	var head meta.PartialObjectMetadata
	if err := strict.Unmarshal(text, &head); err != nil {
		return err
	}
	kind := head.APIVersion + " " + head.Kind
	into, ok := kinds()[kind]
	if !ok {
		return fmt.Errorf("%s %s: the kind is unknown here", kind, head.Name)
	}
	if err := strict.UnmarshalStrict(text, into); err != nil {
		return fmt.Errorf("%s %s: %w", kind, head.Name, err)
	}
	fmt.Println(kind, head.Name)
	return nil
}
