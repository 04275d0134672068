package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestFormsAndFiltersAreText: a text that Postgres cannot store is refused before the query, in
// forms and in URLs.
func TestFormsAndFiltersAreText(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	for _, odd := range []string{"%00", "a%00b", "%ff", "%F0%9F"} {
		for _, form := range []string{"act=skip&code=" + odd, "act=skip&cause=" + odd, "act=skip&" + odd + "=x"} {
			r := l.call(http.MethodPost, "/tasks/"+id+"/repair", form, "Content-Type", formType, "Accept", htmlType)
			if r.status != http.StatusBadRequest || !strings.Contains(r.header.Get("Content-Type"), "text/html") {
				t.Errorf("%s: %d\n%s", form, r.status, r.body)
			}
		}
	}
	long := "slots=" + strings.Repeat("1", 2<<20)
	r := l.call(http.MethodPost, "/ops/limits", long, "Content-Type", formType, "Accept", htmlType)
	r.is(http.StatusRequestEntityTooLarge)
	for _, name := range []string{"code", "column", "key"} {
		for _, act := range []string{"skip", "resubmit"} {
			l.review(id, act, `{"filter":{"`+name+`":"a\u0000"},"dry_run":true}`).
				refuses(422, "INVALID_FIELD", name+" is not plain text")
		}
	}
}
