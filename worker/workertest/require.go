package workertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// RequireFinished ends the test as failed unless the job has finished.
func (o *Outcome) RequireFinished() {
	o.t.Helper()
	if o.Kind != Finished {
		o.t.Fatalf("the job did not finish: %s", o)
	}
}

// RequireFailed ends the test as failed unless the job ended as a business failure with the code.
// Each given column must be at fault with this code.
func (o *Outcome) RequireFailed(code string, columns ...string) {
	o.t.Helper()
	if o.Kind != Failed {
		o.t.Fatalf("the job did not fail with %s: %s", code, o)
	}
	f := o.Failure
	faults := append([]events.Field{{Code: f.Code, Column: f.Column}}, f.Fields...)
	has := func(column string, any bool) bool {
		return slices.ContainsFunc(faults, func(x events.Field) bool {
			return x.Code == code && (any || x.Column == column)
		})
	}
	if !has("", true) {
		o.t.Fatalf("the job did not fail with %s: %s", code, o)
	}
	for _, column := range columns {
		if !has(column, false) {
			o.t.Fatalf("the job did not fail with %s in the column %s: %s", code, column, o)
		}
	}
}

// RequireError ends the test as failed unless the job ended in a system fault, retried or not,
// whose error contains every given text.
func (o *Outcome) RequireError(texts ...string) {
	o.t.Helper()
	if o.Kind != Retried && o.Kind != Dead {
		o.t.Fatalf("the job did not end in a system fault: %s", o)
	}
	for _, text := range texts {
		if !strings.Contains(o.Err.Error(), text) {
			o.t.Fatalf("the system fault does not contain %q: %s", text, o)
		}
	}
}

// RequireSnoozed ends the test as failed unless the job was snoozed: it runs again later without
// using an attempt.
func (o *Outcome) RequireSnoozed() {
	o.t.Helper()
	if o.Kind != Snoozed {
		o.t.Fatalf("the job was not snoozed: %s", o)
	}
}

// String returns the outcome as a text for the message of a test.
func (o *Outcome) String() string {
	switch {
	case o.Failure != nil:
		text := fmt.Sprintf("failed, %s in %q: %s", o.Failure.Code, o.Failure.Column, o.Failure.Message)
		for _, f := range o.Failure.Fields {
			text += fmt.Sprintf("; %s in %q: %s", f.Code, f.Column, f.Message)
		}
		return text
	case o.Err != nil:
		return fmt.Sprintf("%s, %v\n%s", o.Kind, o.Err, o.Stack)
	case o.Delay > 0:
		return fmt.Sprintf("%s for %v", o.Kind, o.Delay)
	default:
		return string(o.Kind)
	}
}
