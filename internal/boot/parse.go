package boot

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

// environment reports every invalid variable, since kong itself stops at the first.
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

// readable returns the reason why text is invalid for a flag.
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
