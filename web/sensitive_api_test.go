package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// patient is a row with a column of personal data.
type patient struct {
	No    string `row:"No" key:"true" validate:"required"`
	Phone string `row:"Phone" alias:"tel" sensitive:"true" validate:"required,e164"`
}

// TestSensitiveColumnsAreMasked: values are masked wherever rows are shown, and stored only in the
// row. The file for the user who uploaded it contains them.
func TestSensitiveColumnsAreMasked(t *testing.T) {
	t.Parallel()
	// No ID and no time contains the letter x, so none can be taken for such a value.
	const phone, broken, short = "+14155550177", "04x15-555-0199", "04x7"
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("patients.import",
			func(context.Context, *worker.Job[patient]) error { return nil })))
	})
	r := l.postForm(field("kind", "patients.import"),
		file("a.csv", "No,tel\n1,"+phone+"\n2,"+broken+"\n3,"+short+"\n"))
	r.is(http.StatusAccepted)
	l.split()
	id := r.object()["id"].(string)
	var all strings.Builder
	for _, path := range []string{"", "/events", "/errors", "/error-groups"} {
		for _, lang := range []string{"en", "ru"} {
			all.WriteString(l.look("/api/v1/tasks/"+id+path, "Accept-Language", lang).body)
		}
	}
	all.WriteString(l.look("/api/v1/events/" + id + ".1").body)
	preview := l.call(http.MethodPost, "/api/v1/imports/preview", form(field("kind", "patients.import"),
		file("a.csv", "No,tel\n1,"+phone+"\n2,"+broken+"\n")), "Content-Type", multipartType)
	preview.is(http.StatusOK)
	all.WriteString(preview.body)
	all.WriteString(l.look("/tasks/"+id).body + l.log.String())
	for _, secret := range []string{phone, broken, short, "155550177", "04x15"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%q is shown", secret)
		}
	}
	for _, want := range []string{`"Phone":"••••0177"`, `"value":"••••0199"`, `"value":"••••"`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not shown: %.3000s", want, all.String())
		}
	}
	l.pass(1000)
	number := l.review(id, "repair", `{"filter":{},"patch":{"set":{"Phone":"0499-777-0133"}},"dry_run":true}`)
	number.says("changed", 2, "still_invalid", 2)
	patched := l.patch(id+".2", `"1"`, `{"params":{"tel":"0499-777-0144"}}`)
	patched.says("status", "failed", "value", "••••0144", "params.Phone", "••••0144")
	sheet := strings.Replace(l.look("/api/v1/tasks/"+id+"/result?format=csv").body, short, "0499-777-0155", 1)
	corrected := l.correct(id, "a.csv", sheet, field("dry_run", "true"))
	corrected.says("changed", 1, "still_invalid", 1)
	probed := l.review(id, "repair", `{"filter":{},"patch":{"replace":{"column":"tel","find":"0499","with":"+61499"}},"dry_run":true}`)
	probed.refuses(http.StatusUnprocessableEntity, "INVALID_CELL", "/patch/tel")
	audit := l.look("/api/v1/tasks/" + id + "/audit")
	if !strings.Contains(audit.body, `"before":{"Phone":"••••0199"},"after":{"Phone":"••••0144"}`) {
		t.Errorf("audit: %s", audit.body)
	}
	for _, r := range []reply{number, patched, corrected, audit, probed, l.look("/tasks/" + id)} {
		if strings.Contains(r.body, "499-777-") || strings.Contains(r.body, "04x15") || strings.Contains(r.body, short) {
			t.Errorf("shown: %s", r.body)
		}
	}
	if csv := l.look("/api/v1/tasks/" + id + "/result?format=csv").body; !strings.Contains(csv, "0499-777-0144") {
		t.Errorf("the result lacks what was uploaded: %s", csv)
	}
}

