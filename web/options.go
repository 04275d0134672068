package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

// Bounds of the options of an import.
const (
	maxRetention = 3650 // days
	maxHeaderRow = 1 << 20
	maxLabels    = 50
	maxLabelName = 100 // characters
)

// importOptions is the field options.
type importOptions struct {
	importers.Options
	Labels   map[string]string `json:"labels"`
	Priority int               `json:"priority"`
	Days     *int              `json:"retention_days"`
	Dedup    string            `json:"dedup"`
	ParentID string            `json:"parent_id"`

	CallbackURL string `json:"callback_url"` // where the end of the task is told

	MaxFailures *int64 `json:"max_failures"` // one more, and the task is canceled
}

// keep is how long the task is kept once it is done.
func (o *importOptions) keep(usual time.Duration) time.Duration {
	if o.Days == nil {
		return usual
	}
	return time.Duration(*o.Days) * 24 * time.Hour
}

// parseOptions reads the field options for a kind; blank means none.
func parseOptions(text string, kind worker.Kind) (o importOptions, err error) {
	if strings.TrimSpace(text) == "" {
		return o, nil
	}
	if err := strictObject(text); err != nil {
		return o, problem.BadOption("", "options "+err.Error())
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		return o, misread(err)
	}
	return o, o.check(kind)
}

// told is the options as the task tells them: those that were given, and those
// about rows in any case. What a task tells elsewhere is left out.
func (o *importOptions) told() (map[string]any, error) {
	b, err := json.Marshal(o.Options.WithDefaults())
	if err != nil {
		return nil, err
	}
	out := map[string]any{"dedup": cmp.Or(o.Dedup, dedupNone)}
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, err
	}
	if o.Days != nil {
		out["retention_days"] = *o.Days
	}
	if o.MaxFailures != nil {
		out["max_failures"] = *o.MaxFailures
	}
	return out, nil
}

// checkKey refuses options about keys that the rows do not have.
func (u *upload) checkKey(columns []tasks.Column) error {
	o := u.options.Options
	switch {
	case o.HasKey(u.kind, columns):
		return nil
	case o.KeyColumn != "":
		return problem.BadOption("key_column", fmt.Sprintf(
			"key_column: there is no heading and no field %.100q that can be the key.", o.KeyColumn))
	case o.Duplicates != "" && o.Duplicates != importers.KeepAll:
		return problem.BadOption("duplicates", fmt.Sprintf(
			"duplicates: rows of %s have no key. Say in key_column which column is it.", u.kind.Name))
	}
	return nil
}

// rowsOnly refuses options that are about rows which come with the request.
func (o *importOptions) rowsOnly(why string) error {
	for name, value := range map[string]string{
		"dedup": o.Dedup, "key_column": o.KeyColumn, "duplicates": o.Duplicates,
		"on_invalid": o.OnInvalid, "mode": o.Mode,
	} {
		if value != "" {
			return problem.BadOption(name, name+" "+why)
		}
	}
	return nil
}

// misread tells an option that has the wrong form.
func misread(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		name := strings.TrimPrefix(kind.Field, "Options.") // which is embedded
		return problem.BadOption(name, fmt.Sprintf("The option %s cannot be a %s.", name, kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return problem.BadOption(strings.Trim(name, `"`), fmt.Sprintf("There is no option %.100s.", name))
	}
	return problem.BadOption("", "options must be a JSON object.")
}

// check finds values that no import can have.
func (o *importOptions) check(kind worker.Kind) error {
	switch {
	case o.HeaderRow < 0 || o.HeaderRow > maxHeaderRow:
		return problem.BadOption("header_row", fmt.Sprintf(
			"header_row is the row of the headings, from 1 to %d.", maxHeaderRow))
	case o.Priority < -tasks.MaxPriority || o.Priority > tasks.MaxPriority:
		return problem.BadOption("priority", fmt.Sprintf(
			"priority is a number from %d to %d.", -tasks.MaxPriority, tasks.MaxPriority))
	case o.Days != nil && (*o.Days < 1 || *o.Days > maxRetention):
		return problem.BadOption("retention_days", fmt.Sprintf(
			"retention_days is a number of days from 1 to %d.", maxRetention))
	case !slices.Contains([]string{"", dedupNone, dedupReuse, dedupReject}, o.Dedup):
		return problem.BadOption("dedup", "dedup is none, reuse or reject.")
	case o.MaxFailures != nil && (*o.MaxFailures < 0 || *o.MaxFailures > maxHeaderRow):
		return problem.BadOption("max_failures", fmt.Sprintf(
			"max_failures is how many rows may fail, from 0 to %d.", maxHeaderRow))
	case len(o.Labels) > maxLabels:
		return problem.BadOption("labels", fmt.Sprintf("There can be at most %d labels.", maxLabels))
	}
	var bad *importers.BadOption
	if errors.As(o.Options.Check(), &bad) {
		return problem.BadOption(bad.Name, bad.Detail)
	}
	for name, value := range o.Labels {
		if name == "" || utf8.RuneCountInString(name) > maxLabelName || !line(value) || !line(name) {
			return problem.BadOption("labels", fmt.Sprintf("A label is a name of up to %d characters "+
				"and a text of up to %d, both in one line.", maxLabelName, maxName))
		}
	}
	for _, heading := range slices.Sorted(maps.Keys(o.Mapping)) {
		if name := o.Mapping[heading]; name != "" && fieldOf(kind, name) == "" {
			return problem.BadOption("mapping", fmt.Sprintf("mapping: %s has no column %.100q.", kind.Name, name))
		}
	}
	return nil
}

// line tells whether a text is one line that can be stored and shown.
func line(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxName &&
		!strings.ContainsFunc(s, control)
}

// maxDepth bounds objects in objects.
const maxDepth = 5

// notStrict is what strictObject finds, to be put behind what the text is.
type notStrict string

func (e notStrict) Error() string { return string(e) }

// strictObject checks what encoding/json lets pass: that the text is a single
// object in which nothing stands twice. The case of its own keys
// does not count.
func strictObject(text string) error {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !utf8.ValidString(text) {
		return notStrict("must be a JSON object.")
	}
	if err := strictValue(dec, 0); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return notStrict("must be one JSON object, with nothing behind it.")
	}
	return nil
}

func strictValue(dec *json.Decoder, depth int) error {
	tok, err := dec.Token()
	if err != nil {
		return notStrict("is not well-formed JSON.")
	}
	open, nested := tok.(json.Delim)
	if !nested {
		return nil
	}
	if depth == maxDepth {
		return notStrict("is nested too deeply.")
	}
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			if err := strictKey(dec, seen, depth == 0); err != nil {
				return err
			}
		}
		if err := strictValue(dec, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return notStrict("is not well-formed JSON.")
	}
	return nil
}

func strictKey(dec *json.Decoder, seen map[string]bool, fold bool) error {
	tok, err := dec.Token()
	if err != nil {
		return notStrict("is not well-formed JSON.")
	}
	name, _ := tok.(string) // nothing else is a key
	if fold {
		name = strings.ToLower(name)
	}
	if seen[name] {
		return notStrict(fmt.Sprintf("is not clear: %.100q stands twice.", name))
	}
	seen[name] = true
	return nil
}
