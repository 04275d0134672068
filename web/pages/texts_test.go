package pages

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/words"
)

// Each key that a page or its code uses is in the catalogue, and each key of the catalogue is used.
func TestTexts_OfPages_AreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, files := range []struct {
		fs.FS
		glob string
	}{
		{os.DirFS("../render"), "templates/*.html"}, {os.DirFS(".."), "*.go"}, {os.DirFS(".."), "*/*.go"},
	} {
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
		all.WriteString(".Text(\"grid." + key + "\")")
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
	for _, m := range regexp.MustCompile(`(?:\.Text\(|[{(]say )"([a-z_.]+)"`).FindAllStringSubmatch(all.String(), -1) {
		if !slices.Contains(known, "page."+m[1]) && !strings.HasSuffix(m[1], ".") {
			t.Errorf("a page says %q, which is not in the table", m[1])
		}
	}
	for _, key := range known {
		key = strings.TrimPrefix(key, "page.")
		said := quoted[key]
		for i := range key { // or a prefix of the key, to which the code appends the rest
			said = said || key[i] == '.' && quoted[key[:i+1]]
		}
		if !said {
			t.Errorf("no page says %q", key)
		}
	}
}

// The texts of templates are in the catalogue, except for names, codes and commands. The page of the API is
// in English.
func TestTemplates_Words_AreInTheTable(t *testing.T) {
	t.Parallel()
	files := os.DirFS("../render")
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil || len(names) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	action, tag := regexp.MustCompile(`(?s)\{\{.*?\}\}`), regexp.MustCompile(`(?s)<[^>]*>`)
	attribute := regexp.MustCompile(`(?:aria-label|placeholder|title|alt)="([^"]*)"`)
	own := regexp.MustCompile(`^(|CSV|Rollcall|· Rollcall|campaign:spring|key_…|\(UTC\)|https://|(go run \./cmd/)?api keys create.*|[^A-Za-z]*)$`)
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return name == "templates/docs.html" }) {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		text := action.ReplaceAllString(string(b), "")
		texts := strings.Split(tag.ReplaceAllString(text, "\n"), "\n")
		for _, m := range attribute.FindAllStringSubmatch(text, -1) {
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
	for _, name := range []string{"grid.js", "grid-rows.js", "grid-list.js", "grid-block.js"} {
		b, err := os.ReadFile("../render/static/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out += string(b)
	}
	return out
}
