package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/strictjson"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// These constants bound the options of an import.
const (
	MaxRetention = 3650 // days
	MaxHeaderRow = 1 << 20

	maxLabels    = 50
	maxLabelName = 100 // characters
)

// Options holds the options of a request.
type Options struct {
	importers.Options
	Labels   map[string]string `json:"labels"`
	Priority int               `json:"priority"`
	Days     *int              `json:"retention_days"`
	Dedup    string            `json:"dedup"`
	ParentID string            `json:"parent_id"`

	After        []string `json:"after"`         // ids of tasks that must end before rows of the new task run
	AfterOutcome string   `json:"after_outcome"` // of these tasks: any or success

	CallbackURL string `json:"callback_url"` // address that is notified when the task is done

	MaxFailures *int64 `json:"max_failures"` // one more failure cancels the task

	RunAt string `json:"run_at"` // no row runs before this time (RFC 3339); empty or past: at once
}

// keep returns how long the task is kept once it is done: the option Days or, if nil, the argument `usual`.
func (o *Options) keep(usual time.Duration) time.Duration {
	if o.Days == nil {
		return usual
	}
	return time.Duration(*o.Days) * 24 * time.Hour
}

// ParseOptions reads the options of a request for a kind from JSON, and checks them. Blank text means no
// options.
func ParseOptions(text string, kind jobs.Kind) (o Options, err error) {
	if strings.TrimSpace(text) == "" {
		return o, nil
	}
	if err := strictjson.Check(text); err != nil {
		return o, badOption("", "options "+err.Error())
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		return o, misread(err)
	}
	return o, o.Check(kind)
}

// shown returns the options to show with the task: all options for reading rows, and dedup. It includes
// retention_days and max_failures if they are set. Other fields of the task hold the remaining options.
func (o *Options) shown() (map[string]any, error) {
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

// CheckNoRows returns an error if an option is set that applies only to rows sent with the request.
func (o *Options) CheckNoRows() error {
	for name, value := range map[string]string{
		"dedup": o.Dedup, "key_column": o.KeyColumn, "run_at_column": o.RunAtColumn, "duplicates": o.Duplicates,
		"on_invalid": o.OnInvalid, "mode": o.Mode,
	} {
		if value != "" {
			return badOption(name, name+" is for rows that come with the task.")
		}
	}
	return nil
}

// misread returns the error of options that cannot be decoded: an unknown option, a wrong type, or
// no JSON object.
func misread(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		name := strings.TrimPrefix(kind.Field, "Options.") // an embedded field
		return badOption(name, fmt.Sprintf("The option %s cannot be a %s.", name, kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return badOption(strings.Trim(name, `"`), fmt.Sprintf("There is no option %.100s.", name))
	}
	return badOption("", "options must be a JSON object.")
}

// Check returns an error for an invalid option. It does not compare the options with the columns of a file:
// Request.CheckColumns does.
func (o *Options) Check(kind jobs.Kind) error {
	switch {
	case o.HeaderRow < 0 || o.HeaderRow > MaxHeaderRow:
		return badOption("header_row", fmt.Sprintf(
			"header_row is the row of the headings, from 1 to %d.", MaxHeaderRow))
	case o.Priority < -tasks.MaxPriority || o.Priority > tasks.MaxPriority:
		return badOption("priority", fmt.Sprintf(
			"priority is a number from %d to %d.", -tasks.MaxPriority, tasks.MaxPriority))
	case o.Days != nil && (*o.Days < 1 || *o.Days > MaxRetention):
		return badOption("retention_days", fmt.Sprintf(
			"retention_days is a number of days from 1 to %d.", MaxRetention))
	case !slices.Contains([]string{"", dedupNone, dedupReuse, dedupReject}, o.Dedup):
		return badOption("dedup", "dedup is none, reuse or reject.")
	case o.MaxFailures != nil && (*o.MaxFailures < 0 || *o.MaxFailures > MaxHeaderRow):
		return badOption("max_failures", fmt.Sprintf(
			"max_failures is how many rows may fail, from 0 to %d.", MaxHeaderRow))
	case !o.validRunAt():
		return badOption("run_at", fmt.Sprintf(
			"run_at is a time such as 2026-03-04T20:00:00+01:00, not after the year %d.", maxRunYear))
	case len(o.Labels) > maxLabels:
		return badOption("labels", fmt.Sprintf("There can be at most %d labels.", maxLabels))
	}
	if err := o.checkAfter(); err != nil {
		return err
	}
	var bad *importers.BadOption
	if errors.As(o.Options.Check(), &bad) {
		return badOption(bad.Name, bad.Detail)
	}
	for name, value := range o.Labels {
		if name == "" || utf8.RuneCountInString(name) > maxLabelName || !textutil.IsLine(value) || !textutil.IsLine(name) {
			return badOption("labels", fmt.Sprintf("A label is a name of up to %d characters "+
				"and a text of up to %d, both in one line.", maxLabelName, textutil.MaxLine))
		}
	}
	for _, heading := range slices.Sorted(maps.Keys(o.Mapping)) {
		if name := o.Mapping[heading]; name != "" && fieldOf(kind, name) == "" {
			return badOption("mapping", fmt.Sprintf("mapping: %s has no column %.100q.", kind.Name, name))
		}
	}
	return nil
}
