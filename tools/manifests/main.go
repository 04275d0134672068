// Command manifests validates files of deployments against the types of the programs that read them.
//
//	manifests compose FILE      a compose file, by compose-go: schema, references, variables
//	manifests kubernetes <FILE  Kubernetes objects, decoded strictly into the types of k8s.io/api
//
// The program prints a line for each object or service. It exits with code 1 if any of them is invalid. The
// command has its own module, because its libraries are large and no program of Rollcall needs
// them.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "compose":
		return compose(args[1])
	case len(args) == 1 && args[0] == "kubernetes":
		return kubernetes(os.Stdin)
	}
	return errors.New("usage: manifests compose FILE | manifests kubernetes <FILE")
}
