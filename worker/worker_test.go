package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

type product struct {
	SKU   string          `row:"SKU" alias:"code,货号" key:"true" validate:"required,max=4"`
	Price decimal.Decimal `row:"Price" validate:"required,gt=0" code:"PRICE_NOT_POSITIVE"`
	Stock *int64          `row:"Stock" validate:"omitempty,gte=0"`
	Start time.Time       `row:"Start" format:"1/2/2006"`
	Live  bool            `row:"Live"`
	Memo  string
}

func noop[T any](context.Context, *worker.Job[T]) error { return nil }

func TestCheck(t *testing.T) {
	t.Parallel()
	kind := worker.Define("products.import", noop[product]).Kind()
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
			_, faults := kind.Check(func(f *worker.Field) string { return tt.row[f.Name] })
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
	schema := worker.Define("products.import", noop[product]).Kind().Schema
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

func TestJudge(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopping")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	boom := errors.New("boom")
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want worker.VerdictKind
		code string
	}{
		{"nil finishes", t.Context(), nil, worker.Finish, ""},
		{"Fail fails", t.Context(), worker.Fail("X", "no"), worker.Failed, "X"},
		{"a wrapped Fail fails", t.Context(), fmt.Errorf("in: %w", worker.Fail("X", "no")), worker.Failed, "X"},
		{"a domain's own error fails", t.Context(), fmt.Errorf("in: %w", domainError{}), worker.Failed, "LOCKED"},
		{"anything else is retried", t.Context(), boom, worker.Retry, ""},
		{"NoRetry is dead", t.Context(), worker.NoRetry(boom), worker.Dead, ""},
		{"Snooze comes later", t.Context(), worker.Snooze(time.Minute), worker.Later, ""},
		{"a complaint while stopping is an interruption", ctx, boom, worker.Interrupted, ""},
		{"a business failure while stopping stands", ctx, worker.Fail("X", "no"), worker.Failed, "X"},
		{"a success while stopping stands", ctx, nil, worker.Finish, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := worker.Judge(tt.ctx, tt.err, stop)
			if v.Kind != tt.want || tt.code != "" && v.Failure.Code != tt.code {
				t.Errorf("Judge = %+v, want %s %s", v, tt.want, tt.code)
			}
		})
	}
	if !errors.Is(worker.RetryAfter(1, boom), boom) {
		t.Error("RetryAfter hides its cause")
	}
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	in := worker.Envelope{
		Event: events.NewID(7, 42), TaskID: "t", Tenant: "acme", Row: 43, Attempt: 2,
		Params: []byte(`{"SKU":"a"}`),
	}
	out, err := worker.Unpack(in.Pack())
	if diff := cmp.Diff(in, out); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, broken := range []string{"", "zz", "zzzzzzzzzzzzzzzz{}", "0000000000000001{", "0000000000000001\x02\x01\x05task"} {
		if _, err := worker.Unpack([]byte(broken)); err == nil {
			t.Errorf("Unpack(%q) did not complain", broken)
		}
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
	if v := worker.Judge(t.Context(), none, nil); v.Kind != worker.Finish {
		t.Errorf("a nil *Failure is %v, want finish", v.Kind)
	}
	for _, err := range []error{worker.NoRetry(nil), worker.RetryAfter(1, nil)} {
		if v := worker.Judge(t.Context(), err, nil); v.Err == nil {
			t.Errorf("%v carries no error", v.Kind)
		}
	}
}

func TestTypedKeysAreOne(t *testing.T) {
	t.Parallel()
	kind := worker.Define("a", noop[struct {
		No int64 `row:"No" key:"true"`
	}]).Kind()
	for _, text := range []string{"7", " 07", "+7", "7.0"} {
		if key, _ := kind.Check(func(*worker.Field) string { return text }); key != "7" {
			t.Errorf("key of %q is %q, want 7", text, key)
		}
	}
}

func ExampleDefine() {
	imports := worker.Define("products.import",
		func(_ context.Context, job *worker.Job[product]) error {
			if job.Args.SKU == "a9" {
				return worker.Fail("BRAND_UNKNOWN", "brand of %s does not exist", job.Args.SKU).
					Column("Brand").Hint("see the brand list")
			}
			return nil
		}, worker.Shards(24), worker.MaxRetries(5))

	price := decimal.RequireFromString("12.50")
	fmt.Println(imports.Call(context.Background(), product{SKU: "a1", Price: price}))
	fmt.Println(imports.Call(context.Background(), product{SKU: "a9", Price: price}))
	fmt.Println(imports.Call(context.Background(), product{SKU: "a1"}))
	// Output:
	// <nil>
	// BRAND_UNKNOWN: brand of a9 does not exist
	// PRICE_NOT_POSITIVE: Price must be above zero
}
