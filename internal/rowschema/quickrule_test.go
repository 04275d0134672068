package rowschema

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

type boundedRow struct {
	Text    string          `row:"Text" validate:"min=2,max=5"`
	Short   string          `row:"Short" validate:"gt=0,lt=3"`
	Int     int             `row:"Int" validate:"gte=-3,lte=010"`
	Small   *int8           `row:"Small" validate:"omitempty,gt=0"`
	Amount  decimal.Decimal `row:"Amount" validate:"gt=0"`
	Credit  decimal.Decimal `row:"Credit" validate:"max=0"`
	Rate    decimal.Decimal `row:"Rate" validate:"gt=0,lte=1"` // has a rule that is not quick
	Either  string          `row:"Either" validate:"max=2|email"`
	Ratio   float64         `row:"Ratio" validate:"gt=0"`
	Without string          `row:"Without"`
}

// TestQuickRules_AnyValue_AgreeWithTheValidator tests values at and around the limits.
func TestQuickRules_AnyValue_AgreeWithTheValidator(t *testing.T) {
	t.Parallel()
	var row boundedRow
	s, seen := Of[boundedRow](), map[bool]int{}
	for _, value := range []any{
		"", "a", "жж", "ab", "abc", "abcd", "жжжжж", "abcdef", "\xff\xfe", strings.Repeat("😀", 5), "a@b.cd",
		math.MinInt, -4, -3, 0, 7, 8, 9, 10, 11, math.MaxInt, int8(-1), int8(0), int8(1),
		decimal.New(0, 0), decimal.New(1, -99), decimal.New(-1, -99), decimal.New(1, 99), decimal.New(10, -1), decimal.New(11, -1),
		-0.5, 0.0, 0.5,
	} {
		for i := range s.Fields {
			f := &s.Fields[i]
			v := reflect.ValueOf(&row).Elem().FieldByIndex(f.index)
			if v.Kind() == reflect.Pointer {
				v.Set(reflect.New(v.Type().Elem()))
			}
			into := reflect.Indirect(v)
			if into.Type() != reflect.TypeOf(value) {
				continue
			}
			into.Set(reflect.ValueOf(value))
			quick, valid := f.passesQuickRules(v), f.rules == "" || rules.Var(v.Interface(), f.rules) == nil
			if quick && !valid || f.quick != nil && quick != valid {
				t.Errorf("%s %q of %v: quick %v, validator %v", f.Name, f.rules, value, quick, valid)
			}
			seen[quick]++
		}
	}
	if seen[true] < 15 || seen[false] < 15 {
		t.Errorf("values by what the quick rules report: %v", seen)
	}
}

func TestQuickRules_OfAField_AreThereForBoundsOnly(t *testing.T) {
	t.Parallel()
	for _, f := range Of[boundedRow]().Fields {
		want := strings.Contains(" Text Short Int Small Amount Credit ", " "+f.Name+" ")
		if got := f.quick != nil; got != want {
			t.Errorf("%s %q: quick %v, want %v", f.Name, f.rules, got, want)
		}
	}
}

func TestParseParams_Texts_AsEncodingJSONReadsThem(t *testing.T) {
	t.Parallel()
	type row struct {
		A string `row:"A"`
		B string `row:"B b"`
	}
	s := Of[row]()
	decode := func(params string, args *row) error { _, err := s.ParseParams(args, []byte(params)); return err }
	for params, want := range map[string]row{
		`{}`: {}, `{"A":"1","B b":"2","C":"3"}`: {"1", "2"}, ` {"B b" : "a\"b\u0416"} `: {B: `a"bЖ`}, `{"A":"1","A":"2"}`: {A: "2"},
		`{"A":null}`: {}, `null`: {}, "{\"A\":\"\xff\"}": {A: "\uFFFD"},
	} {
		var got row
		if err := decode(params, &got); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", params, got, err, want)
		}
	}
	for _, params := range []string{``, `[]`, `{"A":1}`, `{"A":"1"`, `{"A":"1"}x`} {
		if err := decode(params, &row{}); err == nil {
			t.Errorf("%s: no error", params)
		}
	}
}
