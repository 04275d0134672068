package locale

import (
	"testing"
	"time"
)

func TestPrinter_NumbersAndSentences_FollowTheLanguage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{Printer("en").Integer(-1234567), "-1,234,567"},
		{Printer("ru").Integer(1234), "1\u00a0234"},
		{Printer("vi").Integer(999), "999"},
		{Printer("vi").Integer(1000), "1.000"},
		{Printer("en").Rate(3.14), "3.1"},
		{Printer("ru").Rate(3.14), "3,1"},
		{Printer("en").Rate(1234.5), "1,235"},
		{Printer("en").Duration(59), "59 sec"},
		{Printer("ru").Duration(3569), "59 мин"},
		{Printer("ru").Duration(3599), Printer("ru").Duration(3600)},
		{Printer("en").Span(59_949), Printer("en").Text("ops.seconds", "n", "59.9")},
		{Printer("en").Span(59_960), Printer("en").Duration(60)},
		{Printer("en").Rate(9.96), "10"},
		{Printer("en").Bytes(1<<20 - 1), "1.0 MB"},
		{Printer("zh").Duration(7260), "2 小时 1 分钟"},
		{Printer("en").Bytes(100 << 20), "100 MB"},
		{Printer("ru").Bytes(1<<20 + 1<<19), "1,5 МБ"},
		{Printer("ru").Text("rows", "n", 21), "21 строка"},
		{Printer("ru").Text("rows", "n", int64(1002)), "1\u00a0002 строки"},
		{Printer("de").Text("rows", "n", 1), "1 row"},
		{Printer("en").Time("2026-03-04T05:06:07Z"), "4 Mar 2026, 05:06 UTC"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestAgo_Time_IsAsTheScriptWritesIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		lang Printer
		past time.Duration
		want string
	}{
		{"en", 59 * time.Second, "now"},
		{"en", 3 * time.Minute, "3 min. ago"},
		{"ru", 59 * time.Minute, "59 мин. назад"},
		{"vi", 23 * time.Hour, "23 giờ trước"},
		{"zh", 24 * time.Hour, "昨天"},
		{"en", 6 * 24 * time.Hour, "6 days ago"},
		{"en", 7 * 24 * time.Hour, "7 Mar 2026"},
		{"zh", 7 * 24 * time.Hour, "2026-03-07"},
		{"en", -time.Hour, "14 Mar 2026, 13:00 UTC"},
	} {
		if got := tt.lang.Ago(now.Add(-tt.past).Format(time.RFC3339), now); got != tt.want {
			t.Errorf("%s, %v ago: %q, want %q", tt.lang, tt.past, got, tt.want)
		}
	}
}

func TestSentences_Chinese_JoinedByAChineseFullStop(t *testing.T) {
	t.Parallel()
	for lang, want := range map[Printer]string{"zh": "不会自动重试。error: a", "en": "不会自动重试. error: a"} {
		if got := lang.Sentences("不会自动重试。", "error: a"); got != want {
			t.Errorf("in %s: %q, want %q", lang, got, want)
		}
	}
}
