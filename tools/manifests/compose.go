package main

import (
	"context"
	"fmt"

	"github.com/compose-spec/compose-go/v2/cli"
)

// compose loads a compose file like the compose command, and prints its services. Variables come
// from the environment of the process.
func compose(name string) error {
	options, err := cli.NewProjectOptions([]string{name}, cli.WithOsEnv)
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	for _, service := range project.ServiceNames() {
		fmt.Println("service", service)
	}
	return nil
}
