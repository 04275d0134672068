// Command contract compares the interfaces that other programs use in two trees of the project:
//
//	contract OLD NEW
//
// The program reads the OpenAPI document, the settings, the metrics, the body of webhooks and the keys in
// Redis. It prints each fact of OLD that NEW lacks, and each input that only NEW requires. It exits
// with code 1 if it has found a difference, and with code 2 if it could not compare. The script
// scripts/contract.sh compares with the last tag. It runs this command and, for the Go API, apidiff.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// source is a file that describes an interface of Rollcall. The function `facts` returns the facts that
// the file states.
type source struct {
	name  string
	facts func(text []byte) ([]string, error)
}

// sources lists the files that describe the interfaces. Tests of the project check that each file
// matches the programs.
var sources = []source{
	{"web/openapi.yaml", openapi},
	{"docs/run/settings.md", rowFacts("| `", 3)},
	{"docs/run/metrics.md", rowFacts("| `rollcall_", 2)},
	{"internal/notify/testdata/payload.txt", lineFacts},
	{"queue/testdata/layout.txt", lineFacts},
	{"docs/how/queue.md", rowFacts("| `", 2)},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: contract OLD NEW")
		os.Exit(2)
	}
	broken, err := compare(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		os.Exit(2)
	}
	for _, line := range broken {
		fmt.Println(line)
	}
	if len(broken) > 0 {
		os.Exit(1)
	}
}

// compare returns the incompatible differences between two trees.
func compare(before, after string) (broken []string, err error) {
	for _, s := range sources {
		old, err := os.ReadFile(filepath.Join(before, s.name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it became part of the contract later
		} else if err != nil {
			return nil, err
		}
		current, err := os.ReadFile(filepath.Join(after, s.name))
		if err != nil {
			return nil, err
		}
		oldFacts, err := s.facts(old)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.name, before, err)
		}
		newFacts, err := s.facts(current)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", s.name, after, err)
		}
		broken = append(broken, differences(s.name, oldFacts, newFacts)...)
	}
	return broken, nil
}