// TestSensitive_FixByHandMadeForm_IsRefused: a form made by hand cannot fill the empty cells of a sensitive column
// in one act, because the history would show the new text to viewers.
func TestSensitive_FixByHandMadeForm_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("patients.import",
			func(context.Context, *worker.Job[patient]) error { return nil })))
	})
	const phone = "+14155550177"
	r := l.postForm(field("kind", "patients.import"), file("a.csv", "No,Phone\n1,\n2,\n3,\n"))
	r.is(http.StatusAccepted)
	l.split()
	task := "/tasks/" + r.object()["id"].(string)
	for _, column := range []string{"Phone", "tel"} {
		l.submits(task+"/fix", "code", "REQUIRED", "column", column, "from", "", "to", phone)
	}
	row := l.submits(task+"/rows/1", "version", "1", "cell:Phone", phone, "same", "1")
	tells(t, row.body, "••••0177")
	l.look("/api/v1"+task).says("counts.failed", 3)
	all := row.body + l.page(task)
	for _, path := range []string{"/events", "/audit"} {
		all += l.look("/api/v1" + task + path).body
	}
	if strings.Contains(all, phone[1:]) { // pages escape the plus sign
		t.Error("the phone number is shown")
	}
	if n := strings.Count(l.look("/api/v1"+task+"/events").body, "••••0177"); n != 1 {
		t.Errorf("%d rows have the phone number, not only row 1", n)
	}
	id := strings.TrimPrefix(task, "/tasks/")
	l.review(id, "resubmit", `{"ids":["`+id+`.2","`+id+`.3"],"patch":{"set":{"Phone":"`+phone+`"}}}`).says("resubmitted", 2)
	history := l.page(task)
	if tells(t, history, "2 rows sent to run · Phone → ••••0177"); strings.Contains(history, phone[1:]) {
		t.Error("the history shows the phone number")
	}
}

// TestSensitive_ActOnEmptyCells_IsRefused: an act that selects or replaces empty cells would show which cells of
// a sensitive column are empty, and fill only these.
func TestSensitive_ActOnEmptyCells_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("patients.import",
			func(context.Context, *worker.Job[patient]) error { return nil })))
	})
	r := l.postForm(field("kind", "patients.import"), file("a.csv", "No,Phone\n1,\n2,\n"))
	r.is(http.StatusAccepted)
	l.split()
	id := r.object()["id"].(string)
	for _, column := range []string{"Phone", "tel"} {
		for _, act := range [][]string{
			{"act", "skip", "only", "", "column", "Phone", "rows", "all"},
			{"act", "skip", "only", "", "column", column, "id", id + ".1"},
			{"act", "replace", "of", column, "find", "", "whole", "1", "with", "+14155550177", "id", id + ".1"},
		} {
			for _, step := range [][]string{nil, {"go", "1"}} {
				if got := l.submits("/tasks/"+id+"/repair", append(act, step...)...); got.status != http.StatusUnprocessableEntity {
					t.Errorf("%v %v: %d %s", act, step, got.status, words(got.body))
				}
			}
		}
		replace := `{"filter":{},"patch":{"replace":{"column":"` + column + `","find":"","whole":true,"with":"+14155550177"}}}`
		l.review(id, "repair", replace).refuses(http.StatusUnprocessableEntity, "INVALID_CELL", "/patch/"+column)
	}
	l.look("/api/v1/events/"+id+".1").says("resolution.state", "open", "version", 1)
}

// TestSensitive_Viewer_GetsMaskedResults: results in each format are masked for viewers, and
// viewers cannot download the upload. A link of a reviewer works.
func TestSensitive_Viewer_GetsMaskedResults(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	const phone = "+14155550177"
	id := d.acme.imported("No,tel,Note\nA," + phone + ",note\nB,04x15-555-0199,note\n")
	d.split()
	_, secret := d.member("acme", access.Viewer)
	viewer := d.as(secret)
	for _, format := range []string{"csv", "jsonl"} {
		result := viewer.look("/api/v1/tasks/" + id + "/result?format=" + format)
		result.is(http.StatusOK)
		tells(t, result.body, "••••0177", "••••0199")
		if strings.Contains(result.body, phone) || strings.Contains(result.body, "04x15") || !strings.Contains(result.body, "note") {
			t.Errorf("a viewer reads %s", result.body)
		}
	}
	tells(t, d.acme.look("/api/v1/tasks/"+id+"/result?format=csv").body, phone)
	upload := "/api/v1/files/" + d.acme.look("/api/v1/tasks/" + id).object()["source"].(map[string]any)["file_id"].(string)
	viewer.look(upload+"/content").refuses(http.StatusForbidden, "SCOPE_MISSING", "rows:review")
	viewer.postTo(upload+"/links", `{}`).refuses(http.StatusForbidden, "SCOPE_MISSING")
	d.acme.look(upload + "/content").is(http.StatusOK)
	tells(t, d.as("").look(d.acme.linkTo(upload)).body, phone)

	r := d.acme.postForm(field("kind", patients), field("options", `{"encoding":"shift_jis"}`), file("b.csv", "No,tel,Note\nC,04x15-555-0199,note,secret\n"))
	r.is(http.StatusAccepted)
	d.split()
	for _, id := range []string{id, r.object()["id"].(string)} {
		masked := viewer.look("/api/v1/tasks/" + id + "/result?format=csv&only=failed").body
		if got := d.acme.correct(id, "result.csv", masked).numbers(); got["changed"] != 0 || got["matched"]+got["unchanged"] == 0 {
			t.Errorf("a masked result, sent back, changes %v:\n%s", got, masked)
		}
	}
}

