package worker

import (
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Title sets the name of the kind; "title" of Messages translates it.
func Title(text string) Option {
	return Messages(words.Default, map[string]string{jobs.TitleText: text})
}

// Help sets one sentence about the kind; "help" of Messages translates it.
func Help(text string) Option { return Messages(words.Default, map[string]string{jobs.HelpText: text}) }

// Known sets the usual values of a column. Pages offer them, and suggest the nearest one for a
// failed value. Other values are allowed.
func Known(column string, values ...string) Option {
	return func(k *spec) {
		if k.Schema != nil {
			for i := range k.Schema.Fields {
				if f := &k.Schema.Fields[i]; f.Name == column {
					f.Known = slices.Clone(values)
					return
				}
			}
		}
		panic(fmt.Sprintf("worker: the kind with known values of %q has no such column", column))
	}
}
