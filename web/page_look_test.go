package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestAReaderChoosesLanguageAndColours: the setting of the browser applies until the reader makes a choice. The
// choice is stored, and the form returns to its page.
func TestAReaderChoosesLanguageAndColours(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	tells(t, s.get("/", "Accept-Language", "vi").body, "Nhập tệp mới")
	tells(t, s.get("/tasks/x", "Accept-Language", "zh").body, "未找到")

	a := s.do(http.MethodPost, "/look", strings.NewReader("lang=ru&theme=dark&to=%2F%3Fkind%3Da"),
		"Content-Type", "application/x-www-form-urlencoded")
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/?kind=a" {
		t.Fatalf("it leads with %d to %q", a.status, a.header.Get("Location"))
	}
	var kept []string
	for _, line := range a.header.Values("Set-Cookie") {
		cookie, err := http.ParseSetCookie(line)
		must(t, err)
		kept = append(kept, cookie.Name+"="+cookie.Value)
	}
	page := s.get("/", "Accept-Language", "vi", "Cookie", strings.Join(kept, "; "))
	tells(t, page.body, "Новый импорт")
	if !strings.Contains(page.body, `<html lang="ru" data-theme="dark">`) {
		t.Error("the page is not in the language and the colours that were chosen")
	}
	a = s.do(http.MethodPost, "/look", strings.NewReader("lang=xx&theme=pink&to=//evil.example"),
		"Content-Type", "application/x-www-form-urlencoded")
	if a.header.Get("Location") != "/" || a.header.Get("Set-Cookie") != "" {
		t.Errorf("nonsense leads to %q and keeps %q", a.header.Get("Location"), a.header.Get("Set-Cookie"))
	}
}
