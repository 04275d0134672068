package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/worker"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("products.import", noop[product]))
	tests := []struct {
		name  string
		row   map[string]string
		codes string
	}{
		{"a good row", map[string]string{"SKU": "a", "Price": "1.50"}, ""},
		{"every cell good", map[string]string{
			"SKU": "a", "Price": "+1", "Stock": "3.0", "Start": "3/31/2026", "Live": "Yes",
		}, ""},
		{"a date from a workbook", map[string]string{
			"SKU": "a", "Price": "1", "Start": "2026-03-31T00:00:00",
		}, ""},
		{"blanks", map[string]string{"SKU": "  "}, "SKU:REQUIRED Price:REQUIRED"},
		{"too long counts characters", map[string]string{"SKU": "äöüß", "Price": "1"}, ""},
		{"too long", map[string]string{"SKU": "abcde", "Price": "1"}, "SKU:TOO_LONG"},
		{"the field's own code", map[string]string{"SKU": "a", "Price": "-3"}, "Price:PRICE_NOT_POSITIVE"},
		{"zero is not positive", map[string]string{"SKU": "a", "Price": "0.00"}, "Price:PRICE_NOT_POSITIVE"},
		{"no number", map[string]string{"SKU": "a", "Price": "abc"}, "Price:INVALID_NUMBER"},
		{"group separators are not guessed", map[string]string{"SKU": "a", "Price": "1,234"}, "Price:INVALID_NUMBER"},
		{"NaN", map[string]string{"SKU": "a", "Price": "NaN"}, "Price:INVALID_NUMBER"},
		{"huge exponent", map[string]string{"SKU": "a", "Price": "1e999999999"}, "Price:INVALID_NUMBER"},
		{"negative stock", map[string]string{"SKU": "a", "Price": "1", "Stock": "-1"}, "Stock:INVALID_NUMBER"},
		{"broken stock", map[string]string{"SKU": "a", "Price": "1", "Stock": "1.5"}, "Stock:INVALID_NUMBER"},
		{"no date", map[string]string{"SKU": "a", "Price": "1", "Start": "31/02/2026"}, "Start:INVALID_DATE"},
		{
			"several faults",
			map[string]string{"SKU": "abcde", "Price": "x", "Live": "?"},
			"SKU:TOO_LONG Price:INVALID_NUMBER Live:INVALID_VALUE",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := kind.Check(func(f *rowschema.Field) string { return tt.row[f.Name] })
			var codes []string
			for _, f := range faults {
				codes = append(codes, f.Column+":"+f.Code)
				if !strings.HasPrefix(f.Message, f.Column) {
					t.Errorf("message %q does not name its column", f.Message)
				}
			}
			if got := strings.Join(codes, " "); got != tt.codes {
				t.Errorf("faults = %q, want %q", got, tt.codes)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	schema := jobs.KindOf(worker.Define("products.import", noop[product])).Schema
	m := schema.Match([]string{" s-k_u", "Colour", "PRICE ", "price"}, nil)
	var got []string
	for _, f := range m.Fields {
		if f == nil {
			got = append(got, "-")
		} else {
			got = append(got, f.Name)
		}
	}
	if diff := cmp.Diff([]string{"SKU", "-", "Price", "-"}, got); diff != "" {
		t.Error(diff)
	}
	if len(m.Twice) != 1 || m.Twice[0].Second != 3 || m.Twice[0].Field.Name != "Price" {
		t.Errorf("twice = %+v, want the second Price", m.Twice)
	}
	m = schema.Match([]string{"货号", "Colour"}, map[string]string{"Colour": "Price"})
	if len(m.Missing) != 0 || m.Fields[1].Name != "Price" {
		t.Errorf("mapping was not followed: %+v", m)
	}
	if m := schema.Match([]string{"Live"}, nil); len(m.Missing) != 2 {
		t.Errorf("missing = %v, want SKU and Price", m.Missing)
	}
}

type domainError struct{}

func (domainError) Error() string        { return "LOCKED: the account is locked" }
func (domainError) BusinessCode() string { return "LOCKED" }

func TestClassifyError(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopping")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	boom := errors.New("boom")
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want jobs.OutcomeKind
		code string
	}{
		{"nil finishes", t.Context(), nil, jobs.Finish, ""},
		{"Fail fails", t.Context(), worker.Fail("X", "no"), jobs.Failed, "X"},
		{"a wrapped Fail fails", t.Context(), fmt.Errorf("in: %w", worker.Fail("X", "no")), jobs.Failed, "X"},
		{"a domain's own error fails", t.Context(), fmt.Errorf("in: %w", domainError{}), jobs.Failed, "LOCKED"},
		{"anything else is retried", t.Context(), boom, jobs.Retry, ""},
		{"NoRetry is dead", t.Context(), worker.NoRetry(boom), jobs.Dead, ""},
		{"Snooze comes later", t.Context(), worker.Snooze(time.Minute), jobs.Later, ""},
		{"a complaint while stopping is an interruption", ctx, boom, jobs.Interrupted, ""},
		{"a business failure while stopping stands", ctx, worker.Fail("X", "no"), jobs.Failed, "X"},
		{"a success while stopping stands", ctx, nil, jobs.Finish, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := jobs.ClassifyError(tt.ctx, tt.err, stop)
			if v.Kind != tt.want || tt.code != "" && v.Failure.Code != tt.code {
				t.Errorf("ClassifyError = %+v, want %s %s", v, tt.want, tt.code)
			}
		})
	}
	if !errors.Is(worker.RetryAfter(1, boom), boom) {
		t.Error("RetryAfter hides its cause")
	}
}

