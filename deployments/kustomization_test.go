package deployments_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

type kustomization struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Resources  []string
	Patches    []struct{ Path string }
	Images     []struct {
		Name    string
		NewName string `yaml:"newName"`
		NewTag  string `yaml:"newTag"`
	}
}

// kustomizations returns the folders for kubectl apply -k.
func kustomizations(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if path.Base(name) == "kustomization.yaml" {
			dirs = append(dirs, path.Dir(filepath.ToSlash(name)))
		}
		return err
	})
	if err != nil || len(dirs) < 2 {
		t.Fatal(dirs, err)
	}
	return dirs
}

func kustomizationOf(t *testing.T, dir string) kustomization {
	t.Helper()
	name := path.Join(dir, "kustomization.yaml")
	return strict[kustomization](t, name, file(t, name))
}

// applied returns the files with the resources of a folder and of the folders that it lists. Like
// kustomize, it rejects a folder that contains itself.
func applied(t *testing.T, dir string, reading ...string) []string {
	t.Helper()
	reading = append(slices.Clone(reading), dir)
	var files []string
	for _, r := range kustomizationOf(t, dir).Resources {
		name := path.Join(dir, r)
		info, err := os.Stat(name)
		switch {
		case err != nil:
			t.Errorf("%s: %v", dir, err)
		case !info.IsDir():
			files = append(files, name)
		case slices.ContainsFunc(reading, func(d string) bool { return strings.HasPrefix(d+"/", name+"/") }):
			t.Fatalf("%s: %s is a cycle: kustomize rejects a parent", dir, r)
		default:
			files = append(files, applied(t, name, reading...)...)
		}
	}
	return files
}

func kindOf(t *testing.T, name, text string) Header {
	t.Helper()
	var h Header
	if err := yaml.Unmarshal([]byte(text), &h); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return h
}

func TestKustomization_EveryFolder_IsNoCycleAndLacksNothing(t *testing.T) {
	t.Parallel()
	for _, dir := range kustomizations(t) {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			objects := map[string]bool{}
			for _, name := range applied(t, dir) {
				for text := range documents(file(t, name)) {
					h := kindOf(t, name, text)
					objects[h.Kind+"/"+h.Metadata.Name] = true
				}
			}
			if len(objects) == 0 {
				t.Error("it applies nothing")
			}
			for _, p := range kustomizationOf(t, dir).Patches {
				h := kindOf(t, p.Path, file(t, path.Join(dir, p.Path)))
				if target := h.Kind + "/" + h.Metadata.Name; !objects[target] {
					t.Errorf("%s patches %s, which is not applied", p.Path, target)
				}
			}
		})
	}
}

func TestKustomization_EveryManifest_IsApplied(t *testing.T) {
	t.Parallel()
	for _, dir := range kustomizations(t) {
		k := kustomizationOf(t, dir)
		named := append([]string{"kustomization.yaml"}, k.Resources...)
		for _, p := range k.Patches {
			named = append(named, p.Path)
		}
		files, err := filepath.Glob(dir + "/*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			isObject := kindOf(t, f, file(t, f)).Kind != ""
			if isObject && !slices.Contains(named, filepath.Base(f)) {
				t.Errorf("%s is there, and not applied", f)
			}
		}
	}
}
