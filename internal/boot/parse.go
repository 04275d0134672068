package boot

import (
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/alecthomas/kong"
)

// Parse reads flags and environment into c, a struct with kong's tags, or tells all
// that is wrong with them and exits. It tells what was asked for, in kong's words.
func Parse(c any, name, description string) (asked string) {
	p := kong.Must(c, kong.Name(name), kong.Description(description))
	if err := environment(p.Model, os.LookupEnv); err != nil {
		p.FatalIfErrorf(err)
	}
	parsed, err := p.Parse(os.Args[1:])
	p.FatalIfErrorf(err)
	return parsed.Command()
}

// environment tells every variable that cannot be what it has to be: kong itself ends
// with the first.
func environment(app *kong.Application, lookup func(string) (string, bool)) error {
	var errs []error
	for _, group := range app.AllFlags(false) {
		for _, flag := range group {
			for _, name := range flag.Envs {
				if text, ok := lookup(name); ok {
					errs = append(errs, readable(flag, name, text))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// readable tells why a flag cannot be text.
func readable(flag *kong.Flag, name, text string) error {
	into := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Parse(kong.ScanAsType(kong.FlagValueToken, text), into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if flag.Enum != "" && !flag.EnumMap()[text] {
		return fmt.Errorf("%s must be one of %s, not %q", name, flag.Enum, text)
	}
	return nil
}
