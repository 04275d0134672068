// Command notices writes the licences of all code in the programs: Go modules, the standard library,
// SQLite, and the JavaScript library uPlot.
//
//	go run ./notices linux/amd64 darwin/arm64 > ../THIRD_PARTY_NOTICES
//
// Run the command in the folder tools. It reads the module cache. The output first lists each module or library
// with its version and the SPDX names of its licences, which package licensecheck detects. Each licence text
// follows once, below the names of the modules and libraries that contain it. The command fails if package
// licensecheck finds no licence for a module or library.
package main

import (
	"bufio"
	"fmt"
	"os"
)

// root is the folder of the project.
const root = ".."

func main() {
	parts, err := collect(os.Args[1:])
	if err == nil {
		out := bufio.NewWriter(os.Stdout)
		write(out, parts)
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// collect returns all parts of the programs for the platforms. Parts other than modules come first.
func collect(platforms []string) ([]part, error) {
	modules, err := shipped(platforms)
	if err != nil {
		return nil, err
	}
	golang, err := standardLibrary()
	if err != nil {
		return nil, err
	}
	chart, err := uplot()
	if err != nil {
		return nil, err
	}
	parts := append([]part{golang, sqlite, chart}, modules...)
	for i := range parts {
		if err := parts[i].classify(); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
