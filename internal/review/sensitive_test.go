package review

import (
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// patient is a row with a sensitive column.
type patient struct {
	Name  string `row:"Name"`
	Phone string `row:"Phone" sensitive:"true"`
}

// TestBulletsThatComeBackChangeNothing: a user who repairs a row sends the masked text that was
// shown. The stored text stays.
func TestBulletsThatComeBackChangeNothing(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("patients.import", func(context.Context, *worker.Job[patient]) error { return nil }))
	j := NewValidator(kind, &tasks.Task{}, nil, false)
	row := &events.Event{Status: events.Failed, Params: `{"Name":"Ann","Phone":"+14155550177"}`}
	for sent, want := range map[string]string{"••••0177": "+14155550177", "+14155550178": "+14155550178"} {
		name := "Anne"
		r, err := j.one(row, Cells{"Name": &name, "Phone": &sent})
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(r.cells, "Phone"); got != want || textOf(r.cells, "Name") != name {
			t.Errorf("%q sent back: the row is %v, want %s", sent, r.cells, want)
		}
	}
}

// TestValidate_MaskOfAnotherValue_IsRefused: a caller may send the mask of an earlier value.
func TestValidate_MaskOfAnotherValue_IsRefused(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("patients.import", func(context.Context, *worker.Job[patient]) error { return nil }))
	for params, refused := range map[string]bool{
		`{"Name":"Ann","Phone":"+14155550178"}`: true, `{"Name":"Ann"}`: true, `{"Name":"Ann","Phone":"+14155550177"}`: false,
	} {
		for _, column := range []string{"Phone", "phone"} {
			row := &events.Event{Status: events.Failed, Params: params}
			r, err := NewValidator(kind, &tasks.Task{}, nil, false).one(row, Cells{column: text("••••0177")})
			if err != nil || (r.Refused != nil) != refused || len(r.after) != 0 {
				t.Errorf("%s, %s: %+v, %v, %v", params, column, r.Refused, r.after, err)
			}
		}
	}
}
