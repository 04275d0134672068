package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/web"
)

// bad is one of the bad inputs of faults.md, whose number begins its name.
type bad struct {
	name, content string
	options       string
	status        int
	code, says    string // of the refusal; or of the task's problem, if the input was accepted
	rows          string // of the task: "row code column value", or "row Name"
	warns         string // of the task
}

// TestBadInputs: each input has the right status, code and text, or invalidates only the wrong
// rows. A refused input leaves nothing stored, and no response is logged as a system error.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	list := slices.Concat(badFiles(t), badBooks(t), badHeaders(), badTexts(t), badValues(t))
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, func(o *web.Options) {
				o.MaxUpload = 8 << 20
				o.Limits = tabular.Limits{Unzipped: 16 << 20, Rows: 20, Dir: t.TempDir()}
			})
			names := []string{"upload.xlsx", "upload.csv"}
			if tt.status == http.StatusAccepted {
				names = names[:1]
			}
			for _, name := range names {
				r := l.upload(name, tt.content, tt.options)
				if tt.status != http.StatusAccepted {
					r.refuses(tt.status, tt.code, tt.says)
					l.nothingLeft()
					continue
				}
				r.is(http.StatusAccepted)
				l.split()
				l.became(r.object()["id"].(string), tt)
			}
			left(t, l.opt.Limits.Dir)
			if text := l.log.String(); strings.Contains(text, "level=ERROR") {
				t.Errorf("logged: %s", text)
			}
		})
	}
}

// TestBadRequests tests entries 21, 23 and 24 of faults.md, for any content of the file.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	kind, csv := field("kind", "products.import"), file("a.csv", rows(2))
	unnamed := "--frontier\r\nContent-Disposition: form-data\r\n\r\nx\r\n"
	for _, tt := range []struct {
		name, media, body string
		status            int
		code              string
	}{
		{"21 over the size", multipartType, form(kind, file("a.csv", rows(90_000))), 413, "FILE_TOO_LARGE"},
		{"23 two files", multipartType, form(kind, csv, csv), 400, "SEVERAL_FILES"},
		{"23 no file", multipartType, form(kind), 400, "FILE_MISSING"},
		{"23 a part without a name", multipartType, form(kind, csv, unnamed), 400, "INVALID_FIELD"},
		{"24 no boundary", "multipart/form-data", form(kind, csv), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"24 another type", "text/csv", rows(2), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"24 no type", "", form(kind, csv), 415, "UNSUPPORTED_MEDIA_TYPE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := l.in(t)
			l.call(http.MethodPost, "/api/v1/tasks", tt.body, "Content-Type", tt.media).refuses(tt.status, tt.code)
			l.nothingLeft()
		})
	}
}

// became compares the task of an accepted file with the expected one.
func (l *lab) became(id string, want bad) {
	l.t.Helper()
	list, _ := l.look("/api/v1/tasks/" + id + "/events").items()
	var got []string
	for _, e := range list {
		code, column, value := "", "", ""
		if e["status"] == "failed" {
			code, column = fmt.Sprint(" ", e["code"]), text(e["column"])
			value = text(e["value"])
			if text(e["message"]) == "" {
				l.t.Errorf("no words in %v", e)
			}
		} else if params, ok := e["params"].(map[string]any); ok {
			value = text(params["Name"])
		}
		short := strings.TrimSpace(fmt.Sprintf("%v%s %s %.40s", e["row"], code, column, value))
		got = append(got, strings.Join(strings.Fields(short), " "))
	}
	if all := strings.Join(got, "; "); all != want.rows {
		l.t.Errorf("rows:\n%s\nwant:\n%s", all, want.rows)
	}
	task := l.look("/api/v1/tasks/" + id).object()
	if warnings := fmt.Sprint(task["warnings"]); !strings.Contains(warnings, want.warns) {
		l.t.Errorf("warnings %s, want %q", warnings, want.warns)
	}
	problem, _ := task["problem"].(map[string]any)
	if text(problem["code"]) != want.code || !strings.Contains(text(problem["detail"]), want.says) {
		l.t.Errorf("problem %v, want %s with %q", problem, want.code, want.says)
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func left(t *testing.T, dir string) {
	t.Helper()
	entries, err := listDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestFailedRowsGoBackUnchanged tests entry 57 of faults.md: the file of failed rows, uploaded
// unchanged, has the same faults and no others.
func TestFailedRowsGoBackUnchanged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	faults := func(id string) (list []string) {
		items, _ := l.look("/api/v1/tasks/" + id + "/errors").items()
		for _, e := range items {
			list = append(list, strings.Join([]string{text(e["code"]), text(e["column"]), text(e["value"])}, " "))
		}
		return list
	}
	first := l.accepted("a.csv", heads+"A,a,1,\nB,b,12.x,Acme\n,c,2,Acme\nD,d,0,Acme\n", "")
	l.split()
	want := faults(first)
	for _, format := range []string{"csv", "xlsx"} {
		r := l.look("/api/v1/tasks/" + first + "/result?only=failed&format=" + format)
		r.is(http.StatusOK)
		id := l.accepted("again."+format, r.body, "")
		l.split()
		if got := faults(id); len(want) != 3 || !slices.Equal(got, want) {
			t.Errorf("%s: faults %q, want %q", format, got, want)
		}
	}
}
