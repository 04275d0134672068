package worker_test

import (
	"encoding/json"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/worker"
)

// spoken is a row with every kind of rule.
type spoken struct {
	SKU   string          `row:"SKU" validate:"required,max=3,min=2"`
	Price decimal.Decimal `row:"Price" validate:"gt=0,lte=10" code:"PRICE" hint:"without tax"`
	Size  string          `row:"Size" validate:"omitempty,oneof=S 'X L'"`
	Mail  string          `row:"Mail" validate:"omitempty,email"`
	Odd   string          `row:"Odd" validate:"omitempty,startswith=x"`
}

func TestTell_ValuesAndPlurals_ChooseTheForm(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("tickets.sell", noop[order], worker.Messages("ru", map[string]string{
		"TOO_MANY": "Осталось {left} {left|one=место|few=места|many=мест}",
	})))
	for left, want := range map[int]string{1: "Осталось 1 место", 3: "Осталось 3 места", 5: "Осталось 5 мест"} {
		f := worker.Fail("TOO_MANY", "%d left", left).With("left", left)
		if got := kind.Localize("ru", events.Field{Code: f.Code, Message: f.Message, Args: f.Args}).Message; got != want {
			t.Errorf("%d: %q, want %q", left, got, want)
		}
	}
}

func TestRulesAreToldInEveryLanguage(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("a", noop[spoken], worker.Messages("ru", map[string]string{
		"Price.hint": "без налога", "PRICE.hint": "{nothing}",
	})))
	cells := map[string]string{"SKU": "abcd", "Price": "0", "Size": "M", "Mail": "x", "Odd": "y"}
	_, faults := kind.Check(func(f *rowschema.Field) string { return cells[f.Name] })
	for lang, want := range map[string][]string{
		"en": {
			"SKU is longer than 3 characters", "Price must be above zero",
			"Size must be one of: S, X L", "Mail must be an e-mail address", "Odd breaks the rule startswith x",
		},
		"ru": {
			"SKU: текст длиннее 3 символов", "Price: значение должно быть больше нуля",
			"Size: допустимы только значения: S, X L", "Mail: нужен адрес электронной почты",
			"Odd: нарушено правило startswith x",
		},
		"zh": {
			"“SKU”超过 3 个字符", "“Price”必须大于零", "“Size”必须是以下之一：S, X L",
			"“Mail”必须是电子邮件地址", "“Odd”不符合规则 startswith x",
		},
		"vi": {
			"SKU dài hơn 3 ký tự", "Price phải lớn hơn 0", "Size phải là một trong các giá trị: S, X L",
			"Mail phải là địa chỉ e-mail", "Odd vi phạm quy tắc startswith x",
		},
	} {
		if len(faults) != len(want) {
			t.Fatalf("%d faults: %v", len(faults), faults)
		}
		for i, f := range faults {
			if got := kind.Localize(lang, f).Message; got != want[i] {
				t.Errorf("%s: %q, want %q", lang, got, want[i])
			}
		}
	}
	if got := kind.Localize("ru", faults[1]).Hint; got != "без налога" {
		t.Errorf("hint: %q", got)
	}
}

// TestWhatCannotBeToldStays: texts of older rows, of unknown codes, and with missing values are
// returned as they were stored.
func TestWhatCannotBeToldStays(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("a", noop[spoken], worker.Messages("ru", map[string]string{
		"BRAND_UNKNOWN": "Бренда {brand} нет",
	})))
	for _, f := range []events.Field{
		{Column: "SKU", Code: "REQUIRED", Message: "SKU is empty"},
		{Code: "OTHER", Message: "as stored", Hint: "hint"},
		{Code: "BRAND_UNKNOWN", Message: "no brand Acme"},
		{Code: "REQUIRED", Message: "from a newer version", Args: `{"#":"no.such.sentence"}`},
	} {
		if got := kind.Localize("ru", f); got != f {
			t.Errorf("%+v was told as %+v", f, got)
		}
	}
}

// TestTellEvent checks that a text stored as JSON is returned in the requested language.
func TestTellEvent(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("a", noop[spoken]))
	_, faults := kind.Check(func(*rowschema.Field) string { return "" })
	b, err := json.Marshal(faults)
	if err != nil {
		t.Fatal(err)
	}
	stored, code := string(b), "REQUIRED"
	e := &events.Event{Code: &code, Fields: &stored}
	kind.LocalizeEvent("vi", e)
	if *e.Message != "Chưa điền “SKU”" || *e.Col != "SKU" || e.Hint != nil {
		t.Errorf("told %v %v", *e.Message, *e.Col)
	}
	kind.LocalizeEvent("en", &events.Event{}) // a row without a failure is left alone
	kind.LocalizeEvent("ru", &events.Event{})
}
