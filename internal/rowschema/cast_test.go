package rowschema

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// casts is a row with a column for each kind of rule.
type casts struct {
	Plain  decimal.Decimal `row:"plain"`
	US     decimal.Decimal `row:"us" locale:"en" unit:"$|USD|%"`
	German decimal.Decimal `row:"german" locale:"de" unit:"€"`
	French float64         `row:"french" locale:"fr"`
	Swiss  decimal.Decimal `row:"swiss" locale:"de-CH"`
	Count  int32           `row:"count"`
	Small  int8            `row:"small" locale:"ru"`
	Text   string          `row:"text"`
	Day    time.Time       `row:"day"`
	USDay  time.Time       `row:"usday" format:"2006-01-02|1/2/2006"`
	Clock  time.Time       `row:"clock" format:"15:04"`
	Flag   bool            `row:"flag"`
	Ja     *bool           `row:"ja" yes:"ja|jawohl" no:"nein"`
}

// cast reads one cell. It returns the value as text or, if the cell is refused, its code and text.
func cast(column, text string) string {
	s := Of[casts]()
	f := s.find(column)
	var args casts
	v := reflect.ValueOf(&args).Elem().FieldByIndex(f.index)
	if fault := f.parse(v, text); fault != nil {
		return fault.Code + " " + fault.Args.Map()["#"]
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if d, ok := v.Interface().(time.Time); ok {
		return d.Format("2006-01-02T15:04:05")
	}
	return fmt.Sprint(v.Interface())
}

// TestCasts: a cell is read by the rule of the column, or refused with a reason. It is never
// guessed, and never zero if it was not understood.
func TestCasts(t *testing.T) {
	t.Parallel()
	tests := []struct{ column, text, want string }{
		{"plain", "12.50", "12.5"},
		{"plain", " 007 ", "7"},
		{"plain", "\u00a05\u202f", "5"},
		{"plain", "-0", "0"},
		{"plain", "−5", "-5"},
		{"plain", ".5", "0.5"},
		{"plain", "1,234", "INVALID_NUMBER number.comma"},
		{"plain", "1 234", "INVALID_NUMBER number"},
		{"plain", "95%", "INVALID_NUMBER number.mark"},
		{"plain", "$4.00 ", "INVALID_NUMBER number.mark"},
		{"plain", "(5)", "INVALID_NUMBER number.brackets"},
		{"plain", "3E+3", "INVALID_NUMBER number.exponent"},
		{"plain", "NaN", "INVALID_NUMBER number"},
		{"plain", "INF", "INVALID_NUMBER number"},
		{"plain", "--5", "INVALID_NUMBER number"},
		{"plain", "-", "INVALID_NUMBER number"},
		{"plain", ".", "INVALID_NUMBER number"},
		{"plain", "0x10", "INVALID_NUMBER number"},
		{"plain", "1_000", "INVALID_NUMBER number"},
		{"plain", "٣", "INVALID_NUMBER number"},
		{"plain", strings.Repeat("9", 101), "INVALID_NUMBER number.long"},
		{"us", "1,234.56", "1234.56"},
		{"us", "1,234", "1234"},
		{"us", "$-1,234.5", "-1234.5"},
		{"us", "-$ 1,234,567", "-1234567"},
		{"us", "95%", "0.95"},
		{"us", "-1,234.5 %", "-12.345"},
		{"us", "5%", "0.05"},
		{"us", "%", "INVALID_NUMBER number.mark"},
		{"us", "4.00 USD", "4"},
		{"us", "1.234,56", "INVALID_NUMBER number.like"},
		{"us", "12,34", "INVALID_NUMBER number.like"},
		{"us", "1,,234", "INVALID_NUMBER number.like"},
		{"us", ",234", "INVALID_NUMBER number.like"},
		{"us", "1234,567", "INVALID_NUMBER number.like"},
		{"us", "$", "INVALID_NUMBER number.mark"},
		{"german", "1.234,56 €", "1234.56"},
		{"german", "1.234", "1234"},
		{"german", "1.23", "INVALID_NUMBER number.like"},
		{"german", "1,234.56", "INVALID_NUMBER number.like"},
		{"french", "1 234,5", "1234.5"},
		{"french", "1\u202f234,5", "1234.5"},
		{"french", "1\u00a0234", "1234"},
		{"swiss", "1'234.5", "1234.5"},
		{"swiss", "1’234.5", "1234.5"},
		{"count", "3.0", "3"},
		{"count", "3.5", "INVALID_NUMBER integer"},
		{"count", "2147483648", "INVALID_NUMBER integer"},
		{"small", "128", "INVALID_NUMBER integer"},
		{"small", "-128,0", "-128"},
		{"text", "007", "007"},
		{"text", "1.23E+16", "LOST_DIGITS digits.lost"},
		{"text", "1,23E+16", "LOST_DIGITS digits.lost"},
		{"text", "1E+05", "LOST_DIGITS digits.lost"},
		{"text", "E+16", "E+16"},
		{"text", "1E5", "1E5"},
		{"text", "A1.23E+16", "A1.23E+16"},
		{"day", "2026-03-31", "2026-03-31T00:00:00"},
		{"day", "2026-03-31T10:20:30", "2026-03-31T10:20:30"},
		{"day", "31/02/2026", "INVALID_DATE date"},
		{"day", "2026-02-31", "INVALID_DATE date"},
		{"day", "0001-01-01", "INVALID_DATE date.year"},
		{"day", "9999-12-31", "INVALID_DATE date.year"},
		{"day", "46112", "INVALID_DATE date"},
		{"usday", "3/31/2026", "2026-03-31T00:00:00"},
		{"usday", "31/3/2026", "INVALID_DATE date"},
		{"usday", "2/31/2026", "INVALID_DATE date"},
		{"clock", "09:30", "0000-01-01T09:30:00"},
		{"flag", "TRUE", "true"},
		{"flag", "Да", "true"},
		{"flag", "là", "INVALID_VALUE boolean"},
		{"flag", "co\u0301", "true"},
		{"flag", "否", "false"},
		{"flag", "не", "INVALID_VALUE boolean"},
		{"flag", "2", "INVALID_VALUE boolean"},
		{"ja", "Jawohl", "true"},
		{"ja", "nein", "false"},
		{"flag", "ja", "INVALID_VALUE boolean"},
	}
	for _, tt := range tests {
		t.Run(tt.column+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			if got := cast(tt.column, tt.text); got != tt.want {
				t.Errorf("%s of %q is %s, want %s", tt.column, tt.text, got, tt.want)
			}
		})
	}
}

