package housetest

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// permissive lists the licences, by their SPDX names, that require no more than a notice.
var permissive = []string{
	"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "MIT-0", "Unlicense", "blessing",
}

// noticeLine matches a line of the list in THIRD_PARTY_NOTICES: name, version, licences.
var noticeLine = regexp.MustCompile(`(?m)^(\S+) (v\S+|\(.+\)): (.+)$`)

// TestNotices_ListWhatIsLinked: each module in a released program has an entry with its version,
// and there are no other entries.
func TestNotices_ListWhatIsLinked(t *testing.T) {
	t.Parallel()
	listed := []string{}
	for _, entry := range notices(t) {
		listed = append(listed, entry[1]+" "+entry[2])
	}
	want := []string{"Go (standard library)", "SQLite (in github.com/ncruces/go-sqlite3-wasm/v2)"}
	want = append(want, chart(t))
	want = append(want, linkedModules(t)...)
	for _, name := range want {
		if !slices.Contains(listed, name) {
			t.Errorf("THIRD_PARTY_NOTICES lacks %s: run make notices", name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(want, name) {
			t.Errorf("THIRD_PARTY_NOTICES has %s, which is not shipped: run make notices", name)
		}
	}
}

// TestNotices_LicencesArePermissive: users may redistribute the programs freely.
func TestNotices_LicencesArePermissive(t *testing.T) {
	t.Parallel()
	for _, entry := range notices(t) {
		for licence := range strings.SplitSeq(entry[3], ", ") {
			if !slices.Contains(permissive, licence) {
				t.Errorf("%s %s has the licence %s, which is not permissive", entry[1], entry[2], licence)
			}
		}
	}
}

// notices returns the entries: the line, name, version and licences of each.
func notices(t *testing.T) [][]string {
	t.Helper()
	list, _, _ := strings.Cut(text(t, "THIRD_PARTY_NOTICES"), "\n====")
	return noticeLine.FindAllStringSubmatch(list, -1)
}

// chart returns the library for charts in web/render/static, with its version.
func chart(t *testing.T) string {
	t.Helper()
	version := regexp.MustCompile(`uPlot \((v[0-9.]+)\)`).FindStringSubmatch(text(t, "web/render/static/uplot.js"))
	return "uPlot " + version[1]
}

// linkedModules returns paths and versions of the modules that are linked into the programs on the
// platforms of a release.
func linkedModules(t *testing.T) (all []string) {
	t.Helper()
	for _, file := range []string{"go.mod", "go.sum"} {
		text(t, file) // an input of the test, which the go command does not see otherwise
	}
	platforms := regexp.MustCompile(`(?m)^PLATFORMS = (.+)$`).FindStringSubmatch(text(t, "Makefile"))
	for platform := range strings.FieldsSeq(platforms[1]) {
		system, processor, _ := strings.Cut(platform, "/")
		cmd := exec.CommandContext(t.Context(), "go", "list", "-tags=nomsgpack", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "./cmd/api", "./cmd/worker")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// text reads a file of the project.
func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
