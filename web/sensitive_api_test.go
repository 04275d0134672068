package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// patient has a column that nobody may read over a shoulder.
type patient struct {
	No    string `row:"No" key:"true" validate:"required"`
	Phone string `row:"Phone" alias:"tel" sensitive:"true" validate:"required,e164"`
}

// TestSensitiveColumnsAreMasked wherever rows are shown, and nowhere written
// down in full but in the row itself: the file that goes back to who uploaded it
// keeps what they wrote.
func TestSensitiveColumnsAreMasked(t *testing.T) {
	t.Parallel()
	const phone, broken, short = "+14155550177", "0415-555-0199", "0417"
	l := newLab(t, func(o *web.Options) {
		o.Kinds = worker.NewRegistry(worker.Define("patients.import",
			func(context.Context, *worker.Job[patient]) error { return nil }))
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
	for _, secret := range []string{phone, broken, short, "155550177", "0415"} {
		if strings.Contains(all.String(), secret) {
			t.Errorf("%q is shown", secret)
		}
	}
	for _, want := range []string{`"Phone":"••••0177"`, `"value":"••••0199"`, `"value":"••••"`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not shown: %.3000s", want, all.String())
		}
	}
	if csv := l.look("/api/v1/tasks/" + id + "/result?format=csv").body; !strings.Contains(csv, broken) {
		t.Errorf("the result lacks what was uploaded: %s", csv)
	}
}
