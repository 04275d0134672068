package housetest

import "testing"

// maxPackageFiles and maxPackageLines are the limits of a package, without its tests.
const (
	maxPackageFiles = 30
	maxPackageLines = 4000
)

// onePackage has no limits, because package queue could be published alone, without changes.
const onePackage = "queue"

func TestPackages_Size_IsBounded(t *testing.T) {
	t.Parallel()
	files, lines := map[string]int{}, map[string]int{}
	for _, src := range sources(t) {
		if !src.test {
			files[src.folder]++
			lines[src.folder] += src.lines
		}
	}
	for folder := range files {
		if folder != onePackage && (files[folder] > maxPackageFiles || lines[folder] > maxPackageLines) {
			t.Errorf("%s has %d files and %d lines, want at most %d and %d: which part of it is an idea of its own?",
				folder, files[folder], lines[folder], maxPackageFiles, maxPackageLines)
		}
	}
}
