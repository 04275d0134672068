package web

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// TestPagesSayWhatThereIs: each key that a page or its code says is in the table,
// and each of the table is said.
func TestPagesSayWhatThereIs(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, files := range []struct {
		fs.FS
		glob string
	}{{pageFiles, "pages/*.html"}, {os.DirFS("."), "*.go"}} {
		names, err := fs.Glob(files, files.glob)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", files.glob, err)
		}
		for _, name := range names {
			b, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
	}
	for _, key := range gridWords {
		all.WriteString("say(\"grid." + key + "\")")
	}
	for _, m := range regexp.MustCompile(`\bword\("([a-z_.]+)"`).FindAllStringSubmatch(scripts(t), -1) {
		if !slices.Contains(gridWords, m[1]) {
			t.Errorf("a script says %q, which its page does not give it", m[1])
		}
	}
	known, quoted := words.Keys("page."), map[string]bool{}
	for text := range strings.SplitSeq(all.String(), `"`) {
		quoted[text] = true
	}
	for _, m := range regexp.MustCompile(`(?:\bsay\(|[{(]say )"([a-z_.]+)"`).FindAllStringSubmatch(all.String(), -1) {
		if !slices.Contains(known, "page."+m[1]) && !strings.HasSuffix(m[1], ".") {
			t.Errorf("a page says %q, which is not in the table", m[1])
		}
	}
	for _, key := range known {
		key = strings.TrimPrefix(key, "page.")
		said := quoted[key]
		for i := range key { // or the begin of it, which what comes goes behind
			said = said || key[i] == '.' && quoted[key[:i+1]]
		}
		if !said {
			t.Errorf("no page says %q", key)
		}
	}
}

// TestTemplatesHaveNoWords: what they tell is in the table, but for names, codes and
// commands, and the page of the API, which is in English.
func TestTemplatesHaveNoWords(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(pageFiles, "pages/*.html")
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	action, tag := regexp.MustCompile(`(?s)\{\{.*?\}\}`), regexp.MustCompile(`(?s)<[^>]*>`)
	told := regexp.MustCompile(`(?:aria-label|placeholder|title|alt)="([^"]*)"`)
	own := regexp.MustCompile(`^(|CSV|Rollcall|· Rollcall|campaign:spring|key_…|\(UTC\)|https://|(go run \./cmd/)?api keys create.*|[^A-Za-z]*)$`)
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return name == "pages/docs.html" }) {
		b, err := fs.ReadFile(pageFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		text := action.ReplaceAllString(string(b), "")
		texts := strings.Split(tag.ReplaceAllString(text, "\n"), "\n")
		for _, m := range told.FindAllStringSubmatch(text, -1) {
			texts = append(texts, m[1])
		}
		for _, text := range texts {
			if text = strings.TrimSpace(text); len(text) > 1 && !own.MatchString(text) {
				t.Errorf("%s says %q in one language", name, text)
			}
		}
	}
}

func scripts(t *testing.T) string {
	t.Helper()
	out := ""
	for _, name := range []string{"grid.js", "grid-rows.js"} {
		b, err := staticFiles.ReadFile("static/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out += string(b)
	}
	return out
}

func TestTongues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{tongue("en").num(-1234567), "-1,234,567"},
		{tongue("ru").num(1234), "1\u00a0234"},
		{tongue("vi").num(999), "999"},
		{tongue("vi").num(1000), "1.000"},
		{tongue("en").rate(3.14), "3.1"},
		{tongue("ru").rate(3.14), "3,1"},
		{tongue("en").rate(1234.5), "1,235"},
		{tongue("en").spoken(59), "59 sec"},
		{tongue("ru").spoken(3599), "60 мин"},
		{tongue("zh").spoken(7260), "2小时1分钟"},
		{tongue("en").byteSize(100 << 20), "100 MB"},
		{tongue("ru").byteSize(1<<20 + 1<<19), "1,5 MB"},
		{tongue("ru").say("rows", "n", 21), "21 строка"},
		{tongue("ru").say("rows", "n", int64(1002)), "1\u00a0002 строки"},
		{tongue("de").say("rows", "n", 1), "1 row"},
		{tongue("en").saidOfKeys("requeue", 1, 1), "1 key requeued."},
		{tongue("ru").saidOfKeys("kill-failed", 21, 21), "Убито: 21 ключ."},
		{tongue("ru").saidOfKeys("kill-failed", 1000, 1000), "Убито: 1\u00a0000 ключей."},
		{
			tongue("ru").saidOfKeys("delete-dead", 1, 2),
			"Удалено из морга: 1 из 2 ключей. Остальные за это время выполнились или не могли быть затронуты.",
		},
		{tongue("en").moment("2026-03-04T05:06:07Z"), "4 Mar 2026, 05:06 UTC"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
