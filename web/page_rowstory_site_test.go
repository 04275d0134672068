package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
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
	tells(t, anna.storyOf(row, "История строки", "Accept-Language", "ru"), "Изменена · default reviewer · Price ten → two",
		"Пропущена · default reviewer : not ours", "Изменена и запущена снова")
}

// TestTrail_ManyActs_NameTheirRowAndLeadToEarlierOnes: an act on one row names the row, an undo of several
// rows shows the values of none, and a link leads to the earlier acts.
func TestTrail_ManyActs_NameTheirRowAndLeadToEarlierOnes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,ten,Acme\nS2,b,abc,Acme\n", "")
	l.split()
	one := func(seq string) string { return `"ids":["` + id + `.` + seq + `"]` }
	set := func(ids, price string) reply {
		t.Helper()
		l.pass(time.Minute)
		r := l.review(id, "repair", `{`+ids+`,"patch":{"set":{"Price":"`+price+`"}}}`)
		r.is(http.StatusOK)
		return r
	}
	both := `"ids":["` + id + `.1","` + id + `.2"]`
	l.undoes(id, set(both, "7"), 2)
	l.pass(time.Minute)
	l.review(id, "skip", `{`+one("2")+`,"note":"old"}`).is(http.StatusOK)
	page := l.page("/tasks/" + id)
	tells(t, page, "What was done", "1 row left out · Row 3", "2 rows undone", "2 rows:", "Price → 7", "Uploaded")
	if strings.Contains(page, "Earlier actions") || strings.Contains(words(page), "undone Price") {
		t.Errorf("the acts:\n%s", words(page))
	}
	for _, price := range strings.Fields("a b c d e f g h i j k l") {
		set(one("1"), price)
	}
	page = l.page("/tasks/" + id)
	tells(t, page, "What was done", "Row 2:", "Price k → l", "Price ten → a", "Earlier actions")
	if strings.Contains(words(page), "Uploaded") {
		t.Error("the first page shows all acts")
	}
	page = l.page("/tasks/" + id + "?past=all")
	if tells(t, page, "Price k → l", "1 row left out · Row 3", "Uploaded"); strings.Contains(page, "Earlier actions") {
		t.Error("a link leads to acts that are shown")
	}
}

// TestTrail_Resubmissions_AreJoinedByTheirIdAlone: a resubmission of more than a thousand rows is one act.
// Two resubmissions within a minute are two acts, each with its reason.
func TestTrail_Resubmissions_AreJoinedByTheirIdAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	large := l.accepted("p.csv", heads+strings.Repeat("S,a,1,Acme\n", 1001), "")
	small := l.accepted("q.csv", heads+strings.Repeat("S,a,1,Acme\n", 4), "")
	l.split()
	var all []int64
	for i := range int64(1001) {
		all = append(all, i+1)
	}
	l.move(large, events.Failed, &events.Failure{Code: "X", Message: "x"}, all...)
	l.move(small, events.Failed, &events.Failure{Code: "X", Message: "x"}, 1, 2, 3, 4)
	l.review(large, "resubmit", `{"filter":{}}`).says("resubmitted", 1001)
	tells(t, l.page("/tasks/"+large), "1,001 rows sent to run")
	ids := func(a, b string) string { return `"ids":["` + small + "." + a + `","` + small + "." + b + `"]` }
	l.review(small, "resubmit", `{`+ids("1", "2")+`,"note":"first"}`).says("resubmitted", 2)
	l.review(small, "resubmit", `{`+ids("3", "4")+`,"note":"second"}`).says("resubmitted", 2)
	tells(t, l.page("/tasks/"+small), "2 rows sent to run", "second", "2 rows sent to run", "first")
}

