package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// linked is a package that is linked into a program, as in the output of go list.
type linked struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// shipped returns the modules that are linked into the programs on the given platforms, sorted by path.
// Each module has the licences and notices from the folders of its linked packages and from their parent
// folders.
func shipped(platforms []string) ([]part, error) {
	found := map[string]*part{}
	for _, platform := range platforms {
		packages, err := list(platform)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if err := p.addTo(found); err != nil {
				return nil, err
			}
		}
	}
	parts := make([]part, 0, len(found))
	for _, p := range found {
		parts = append(parts, *p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

// addTo adds the licences and notices of a package to its module. It skips packages of the standard library
// and of this project.
func (l linked) addTo(found map[string]*part) error {
	if l.Module == nil || l.Module.Main {
		return nil
	}
	p := found[l.Module.Path]
	if p == nil {
		p = &part{name: l.Module.Path, version: l.Module.Version}
		found[l.Module.Path] = p
	}
	return p.addFolders(l.Dir, l.Module.Dir)
}

// list returns the packages that are linked into the programs on a platform.
func list(platform string) (all []linked, err error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return nil, fmt.Errorf("platform %q: want one like linux/amd64", platform)
	}
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", "./cmd/api", "./cmd/worker")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", platform, err)
	}
	for in := json.NewDecoder(strings.NewReader(string(text))); ; {
		var l linked
		if err := in.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}
