package main

import (
	"fmt"
	"io"
	"strings"
)

const head = `Third-party notices

The programs api and worker contain the software that is listed here; below the list are its
licences and notices. "make notices" writes this file.

`

// write prints the list of parts, and then each text once. It ignores write errors, which the
// caller gets from Flush.
func write(w io.Writer, parts []part) {
	fmt.Fprint(w, head)
	for _, p := range parts {
		fmt.Fprintf(w, "%s %s: %s\n", p.name, p.version, strings.Join(p.licences, ", "))
	}
	printed := map[string]bool{}
	for _, p := range parts {
		for _, text := range p.texts {
			if !printed[text] {
				printed[text] = true
				fmt.Fprintf(w, "\n%s\n%s\n\n%s", strings.Repeat("=", 80), owners(text, parts), text)
			}
		}
	}
}

// owners returns the names of the parts that contain a text, one per line.
func owners(text string, parts []part) string {
	var names []string
	for _, p := range parts {
		for _, t := range p.texts {
			if t == text {
				names = append(names, p.name)
			}
		}
	}
	return strings.Join(names, "\n")
}