// TestHistory_MappedColumn_HasTheHeadingOfTheFile: the histories of a task and of a row name a column by its heading
// in the file, as the messages do.
func TestHistory_MappedColumn_HasTheHeadingOfTheFile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", "SKU,Name,Preis,Brand\nS1,a,ten,Acme\nS2,b,ten,Acme\n", `{"mapping":{"Preis":"Price"}}`)
	l.split()
	set := func(ids, price string) {
		t.Helper()
		l.pass(time.Minute)
		l.review(id, "repair", `{"ids":[`+ids+`],"patch":{"set":{"Price":"`+price+`"}}}`).is(http.StatusOK)
	}
	set(`"`+id+`.1"`, "two")
	set(`"`+id+`.1","`+id+`.2"`, "3")
	l.pass(time.Minute)
	l.review(id, "resubmit", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"5"}}}`).is(http.StatusAccepted)
	tells(t, l.submits("/tasks/"+id+"/repair", "rows", "all", "fixed", "1", "act", "set", "of", "Price", "value", "4").body,
		"Set Preis to “4” in 1 row?", "Preis 3 Preis 4")
	trail := l.storyOf("/tasks/"+id, "What was done")
	tells(t, trail, "Preis → 3", "Preis ten → two")
	story := l.storyOf("/tasks/"+id+"/rows/1", "History of this row")
	tells(t, story, `Preis: "ten" is not a number`, "Preis ten → two", "Preis two → 3", "Preis 3 → 5")
	if strings.Contains(trail+story, "Price") {
		t.Errorf("a history names the column of the kind:\n%s\n%s", trail, story)
	}
}

// TestTrail_ResubmissionWithAnEdit_ShowsTheChange: an act that edits rows and runs them at once shows the edited cell,
// if all rows have the same new value. An act without an edit shows none.
func TestTrail_ResubmissionWithAnEdit_ShowsTheChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", "SKU,Name,Cost,Brand\nA,n,one,Acme\nB,n,two,Acme\nC,n,three,Acme\nD,n,4,Acme\nE,n,5,Acme\n", `{"mapping":{"Cost":"Price"}}`)
	l.split()
	l.review(id, "resubmit", `{"ids":["`+id+`.1"],"patch":{"set":{"Price":"1"}}}`).says("resubmitted", 1)
	tells(t, l.page("/tasks/"+id), "What was done", "1 row sent to run · Row 2: Cost one → 1")
	l.review(id, "resubmit", `{"ids":["`+id+`.2","`+id+`.3"],"patch":{"set":{"Price":"2"}}}`).says("resubmitted", 2)
	tells(t, l.page("/tasks/"+id), "What was done", "2 rows sent to run · Cost → 2 4 Mar", "1 row sent to run · Row 2: Cost one → 1")
	l.move(id, events.Failed, &events.Failure{Code: "X", Message: "x"}, 1)
	l.pass(time.Minute)
	l.review(id, "resubmit", `{"ids":["`+id+`.1"]}`).says("resubmitted", 1)
	tells(t, l.page("/tasks/"+id), "What was done", "1 row sent to run · Row 2 4 Mar", "2 rows sent to run · Cost → 2 4 Mar")
	l.move(id, events.Failed, &events.Failure{Code: "X", Message: "x"}, 2, 3, 4, 5)
	l.pass(time.Minute)
	l.review(id, "resubmit", `{"ids":["`+id+`.3","`+id+`.4"],"patch":{"replace":{"column":"Price","find":"4","with":"6"}}}`).says("resubmitted", 2)
	tells(t, l.page("/tasks/"+id), "2 rows sent to run 4 Mar") // only one of them has changed
	l.pass(time.Minute)
	l.review(id, "resubmit", `{"ids":["`+id+`.2","`+id+`.5"],"patch":{"set":{"Name":"m"}}}`).says("resubmitted", 2)
	tells(t, l.page("/tasks/"+id), "2 rows sent to run · Name → m 4 Mar")
}

// TestTrail_LargeResubmissionWithAnEdit_ShowsTheChange: a resubmission of more than a thousand rows is one act with one
// change. Rows that get different values have none.
func TestTrail_LargeResubmissionWithAnEdit_ShowsTheChange(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+strings.Repeat("S,a1,x,Acme\n", 600)+strings.Repeat("S,a2,x,Acme\n", 600), "")
	l.split()
	l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"Price":"3"}}}`).says("resubmitted", 1200)
	tells(t, l.page("/tasks/"+id), "1,200 rows sent to run · Price → 3")
	l.move(id, events.Failed, &events.Failure{Code: "X", Message: "x"}, 1, 1200)
	l.pass(time.Minute)
	l.review(id, "resubmit", `{"filter":{},"patch":{"replace":{"column":"Name","find":"a","with":"b"}}}`).says("resubmitted", 2)
	tells(t, l.page("/tasks/"+id), "2 rows sent to run 4 Mar", "1,200 rows sent to run · Price → 3")
}
