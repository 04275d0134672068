package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// storyOf returns the words of the history on the page of a row.
func (l *lab) storyOf(row, title string, header ...string) string {
	l.t.Helper()
	page := words(l.look(row, append(header, "Accept", htmlType)...).body)
	_, story, found := strings.Cut(page, title)
	if !found {
		l.t.Fatalf("%s has no history:\n%s", row, page)
	}
	return story
}

// TestRowStory_EditedTwice_ShowsTheRefusalOnceInWordsOfPages: edits of a refused row are no further
// refusals. Acts are in the language of the page, with the name of the user's key.
func TestRowStory_EditedTwice_ShowsTheRefusalOnceInWordsOfPages(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,ten,Acme\nS2,b,ten,Acme\n", "")
	l.split()
	by, secret := l.member("default", access.Reviewer)
	anna := l.as(secret)
	act := func(verb, body string) {
		t.Helper()
		l.pass(time.Minute)
		if r := anna.review(id, verb, `{"ids":["`+id+`.1"]`+body+`}`); r.status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", verb, r.status, r.body)
		}
	}
	act("repair", `,"patch":{"set":{"Price":"two"}}`)
	act("skip", `,"note":"not ours"`)
	act("resubmit", `,"patch":{"set":{"Price":"4"}}`)
	row := "/tasks/" + id + "/rows/1"
	story := anna.storyOf(row, "History of this row")
	tells(t, story, `Refused before its first run Price: "ten" is not a number`, "Edited · default reviewer · Price ten → two",
		"Left out · default reviewer : not ours", "Edited and run again · default reviewer · Price two → 4")
	for _, wrong := range []string{by, "Price : Price", `"two" is not`, "repaired", "resubmitted", "by "} {
		if strings.Contains(story, wrong) {
			t.Errorf("the history says %q:\n%s", wrong, story)
		}
	}
	tells(t, anna.storyOf(row, "Что было с этой строкой", "Accept-Language", "ru"), "Изменена · default reviewer · Price ten → two",
		"Пропущена · default reviewer : not ours", "Изменена и запущена снова")
}
