package manage_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
)

func TestParseLimits_NumbersOfKnownLimits_AreRead(t *testing.T) {
	t.Parallel()
	got, err := manage.ParseLimits([]byte(`{"slots":3,"bytes":null,"weight":2}`))
	if want := (tasks.Limits{Slots: 3, Weight: 2}); err != nil || got != want {
		t.Errorf("read as %+v, %v, want %+v", got, err, want)
	}
}

func TestParseLimits_WrongNameOrNumber_IsRejected(t *testing.T) {
	t.Parallel()
	for text, pointer := range map[string]string{
		`{"slots":3,"speed":1}`: "/speed", `{"speed":null}`: "/speed", `{"a/b":1}`: "/a~1b",
		`{"slots":-1}`: "/slots", `{"weight":1001}`: "/weight", `{"rate":1.5}`: "/rate",
		`{"rows":"x"}`: "", `[]`: "",
	} {
		got, err := manage.ParseLimits([]byte(text))
		prob := problem.OfClient(err)
		if prob == nil || prob.Code != "INVALID_LIMITS" || got != (tasks.Limits{}) {
			t.Errorf("%s: %+v, %v", text, got, err)
			continue
		}
		if len(prob.Errors) > 0 && prob.Errors[0].Pointer != pointer || len(prob.Errors) == 0 && pointer != "" {
			t.Errorf("%s: the problem is at %+v, want %q", text, prob.Errors, pointer)
		}
	}
}