// TestSensitive_MaskedResultSentBackLater_ChangesNothing: the result is older than a change of a masked value, or
// of a time at which no process registered the kind. Then all its columns are masked.
func TestSensitive_MaskedResultSentBackLater_ChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	id := d.acme.imported("No,tel,Note\nAnn Lee,04x15-555-0199,call in the morning\nBob Ray,04x15-555-0188,\nEve,,note\n")
	d.split()
	_, secret := d.member("acme", access.Viewer)
	viewer, result := d.as(secret), "/api/v1/tasks/"+id+"/result?format=csv"
	kindOf := func(name string) { fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET kind = ?", name).Error) }
	kindOf("gone")
	hidden := viewer.look(result).body
	tells(t, hidden, "••••0199", "••••ning", "••••ay")
	kindOf(patients)
	masked := viewer.look(result).body
	for _, file := range []string{hidden, strings.ReplaceAll(masked, "Eve,,", "Eve,••••0177,")} {
		if got := d.acme.correct(id, "result.csv", file).numbers(); got["changed"] != 0 {
			t.Errorf("it changes %v:\n%s", got, file)
		}
	}
	d.acme.patch(id+".1", `"1"`, `{"params":{"tel":"04x99-777-0144"}}`).is(http.StatusOK)
	d.acme.patch(id+".2", `"1"`, `{"params":{"tel":""}}`).is(http.StatusOK)
	if got := d.acme.correct(id, "result.csv", masked).numbers(); got["changed"] != 0 {
		t.Errorf("with masks of earlier values, it changes %v", got)
	}
	d.acme.patch(id+".1", `"2"`, `{"params":{"Note":"at noon"}}`).is(http.StatusOK)
	if got := d.acme.correct(id, "result.csv", hidden).numbers(); got["changed"] != 0 {
		t.Errorf("with masks of an earlier value in a column that is not sensitive, it changes %v", got)
	}
	if now := d.acme.look(result).body; strings.Contains(now, "•") || !strings.Contains(now, "04x99-777-0144") {
		t.Errorf("the rows are now:\n%s", now)
	}
	d.acme.patch(id+".2", `"2"`, `{"params":{"tel":"••••0188"}}`).refuses(http.StatusUnprocessableEntity, "INVALID_CELL", "/params/tel")
}

// TestSensitive_ViewerOfAnUnregisteredKind_GetsMaskedValues: no process knows the columns of the kind, so
// each may be sensitive.
func TestSensitive_ViewerOfAnUnregisteredKind_GetsMaskedValues(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	const phone = "+14155550177"
	id := d.acme.imported("No,tel,Note\nA," + phone + ",note\nB,04x15-555-0199,note\n")
	d.split()
	d.acme.patch(id+".2", `"1"`, `{"params":{"tel":"04x99-777-0144"}}`).is(http.StatusOK)
	fine(t, d.db.Write.Exec("UPDATE rollcall.tasks SET kind = 'gone'").Error)
	_, secret := d.member("acme", access.Viewer)
	viewer, task := d.as(secret), "/api/v1/tasks/"+id
	for path, want := range map[string]string{
		task + "/events": "••••0177", "/api/v1/events/" + id + ".1": "••••0177", task + "/result?format=csv": "••••0177",
		task + "/result?format=jsonl": "••••0144", task + "/audit": "••••0144", task + "/events?q=14155550177": `"items":[]`,
		"/api/v1/events/" + id + ".2": `"value":"••••0144"`,
	} {
		body := viewer.look(path).body
		tells(t, body, want)
		if strings.Contains(body, phone) || strings.Contains(body, "04x") {
			t.Errorf("a viewer reads %s: %s", path, body)
		}
	}
	for _, path := range []string{task + "/events", task + "/events?q=14155550177", task + "/result?format=csv"} {
		tells(t, d.acme.look(path).body, phone)
	}
	upload := "/api/v1/files/" + d.acme.look(task).object()["source"].(map[string]any)["file_id"].(string)
	viewer.look(upload+"/content").refuses(http.StatusForbidden, "SCOPE_MISSING", "rows:review")
	d.acme.look(upload + "/content").is(http.StatusOK)
}
