package boot

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

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
