package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestSchedulesArePages: schedules are created, run, paused, resumed and deleted on the page. The page shows no
// schedules of other tenants, and viewers see no buttons.
func TestSchedulesArePages(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Operator)
	_, other := l.member("acme", access.Operator)
	mine, theirs := l.as(secret), l.as(other)
	tells(t, mine.page("/ops/schedules"), "No schedules yet", "Create a schedule")
	fields := []string{"name", "<b>Every</b> day", "cron", "0 9 * * *", "time_zone", "Europe/Berlin", "catch_up", "once"}
	rows := `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":"1","Brand":"Acme"}]}`
	for _, bad := range []struct{ request, says string }{
		{"{", "JSON"}, {"", "request is missing"}, {`{"kind":5}`, "kind must be the name of a kind."}, {`{"kind":"nope","rows":[]}`, "nope"}, {rows + " ", "time zone does not exist"},
	} {
		form := append(append([]string{}, fields...), "request", bad.request)
		if bad.request == rows+" " {
			form[5] = "Mars"
		}
		r := mine.submits("/ops/schedules", form...)
		if r.status < 400 || r.status > 422 || !strings.Contains(r.body, `role="alert"`) ||
			!strings.Contains(r.body, bad.says) || !strings.Contains(r.body, `value="0 9 * * *"`) {
			t.Errorf("%q: %d, which does not say %q and keep what was entered\n%s", bad.request, r.status, bad.says, r.body)
		}
	}
	made := mine.submits("/ops/schedules", append(fields, "request", rows)...)
	tells(t, made.body, "The schedule is created.", "<b>Every</b> day", "Products products.import , import", "0 9 * * *",
		"Europe/Berlin; missed times: once", "4 Mar 2026, 08:00:00 UTC", "never")
	if strings.Contains(made.body, "<b>Every") {
		t.Error("a name is taken for markup")
	}
	at := regexp.MustCompile(`/ops/schedules/[0-9a-f-]{36}`).FindString(made.body)

	if strings.Contains(theirs.page("/ops/schedules"), "Every") {
		t.Error("another tenant sees the schedule")
	}
	for _, act := range []string{"pause", "run", "delete"} {
		if r := theirs.submits(at+"/"+act, "meant", "yes"); r.status != http.StatusNotFound {
			t.Errorf("another tenant's %s: %d", act, r.status)
		}
	}
	question, ran := mine.asked(at + "/run")
	tells(t, question.body, "The schedule “<b>Every</b> day” creates one task (Products, import) now")
	tells(t, ran.body, "A task was created", "4 Mar 2026, 05:06:07 UTC", "its task")
	mine.has(1)
	tells(t, mine.submits(at+"/run", "meant", "yes", "seen", "").body, "A task was created") // pressed twice
	mine.has(1)
	tells(t, mine.submits(at+"/pause").body, "The schedule is paused", "Paused", "Resume")
	l.pass(24 * time.Hour)
	l.tick()
	mine.has(1)
	tells(t, mine.submits(at+"/resume").body, "The schedule is resumed", "5 Mar 2026, 08:00:00 UTC")
	l.tick()
	mine.has(1)
	if r := mine.submits(at + "/stop"); r.status != http.StatusNotFound {
		t.Errorf("an act that there is not: %d", r.status)
	}
	question, gone := mine.asked(at + "/delete")
	tells(t, question.body, "The schedule “<b>Every</b> day” creates no more tasks. Its existing tasks stay")
	tells(t, gone.body, "The schedule is deleted. Its tasks stay.", "No schedules yet")
	mine.has(1)
}

// TestMessageOfAnActNeedsTheCookieOfItsUser: a message about an act is shown only to the user of the act, and
// only for an unchanged URL.
func TestMessageOfAnActNeedsTheCookieOfItsUser(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("default", access.Operator)
	_, second := l.member("default", access.Operator)
	mine := l.as(secret)
	set := mine.call(http.MethodPost, "/ops/limits", "slots=7", "Content-Type", formType)
	to := set.header.Get("Location")
	const words = "The limits are saved"
	tells(t, mine.page(to), words)
	forged := to[:len(to)-1] + "A"
	if strings.HasSuffix(to, "A") {
		forged = to[:len(to)-1] + "Q"
	}
	for name, page := range map[string]string{
		"an address by hand": mine.page("/ops/limits?said=limits"),
		"a changed address":  mine.page(forged),
		"another person":     l.as(second).page(to),
	} {
		if strings.Contains(page, words) || strings.Contains(page, `class="notice good"`) {
			t.Errorf("%s is told what was not done", name)
		}
	}
	l.pass(2 * time.Minute)
	if strings.Contains(mine.page(to), words) {
		t.Error("the page says so for ever")
	}
}

// TestAPageShowsWhatItsReaderMayDo: a viewer sees no buttons. Readers of waiting tasks see that the
// tenant is paused.
func TestAPageShowsWhatItsReaderMayDo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, operator := l.member("default", access.Operator)
	_, secret := l.member("default", access.Viewer)
	_, reviews := l.member("default", access.Reviewer)
	task := "/tasks/" + l.as(operator).accepted("a.csv", rows(1)+"B,b,no,Acme\n", "")
	l.split()
	viewer, reviewer := l.as(secret), l.as(reviews)
	for path, buttons := range map[string]string{
		"/": `href="/imports/new"`, "/exports": `action="/exports"`, task: `class="controls"`, task + "/": `href="` + task + `/repair"`,
	} {
		path = strings.TrimSuffix(path, "/")
		if path == "" {
			path = "/"
		}
		if !strings.Contains(reviewer.page(path), buttons) {
			t.Errorf("a reviewer does not see %s at %s", buttons, path)
		}
		if page := viewer.page(path); strings.Contains(page, buttons) {
			t.Errorf("a viewer sees %s at %s", buttons, path)
		}
	}
	tells(t, viewer.page("/"), "a.csv")
	tells(t, viewer.page("/imports/new"), "You have read-only access")
	const held = "Waiting: your account is paused."
	if strings.Contains(viewer.page(task), held) {
		t.Error("the page tells of a pause before there is one")
	}
	l.as(operator).asked("/ops/limits/pause")
	tells(t, viewer.page(task), held)
}

// TestTheHeaderLeadsWhereOneMayGo: only users who may see the pages of operators have a link to
// them.
func TestTheHeaderLeadsWhereOneMayGo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for role, may := range map[access.Role]bool{access.Reviewer: false, access.Operator: true} {
		_, secret := l.member("default", role)
		for _, path := range []string{"/", "/exports", "/sign-in"} {
			page := l.as(secret).page(path)
			head := page[strings.Index(page, "<header"):strings.Index(page, "</header>")]
			if strings.Contains(head, `href="/ops"`) != may || !strings.Contains(head, `<a href="/"`) {
				t.Errorf("%s as %s has the header %s", path, role, head)
			}
		}
		if may {
			tells(t, l.as(secret).page("/ops/limits"), "Imports", "Exports", "Operations", "Account")
			if page := l.as(secret).page("/ops/limits"); !strings.Contains(page, `<a href="/ops" aria-current="true">`) {
				t.Errorf("the header does not say where one is:\n%s", page)
			}
		}
	}
}
