package web_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestKinds_OnPages_HaveTheirTitles: users read the title of a kind in their language. Operators
// also read its name, which is that of its queue.
func TestKinds_OnPages_HaveTheirTitles(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Admin)
	admin := l.as(secret)
	at := admin.call("POST", "/api/v1/tasks", `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":"1","Brand":"Acme"}]}`,
		"Content-Type", "application/json")
	if at.status >= 300 {
		t.Fatalf("a task: %d %s", at.status, at.body)
	}
	for lang, title := range map[string]string{"en": "Products", "ru": "Товары", "zh": "商品", "vi": "Sản phẩm"} {
		page := func(path string) string { return admin.look(path, "Accept", htmlType, "Accept-Language", lang).body }
		home := page("/")
		tells(t, home, title)
		if strings.Contains(words(home), "products.import") {
			t.Errorf("%s: home has the name of a kind:\n%s", lang, words(home))
		}
		tells(t, page("/ops"), title+" products.import")
		tells(t, page("/ops/queues/products.import"), title+" products.import")
		tells(t, page("/ops/tasks"), title+" (products.import)", title+" products.import")
	}
}
