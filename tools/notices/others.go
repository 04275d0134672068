package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// sqlite is SQLite, which github.com/ncruces/go-sqlite3-wasm translates to Go. SQLite requires no notice.
// The text is the header of its source files.
var sqlite = part{name: "SQLite", version: "(in github.com/ncruces/go-sqlite3-wasm/v2)", texts: []string{
	`The author disclaims copyright to this source code.  In place of
a legal notice, here is a blessing:

   May you do good and not evil.
   May you find forgiveness for yourself and forgive others.
   May you share freely, never taking more than you give.
`,
}}

// standardLibrary returns the standard library of Go, which each program contains. Its version
// depends on the toolchain that links the program.
func standardLibrary() (part, error) {
	dir, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return part{}, fmt.Errorf("go env GOROOT: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "LICENSE"))
	return part{name: "Go", version: "(standard library)", texts: []string{string(text)}}, err
}

// banner matches the first line of uplot.js.
var banner = regexp.MustCompile(`uPlot \((v[0-9.]+)\)`)

// uplot returns the library for charts in web/render/static.
func uplot() (part, error) {
	code, err := os.ReadFile(filepath.Join(root, "web/render/static/uplot.js"))
	if err != nil {
		return part{}, err
	}
	version := banner.FindSubmatch(code)
	if version == nil {
		return part{}, fmt.Errorf("uplot.js: its first line names no version")
	}
	text, err := os.ReadFile(filepath.Join(root, "web/render/static/uplot-license.txt"))
	return part{name: "uPlot", version: string(version[1]), texts: []string{string(text)}}, err
}