func TestDefinePanicsEarly(t *testing.T) {
	t.Parallel()
	tests := map[string]func(){
		"no name":    func() { worker.Define("Not A Name", noop[product]) },
		"no handler": func() { worker.Define[product]("a", nil) },
		"twice":      func() { d := worker.Define("a", noop[product]); worker.NewRegistry(d, d) },
		"type": func() {
			worker.Define("a", noop[struct {
				A []int `row:"A"`
			}])
		},
		"rule": func() {
			worker.Define("a", noop[struct {
				A string `row:"A" validate:"nosuch"`
			}])
		},
		"unexported": func() {
			worker.Define("a", noop[struct {
				a string `row:"A"`
			}])
		},
		"no shards": func() { worker.Define("a", noop[product], worker.Shards(0)) },

		"no room":        func() { worker.Define("a", noop[product], worker.AtOnce(0)) },
		"no span":        func() { worker.Define("a", noop[product], worker.Rate(1, 0)) },
		"no column":      func() { worker.Define("a", noop[product], worker.AtOnce(1, "Customer")) },
		"two of a limit": func() { worker.Define("a", noop[product], worker.AtOnce(1), worker.AtOnce(2)) },
		"two of a column": func() {
			worker.Define("a", noop[product], worker.AtOnce(2, worker.ByTenant, "SKU"), worker.AtOnce(1, "SKU"))
		},
		"one heading": func() {
			worker.Define("a", noop[struct {
				A string `row:"A"`
				B string `row:"B" alias:"a"`
			}])
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestNilAndMissingErrors(t *testing.T) {
	t.Parallel()
	var none *worker.Failure
	if v := jobs.ClassifyError(t.Context(), none, nil); v.Kind != jobs.Finish {
		t.Errorf("a nil *Failure is %v, want finish", v.Kind)
	}
	for _, err := range []error{worker.NoRetry(nil), worker.RetryAfter(1, nil)} {
		if v := jobs.ClassifyError(t.Context(), err, nil); v.Err == nil {
			t.Errorf("%v carries no error", v.Kind)
		}
	}
}

func TestTypedKeysAreOne(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("a", noop[struct {
		No int64 `row:"No" key:"true"`
	}]))
	for _, text := range []string{"7", " 07", "+7", "7.0"} {
		if key, _ := kind.Check(func(*rowschema.Field) string { return text }); key != "7" {
			t.Errorf("key of %q is %q, want 7", text, key)
		}
	}
}

func TestTypedKey_TextsOfZero_AreOneKey(t *testing.T) {
	t.Parallel()
	kinds := []jobs.Kind{
		jobs.KindOf(worker.Define("int", noop[struct {
			No int64 `row:"No" key:"true"`
		}])),
		jobs.KindOf(worker.Define("float", noop[struct {
			No float64 `row:"No" key:"true"`
		}])),
		jobs.KindOf(worker.Define("bool", noop[struct {
			On bool `row:"On" key:"true"`
		}])),
	}
	for i, cases := range []map[string]string{
		{"0": "0", " 00": "0", "0.0": "0", "-0": "0", "zero": "zero"},
		{"0": "0", "0.00": "0", "-0": "0", "-0.0": "0"},
		{"no": "false", "false": "false", "0": "false", "perhaps": "perhaps"},
	} {
		for text, want := range cases {
			if key, _ := kinds[i].Check(func(*rowschema.Field) string { return text }); key != want {
				t.Errorf("%s: key of %q is %q, want %q", kinds[i].Name, text, key, want)
			}
		}
	}
}
