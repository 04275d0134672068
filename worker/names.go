package worker

import (
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Title sets the name of the kind that people read, such as "Products". Messages translates it
// under the key "title". Default: the name of the kind.
func Title(text string) Option {
	return Messages(words.Default, map[string]string{jobs.TitleText: text})
}

// Help sets one sentence about what the kind does with a row. Messages translates it under the key
// "help". Default: none.
func Help(text string) Option { return Messages(words.Default, map[string]string{jobs.HelpText: text}) }

// Known sets the values that a column usually has. Pages offer them and suggest the nearest one for
// a failed value; a row may have another value. Columns with the rule oneof need no Known. Define
// panics if the kind has no such column.
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
