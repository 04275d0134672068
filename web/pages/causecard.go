package pages

import (
	"slices"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

// causeCard holds an error group of a task, called a cause on pages. If the user can correct these rows,
// the card has their wrong texts with suggested replacements.
type causeCard struct {
	view.Group
	Label   string // heading of the column in the file
	Grid    string // address of the rows of the cause
	Pairs   []pair
	Offered []string // values to choose from
	Choice  bool     // only the offered values are accepted
	Like    string   // an example of a value
	More    int64    // texts beyond Pairs
	Each    bool     // each row needs its own text
	Exact   bool     // the counts of Pairs cover all rows
	Fixes   int64    // open rows that a shown replacement changes
	Stay    int64    // rows of Fixes that do not run after the fix: they are part of Others or Overtaken
	Others  int64    // rows of Pairs with a fault in another column
	ID      string   // HTML id of the heading of the card

	// Overtaken is the number of other rows of Pairs that do not run after a fix, or of rows in error that do not run
	// again: a newer row of their key has finished.
	Overtaken int64
	Again     int64 // rows in error that run again if a user runs them
}

// pair is a wrong text with its suggested replacement.
type pair struct {
	Text  string
	Count int64
	Stay  int64  // rows of Count that do not run after a fix
	With  string // suggested replacement; "" for none
	Why   review.Reason
	At    *string // time of the earlier correction if Why is review.Before
	Typed bool    // With is not a suggestion: the user has typed it in a form that was rejected
	Wrong string  // why With was rejected; "" if it was not
	First bool    // the first pair of its card whose Wrong is not ""
	ID    string
}

// maxWhole is a length in bytes. The ledger never truncates wrong texts up to this length, so such a
// text is the whole cell.
const maxWhole = 190

// fill adds the invalid texts of an error group to its card. It adds none if each row needs a text of its
// own, or if the kind lacks the column. It leaves out texts that are truncated or that a page cannot show
// unchanged, and counts them in More.
func (card *causeCard) fill(v view.Localizer, t *tasks.Task, values []events.Value, made []decisions.MadeFix) {
	f := fieldOf(v.Kind, textutil.Deref(card.Column))
	if f == nil || f.Sensitive || card.Code == events.CodeDuplicateKey {
		card.Each = f != nil
		return
	}
	card.Offered, card.Choice, card.Like = f.Offered(), f.Enum != nil, f.Example
	var own []events.Value
	for _, value := range values {
		if value.Code == card.Code && value.Col == f.Name {
			if f.Version {
				value.Overtaken = 0 // the rows have no version before the fix
			}
			own = append(own, value)
		}
	}
	if len(own) == 0 {
		return
	}
	card.More, card.Exact = own[0].Texts-int64(len(own)), own[0].Seen == card.Open
	if card.Code == rowschema.CodeRequired && len(card.Offered) == 0 || f.Key {
		card.Each = true
		return
	}
	for i, value := range own {
		if len(value.Text) > maxWhole || render.Shown(value.Text) != value.Text {
			card.More++
			continue
		}
		s := review.Suggest(v.Kind, t, value.Col, value.Text, made)
		card.Pairs = append(card.Pairs, newPair(card.ID+"-"+strconv.Itoa(i), value, s))
		card.Others, card.Overtaken = card.Others+value.Others, card.Overtaken+value.Overtaken
	}
	card.count()
}

// count sums the rows of the texts with a replacement.
func (card *causeCard) count() {
	card.Fixes, card.Stay = 0, 0
	for _, one := range card.Pairs {
		if one.With != "" {
			card.Fixes, card.Stay = card.Fixes+one.Count, card.Stay+one.Stay
		}
	}
}

// newPair returns a wrong text with its suggestion. The argument `s` is nil if there is none.
func newPair(id string, value events.Value, s *review.Suggestion) pair {
	out := pair{Text: value.Text, Count: value.Count, Stay: value.Others + value.Overtaken, ID: id}
	if s != nil {
		out.With, out.Why, out.At = s.With, s.Why, textutil.Instant(s.At)
	}
	return out
}

// keep replaces the suggestions with the texts that the user has typed.
func (card *causeCard) keep(from, to []string) {
	for i := range card.Pairs {
		one := &card.Pairs[i]
		if j := slices.Index(from, one.Text); j >= 0 && j < len(to) && to[j] != one.With {
			one.With, one.Typed = to[j], true
		}
	}
	card.count()
}

// noteRejected adds the reasons why replacements were rejected. The argument `wrong` holds the faults by
// replaced text.
func (card *causeCard) noteRejected(in locale.Printer, wrong map[string]events.Field) {
	first := true
	for i := range card.Pairs {
		one := &card.Pairs[i]
		if fault, ok := wrong[one.Text]; ok {
			one.Wrong, one.First = in.Sentences(fault.Message, fault.Hint), first
			first = false
		}
	}
}

// Runs returns the number of open rows that run after the shown replacements.
func (card causeCard) Runs() int64 { return card.Fixes - card.Stay }

// Keep returns the number of open rows of the cause that no shown replacement changes.
func (card causeCard) Keep() int64 { return card.Open - card.Fixes }

// Apart reports whether the user may leave out the rows of single texts. This is so if there are at
// least two texts, and the counts cover all rows.
func (card causeCard) Apart() bool { return card.Exact && int64(len(card.Pairs))+card.More > 1 }

// Choices returns the values that a list offers for a wrong text. The suggested value is selected. If
// the field Offered lacks the suggested value, Choices adds it at the front.
func (card causeCard) Choices(p pair) []render.Choice {
	out := []render.Choice{}
	if p.With != "" && !slices.Contains(card.Offered, p.With) {
		out = append(out, render.Choice{Value: p.With, Words: p.With, Chosen: true})
	}
	for _, v := range card.Offered {
		out = append(out, render.Choice{Value: v, Words: v, Chosen: v == p.With})
	}
	return out
}
