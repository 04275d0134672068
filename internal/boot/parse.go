package boot

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// environment returns the errors of all environment variables whose values are invalid. The library kong
// would report only the first.
func environment(app *kong.Application, lookup func(string) (string, bool)) error {
	var errs []error
	for _, group := range app.AllFlags(false) {
		for _, flag := range group {
			for _, name := range flag.Envs {
				if text, ok := lookup(name); ok {
					errs = append(errs, checkValue(flag, name, text))
				}
			}
		}
	}
	return errors.Join(errs...)
}

// checkValue returns an error if `text`, the value of the environment variable `name`, is invalid for a flag.
func checkValue(flag *kong.Flag, name, text string) error {
	into := reflect.New(flag.Target.Type()).Elem()
	if err := flag.Parse(kong.ScanAsType(kong.FlagValueToken, text), into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if flag.Enum != "" && !flag.EnumMap()[text] {
		return fmt.Errorf("%s must be one of %s, not %q", name, flag.Enum, text)
	}
	return nil
}

// ownSettings lists the settings that only the programs in cmd have, not an embedded service.
var ownSettings = []string{"LISTEN", "METRICS_LISTEN", "DRAIN", "LOG_LEVEL", "LOG_FORMAT"}

// Settings returns the configuration with the given values. The keys of `values` are the names of
// environment variables, such as "RATE_LIMIT". Other settings have their defaults, because Settings does
// not read the environment. The error names all unknown settings, all values that cannot be parsed, and all
// values that are not allowed. Config.Check checks the values further.
func Settings(values map[string]string) (settings.Config, error) {
	var cfg settings.Config
	parser, err := kong.New(&cfg, kong.Name("rollcall"), kong.Vars{"listen": "LISTEN"})
	if err != nil {
		return cfg, err
	}
	known := map[string]bool{}
	lookup := func(name string) (string, bool) {
		known[name] = true
		text, ok := values[name]
		return text, ok
	}
	errs := []error{environment(parser.Model, lookup)}
	var flags []string
	for _, group := range parser.Model.AllFlags(false) {
		for _, flag := range group {
			for _, name := range flag.Envs {
				if text, ok := values[name]; ok {
					flags = append(flags, "--"+flag.Name+"="+text)
				}
			}
			flag.Envs, flag.Tag.Envs = nil, nil
		}
	}
	for name := range values {
		if !known[name] || slices.Contains(ownSettings, name) {
			errs = append(errs, fmt.Errorf("%s is not a setting of a service inside another program", name))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return cfg, err
	}
	slices.SortFunc(flags, strings.Compare)
	_, err = parser.Parse(flags)
	return cfg, err
}