// TestPlainNumbersKeepTheirValue: a number of a workbook or of JSON keeps its value in a column with any
// locale.
func TestPlainNumbersKeepTheirValue(t *testing.T) {
	t.Parallel()
	s := Of[casts]()
	rapid.Check(t, func(t *rapid.T) {
		d := decimal.New(rapid.Int64().Draw(t, "digits"), -rapid.Int32Range(0, 12).Draw(t, "decimals"))
		for _, column := range []string{"plain", "us", "german", "swiss"} {
			f := s.find(column)
			var args casts
			v := reflect.ValueOf(&args).Elem().FieldByIndex(f.index)
			text := f.Local(d.String())
			if fault := f.parse(v, text); fault != nil {
				t.Fatalf("%s: %q was refused: %v", column, text, fault)
			}
			if got := v.Interface().(decimal.Decimal); !got.Equal(d) {
				t.Fatalf("%s: %q is %s, want %s", column, text, got, d)
			}
			if again := f.Local(v.Interface().(decimal.Decimal).String()); again != text {
				t.Fatalf("%s: %q is written again as %q", column, text, again)
			}
		}
	})
}

// FuzzNumber: a number, unless it is a percentage, consists of the digits of the text in their order; or the text
// is refused.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"1,234.56", "1.234,56", "95%", "$4.00 ", "(5)", "3E+3", "-0", "NaN", "1'2", "−1"} {
		f.Add(seed)
	}
	s := Of[casts]()
	f.Fuzz(func(t *testing.T, text string) {
		for _, column := range []string{"plain", "us", "german", "swiss"} {
			rule := s.find(column).cell.number
			plain, no := rule.read(strings.TrimSpace(text))
			if no != nil {
				continue
			}
			if _, err := decimal.NewFromString(plain); err != nil {
				t.Fatalf("%s: %q is %q, which is no number", column, text, plain)
			}
			if onlyDigits(plain) != onlyDigits(text) && !strings.Contains(text, "%") {
				t.Fatalf("%s: %q is %q: other digits", column, text, plain)
			}
			if again, no := rule.read(rule.local(plain)); no != nil || again != plain {
				t.Fatalf("%s: %q is %q, then %q %v", column, text, plain, again, no)
			}
		}
	})
}

func onlyDigits(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, s)
}

// FuzzDate: a date that was read is written and read again as the same date.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2026-03-31", "3/31/2026", "31/02/2026", "0001-01-01", "2026-03-31T10:20:30+02:00"} {
		f.Add(seed)
	}
	s := Of[casts]()
	f.Fuzz(func(t *testing.T, text string) {
		field := s.find("usday")
		var a, b casts
		if field.parse(reflect.ValueOf(&a.USDay).Elem(), text) != nil || a.USDay.IsZero() {
			return
		}
		if y := a.USDay.Year(); y < firstYear || y > lastYear {
			t.Fatalf("%q is of the year %d", text, y)
		}
		again := cellText(reflect.ValueOf(a.USDay))
		if no := field.parse(reflect.ValueOf(&b.USDay).Elem(), again); no != nil || !a.USDay.Equal(b.USDay) {
			t.Fatalf("%q is %v, then %v %v", text, a.USDay, b.USDay, no)
		}
	})
}

// TestTagsThatCannotBeMeant: a wrong tag panics at the start.
func TestTagsThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(){
		"no locale": func() {
			Of[struct {
				A float64 `row:"A" locale:"nonsense!"`
			}]()
		},
		"other groups": func() {
			Of[struct {
				A float64 `row:"A" locale:"hi"`
			}]()
		},
		"a locale of text": func() {
			Of[struct {
				A string `row:"A" locale:"de"`
			}]()
		},
		"two orders": func() {
			Of[struct {
				A time.Time `row:"A" format:"1/2/2006|2/1/2006"`
			}]()
		},
		"against ISO": func() {
			Of[struct {
				A time.Time `row:"A" format:"2006-02-01"`
			}]()
		},
		"yes and no": func() {
			Of[struct {
				A bool `row:"A" yes:"x" no:"X"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}
