package worker

import (
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Title sets the English title. Messages translates it, as "title".
func Title(text string) Option {
	return Messages(words.Default, map[string]string{jobs.TitleText: text})
}

// Help describes the kind to users. Messages translates it, as "help".
func Help(text string) Option { return Messages(words.Default, map[string]string{jobs.HelpText: text}) }

// Known sets usual values of a column for pages. Other values are allowed.
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
		panic(fmt.Sprintf("worker: Known names the column %q, which the kind lacks", column))
	}
}
