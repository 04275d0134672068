package words

import "testing"

func TestTranslate_Sentence_KeepsItsValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ lang, english, want string }{
		{
			"ru", `Numbers were read with a decimal comma, such as "1,5". If the comma means something else, choose a decimal point.`,
			`Числа прочитаны с десятичной запятой, например «1,5». Если запятая означает другое, выберите десятичную точку.`,
		},
		{"zh", `The workbook has 3 sheets: only "A.{b}" is imported.`, `工作簿有 3 个工作表：只导入“A.{b}”。`},
		{"en", "Some rows are hidden: they are imported too.", "Some rows are hidden: they are imported too."},
		{"vi", "A sentence of no key.", "A sentence of no key."},
	} {
		if got := Translate(tt.lang, "warning.", tt.english); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.lang, got, tt.want)
		}
	}
}

func TestTranslate_ResponseOfWebhookBreaksOff_IsTranslatedWhole(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "answered 502, then the connection broke", "ru": "ответ 502, соединение прервано",
		"vi": "trả về 502 rồi bị ngắt giữa chừng", "zh": "返回 502，但响应中断",
	} {
		if got := Translate(lang, "delivery.", "answered 502, then the connection broke"); got != want {
			t.Errorf("%s: %q, want %q", lang, got, want)
		}
	}
}
