package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	formIn   = regexp.MustCompile(`(?s)<form method="post" (?:action="([^"]+)"|class="ask")>(.*?)</form>`)
	hiddenIn = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)
	nextIn   = regexp.MustCompile(`rel="next" href="([^"]+)"`)
)

// leadsTo sends the first form of a page whose path has the given end, and returns the path of the next page
// without the outcome. A question must lead back to the same page.
func (l *lab) leadsTo(page, end string) string {
	l.t.Helper()
	for _, form := range formIn.FindAllStringSubmatch(page, -1) {
		if !strings.HasSuffix(form[1], end) {
			continue
		}
		r := l.sendHidden(form[1], form[2])
		if r.status != http.StatusOK {
			return withoutOutcome(l.t, r)
		}
		ask := formIn.FindStringSubmatch(r.body)
		to := withoutOutcome(l.t, l.sendHidden(form[1], ask[2]))
		if !strings.Contains(ask[2], `class="button" href="`+html.EscapeString(to)+`"`) {
			l.t.Errorf("the question of %s does not lead back to %s:\n%s", end, to, ask[2])
		}
		return to
	}
	l.t.Fatalf("no form for %s:\n%s", end, page)
	return ""
}

// sendHidden sends the hidden fields of a form.
func (l *lab) sendHidden(path, form string) reply {
	fields := url.Values{}
	for _, field := range hiddenIn.FindAllStringSubmatch(form, -1) {
		fields.Add(field[1], html.UnescapeString(field[2]))
	}
	return l.call(http.MethodPost, path, fields.Encode(), "Content-Type", formType, "Accept", htmlType)
}

func withoutOutcome(t testing.TB, r reply) string {
	t.Helper()
	to, err := url.Parse(r.header.Get("Location"))
	if err != nil || r.status != http.StatusSeeOther {
		t.Fatalf("%d, %v, %v\n%s", r.status, r.header, err, r.body)
	}
	q := to.Query()
	q.Del("said")
	to.RawQuery = q.Encode()
	return to.String()
}

// TestOps_ActOnALaterPage_LeadsBackToThatPage: also the button of a question that cancels the act.
func TestOps_ActOnALaterPage_LeadsBackToThatPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	fine(t, l.opt.Tasks.SetCaps(t.Context(), "default", tasks.Limits{Schedules: 60}))
	task := owner.accepted("a.csv", rows(1), "")
	for _, text := range []string{
		`INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, created_at) VALUES ('w', 'default', 'https://a.example', '', 's', 1)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 53)
		 INSERT INTO rollcall.outbox (id, task_num, tenant, kind, topic, round, batch, created_at, status, outcome, total, enqueue, working,
		                              finish, failed, error, canceled, retrying, skipped, started_at, finished_at)
		 SELECT 1000 + i, t.num, tenant, kind, 't', i, 1, 1, status, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM rollcall.tasks t, n WHERE t.id = '` + task + `'`,
		`INSERT INTO rollcall.deliveries (id, notice, webhook, tenant, channel, endpoint, state, next_at, created_at)
		 SELECT 'd' || id, id, 'w', tenant, 'webhook', 'https://a.example', 'dead', 1, 1 FROM rollcall.outbox WHERE id > 1000`,
	} {
		fine(t, l.db.Write.Exec(text).Error)
	}
	for range 53 {
		fine(t, l.opt.Schedules.Add(t.Context(), &schedules.Schedule{
			Tenant: "default", Name: "n", Cron: "@daily", TimeZone: "UTC", CatchUp: "skip", Request: `{"kind":"products.import","rows":[{"SKU":"A"}]}`,
		}))
		l.member("default", access.Viewer)
	}
	for first, acts := range map[string][]string{
		"/ops/schedules":             {"/pause", "/resume", "/run", "/delete"},
		"/ops/webhooks/w":            {"/replay"},
		"/ops/access":                {"/revoke"},
		"/ops/access?tenant=default": {"/revoke"},
	} {
		page := owner.page(first)
		at := html.UnescapeString(nextIn.FindStringSubmatch(page)[1])
		for _, act := range acts {
			if to := owner.leadsTo(owner.page(at), act); to != at {
				t.Errorf("%s on %s leads to %s", act, at, to)
			}
		}
		if to := owner.leadsTo(page, acts[0]); to != first {
			t.Errorf("%s on %s leads to %s", acts[0], first, to)
		}
	}
}
