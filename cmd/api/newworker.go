package main

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/scaffold"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// newWorker is the command that writes the first version of a worker.
type newWorker struct {
	Kind string `arg:"" help:"Name of the kind, such as invoices.book."`
	File string `arg:"" help:"CSV file or workbook with the headings of the rows, as users will upload it."`
	Key  string `help:"Heading of the ordering key; default: the first column whose values differ."`
	Dir  string `help:"Folder of the package of workers." default:"cmd/worker/workers"`
}

// Run writes the files of the worker, and prints the call to add to the registry.
func (n newWorker) Run(d settings.Terminal) error {
	w, err := scaffold.Write(scaffold.Request{Kind: n.Kind, File: n.File, Key: n.Key, Dir: n.Dir})
	if err != nil {
		return err
	}
	for _, name := range w.Files {
		fmt.Fprintln(d.Stdout, name)
	}
	_, err = fmt.Fprintf(d.Stderr, "Next: add %s() to the registry of kinds, and run go test in %s.\n", w.Func, n.Dir)
	return err
}
