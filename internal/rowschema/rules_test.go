package rowschema

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// ruled is a row with every rule that users meet.
type ruled struct {
	Req    string    `row:"Req" validate:"required"`
	Max    string    `row:"Max" validate:"max=3"`
	Min    string    `row:"Min" validate:"min=3"`
	Len    string    `row:"Len" validate:"len=3"`
	One    string    `row:"One" validate:"oneof=a b"`
	Email  string    `row:"Email" validate:"email"`
	URL    string    `row:"URL" validate:"url"`
	Phone  string    `row:"Phone" validate:"e164"`
	Num    string    `row:"Num" validate:"numeric"`
	Digits string    `row:"Digits" validate:"number"`
	Alpha  string    `row:"Alpha" validate:"alpha"`
	AlNum  string    `row:"AlNum" validate:"alphanum"`
	UUID   string    `row:"UUID" validate:"uuid"`
	GT     int       `row:"GT" validate:"gt=9"`
	GTE    int       `row:"GTE" validate:"gte=9"`
	LT     int       `row:"LT" validate:"lt=-9"`
	LTE    int       `row:"LTE" validate:"lte=-9"`
	Zero   int       `row:"Zero" validate:"lt=0"`
	Equal  int       `row:"Equal" validate:"len=9"`
	NMin   float64   `row:"NMin" validate:"min=9"`
	NMax   float64   `row:"NMax" validate:"max=-9"`
	Later  time.Time `row:"Later" validate:"gt"`
	Before time.Time `row:"Before" validate:"lt"`
}

// TestEveryRuleHasItsOwnWords breaks each rule, and reads its text in every language.
func TestEveryRuleHasItsOwnWords(t *testing.T) {
	t.Parallel()
	s := Of[ruled]()
	wrong := map[string]string{"number": "5", "integer": "5", "date": "2999-01-01"}
	for i := range s.Fields {
		f := &s.Fields[i]
		text := wrong[f.Type]
		switch f.Name {
		case "Req":
			text = ""
		case "Max", "Len":
			text = "лишнее"
		case "Min":
			text = "я"
		case "Later":
			text = "1999-01-01"
		default:
			if text == "" {
				text = "?"
			}
		}
		fault := f.parse(reflect.New(f.typ).Elem(), text)
		if fault == nil {
			t.Errorf("%s: %q breaks no rule", f.Name, text)
			continue
		}
		if key := fault.Args.Map()["#"]; key == "rule" || key == "" {
			t.Errorf("%s: the rule has no words of its own", f.Name)
		}
		english := fault.Message
		for _, lang := range words.Languages()[1:] {
			got, _ := Translated(lang, fault.Args.Map()["#"], Placed(*fault))
			if got == english || !strings.Contains(got, f.Name) {
				t.Errorf("%s: %s says %q", f.Name, lang, got)
			}
		}
	}
}
