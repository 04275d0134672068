package web_test

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/web"
)

// hostile is an upload whose cells look like formulas.
const hostile = "Aisle,SKU,Name,Price,=cmd|' /C calc'!A0\n" +
	"7,A,=1+1,1.50,x\n" + "8,B,+1,no,\"\ttab\"\n" + "9,C,-2+3,2,@SUM(A1)\n" +
	"010,D,-5,3, =1\n" + "11,E,＝1,4,\"'=1\"\n" + "12,F,f,5,\n"

// finished returns a lab with the hostile upload, with one row in each status, and the path of its result.
func finished(t *testing.T) (*lab, string) {
	l := newLab(t)
	id := l.accepted("Price: list/März.csv", hostile, "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "=ours"}, 3)
	l.move(id, events.Working, nil, 4)
	l.move(id, events.Canceled, nil, 5)
	return l, "/api/v1/tasks/" + id + "/result"
}

// TestResult_Raw_HasTextsAsTheyAre: a program requests texts without the apostrophe for
// spreadsheets.
func TestResult_Raw_HasTextsAsTheyAre(t *testing.T) {
	t.Parallel()
	l, path := finished(t)
	for _, format := range []string{"csv", "tsv"} {
		r := l.look(path + "?raw=true&format=" + format)
		r.is(http.StatusOK)
		for _, text := range []string{"=1+1", "@SUM(A1)", "=ours", "=cmd|"} {
			if !strings.Contains(r.body, text) || strings.Contains(r.body, "'"+text) {
				t.Errorf("%s: the text %s is not as it is: %s", format, text, r.body)
			}
		}
	}
	l.look(path+"?raw=1").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
}

// TestResultAsCSV: the file has the columns of the upload in their order, including unknown columns. No
// cell is a formula.
func TestResultAsCSV(t *testing.T) {
	t.Parallel()
	l, path := finished(t)
	r := l.look(path + "?format=csv")
	r.is(http.StatusOK)
	r.has("Content-Type", "text/csv; charset=utf-8", "Cache-Control", "no-store")
	text, marked := strings.CutPrefix(r.body, "\ufeff")
	got, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	fine(t, err)
	id := strings.Split(path, "/")[4]
	want := [][]string{
		{"Aisle", "SKU", "Name", "Price", "'=cmd|' /C calc'!A0", "Row", "Status", "Rollcall code", "Column", "Message", "Hint", "Result", "Row id"},
		{"7", "A", "'=1+1", "1.50", "x", "2", "finish", "", "", "", "", "", id + ".1"},
		{"8", "B", "'+1", "no", "'\ttab", "3", "failed", "INVALID_NUMBER", "Price", `Price: "no" is not a number`, "Enter the price without tax, such as 12.50", "", id + ".2"},
		{"9", "C", "'-2+3", "2", "'@SUM(A1)", "4", "error", "SYSTEM_ERROR", "", "'=ours", "", "", id + ".3"},
		{"010", "D", "-5", "3", "' =1", "5", "working", "", "", "", "", "", id + ".4"},
		{"11", "E", "'＝1", "4", "''=1", "6", "canceled", "", "", "", "", "", id + ".5"},
		{"12", "F", "f", "5", "", "7", "enqueue", "", "", "", "", "", id + ".6"},
	}
	if diff := cmp.Diff(want, got); diff != "" || !marked {
		t.Errorf("marked as UTF-8: %v; rows (-want +got):\n%s", marked, diff)
	}
}

// TestOnly: each choice returns its rows, in every format.
func TestOnly(t *testing.T) {
	t.Parallel()
	l, path := finished(t)
	for only, want := range map[string][]string{
		"": {"2", "3", "4", "5", "6", "7"}, "all": {"2", "3", "4", "5", "6", "7"}, "failed": {"3"},
		"error": {"4"}, "finish": {"2"}, "unprocessed": {"5", "6", "7"},
	} {
		got := map[string][]string{}
		query := path + "?only=" + only + "&format="
		table, err := csv.NewReader(strings.NewReader(l.look(query + "csv").body)).ReadAll()
		fine(t, err)
		for _, row := range table[1:] {
			got["csv"] = append(got["csv"], row[5])
		}
		for line := range strings.Lines(l.look(query + "jsonl").body) {
			var o map[string]any
			fine(t, json.Unmarshal([]byte(line), &o))
			got["jsonl"] = append(got["jsonl"], fmt.Sprint(o["row"]))
		}
		for _, row := range sheetOf(t, l.look(query+"xlsx")).rows {
			got["xlsx"] = append(got["xlsx"], row[5])
		}
		for format, rows := range got {
			if diff := cmp.Diff(want, rows); diff != "" {
				t.Errorf("only=%s as %s (-want +got):\n%s", only, format, diff)
			}
		}
	}
	l.look(path+"?only=bad").refuses(400, "INVALID_PARAMETER", `"pointer":"?only"`, "unprocessed")
	l.look(path+"?format=pdf").refuses(400, "INVALID_PARAMETER", `"pointer":"?format"`, "jsonl")
}

// sheet is a workbook that was read again.
type sheet struct {
	name, xml string
	rows      [][]string
}

func sheetOf(t *testing.T, r reply) sheet {
	t.Helper()
	r.is(http.StatusOK)
	z, err := zip.NewReader(strings.NewReader(r.body), int64(len(r.body)))
	fine(t, err)
	f, err := z.Open("xl/worksheets/sheet1.xml")
	fine(t, err)
	xml, err := io.ReadAll(f)
	fine(t, err)
	src, err := source.Open(strings.NewReader(r.body), int64(len(r.body)), source.Options{HeaderRow: 1})
	fine(t, err)
	defer src.Close()
	s := sheet{name: src.Sheet, xml: string(xml)}
	for {
		row, err := src.Next()
		if err == io.EOF {
			return s
		}
		fine(t, err)
		var texts []string
		for _, c := range row.Cells {
			texts = append(texts, c.Text)
		}
		s.rows = append(s.rows, texts)
	}
}

// TestResultAsWorkbook: the sheet has the name of the uploaded sheet. Texts stay texts, and numbers stay numbers.
func TestResultAsWorkbook(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	book := workbook(t, "März &amp; April", xmlRow("1", "SKU", "Name", "Price", "Zip")+
		xmlRow("2", "A", "=1+1", "1.50", "007")+xmlRow("3", "B", "b", "x", "008"))
	id := l.accepted("m.xlsx", book, "")
	l.split()
	r := l.look("/api/v1/tasks/" + id + "/result")
	r.has("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"Content-Disposition", "attachment; filename=m.xlsx")
	s := sheetOf(t, r)
	if s.name != "März & April" || len(s.rows) != 2 || s.rows[0][1] != "=1+1" || s.rows[0][3] != "007" {
		t.Errorf("got %q: %q", s.name, s.rows)
	}
	if strings.Contains(s.xml, "<f>") || !strings.Contains(s.xml, "<v>1.50</v>") {
		t.Errorf("a formula, or a price that is no number: %s", s.xml)
	}
}

// TestNamesOfDownloads: the names follow those of the uploads, and are harmless on every system.
func TestNamesOfDownloads(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for name, want := range map[string]string{
		"spring.csv":                        "spring-failed.csv",
		"spring.csv.gz":                     "spring-failed.csv",
		"spring.csv.GZ":                     "spring-failed.csv",
		"März 2026.xlsx":                    "März 2026-failed.csv",
		`../../etc/passwd`:                  "passwd-failed.csv",
		`C:\\Users\\me\\p.csv`:              "p-failed.csv",
		`a:b*c?d<e>f|g%h.csv`:               "a_b_c_d_e_f_g_h-failed.csv",
		"gpj\u202ecsv.exe.csv":              "gpj_csv.exe-failed.csv",
		strings.Repeat("é", 300) + ".csv":   strings.Repeat("é", 100) + "-failed.csv",
		".csv":                              "upload-failed.csv",
		"..":                                "upload-failed.csv",
		"a\tb.csv":                          "ab-failed.csv",
		"":                                  "upload-failed.csv",
		"x.csv\\\"; filename=\\\"evil.html": "x.csv_; filename=_evil-failed.csv",
		"%0d%0aSet-Cookie: a=b.csv":         "_0d_0aSet-Cookie_ a=b-failed.csv",
		"\xff\xfe.csv":                      "_-failed.csv",
	} {
		id := l.accepted(name, rows(1), "")
		r := l.look("/api/v1/tasks/" + id + "/result?only=failed&format=csv")
		r.is(http.StatusOK)
		kind, params, err := mime.ParseMediaType(r.header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || params["filename"] != want || len(r.header["Set-Cookie"]) > 0 {
			t.Errorf("%q: %q, %v, want %q", name, r.header.Get("Content-Disposition"), err, want)
		}
		if kept := l.task(id).FileName; len([]rune(kept)) > 255 || strings.ContainsAny(kept, "/\r\n\t") {
			t.Errorf("%q is kept as %q", name, kept)
		}
	}
}

// TestResultThatBreaksOff: an incomplete file must not look complete.
func TestResultThatBreaksOff(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(1300), "")
	l.split()
	num := l.task(id).Num
	fine(t, l.db.Write.Exec("UPDATE rollcall.events SET params = '[' WHERE id = ?", int64(events.NewID(num, 1200))).Error)
	for _, format := range []string{"csv", "jsonl", "xlsx"} {
		r, err := l.try(http.MethodGet, "/api/v1/tasks/"+id+"/result?format="+format, nil)
		if !errors.Is(err, io.ErrUnexpectedEOF) || r.status != http.StatusOK {
			t.Errorf("%s of a broken row: %d, %v, want a connection that breaks", format, r.status, err)
		}
	}
	r := l.look("/api/v1/tasks/" + id + "/result?only=finish") // no row has finished, so the broken row is not read
	r.is(http.StatusOK)
	fine(t, l.db.Write.Exec("UPDATE rollcall.events SET params = '[' WHERE id = ?", int64(events.NewID(num, 1))).Error)
	for _, format := range []string{"csv", "jsonl", "xlsx"} {
		r := l.look("/api/v1/tasks/" + id + "/result?format=" + format)
		r.refuses(500, "INTERNAL")
		r.has("Content-Disposition", "")
	}
	l.look("/api/v1/tasks/"+id+"/events?row_gte=1200").refuses(500, "INTERNAL")
}

// TestResultOfATaskThatIsPurged: the task is purged during the download. The incomplete file does
// not look complete.
func TestResultOfATaskThatIsPurged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	long := strings.Repeat("x", 8000) // 16 MB in all: more than the buffers of the connection hold
	var b strings.Builder
	b.WriteString("SKU,Name,Price,Note\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "S%d,n,1,%s\n", i, long)
	}
	id := l.accepted("a.csv", b.String(), "")
	l.split()
	for _, format := range []string{"csv", "jsonl"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.url+"/api/v1/tasks/"+id+"/result?format="+format, nil)
		fine(t, err)
		res, err := watch{t}.RoundTrip(req)
		fine(t, err)
		_, err = io.CopyN(io.Discard, res.Body, 1000)
		fine(t, err)
		fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET purged_at = 1 WHERE id = ?", id).Error)
		if _, err := io.Copy(io.Discard, res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v, want a connection that breaks", format, err)
		}
		fine(t, res.Body.Close())
		l.look("/api/v1/tasks/"+id+"/result?format="+format).refuses(410, "TASK_EXPIRED")
		fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET purged_at = 0 WHERE id = ?", id).Error)
	}
}

// TestLimitsOfAServer: too many rows are a problem of the task, because only reading finds them.
func TestLimitsOfAServer(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Limits = tabular.Limits{Rows: 300} })
	id := l.accepted("a.csv", rows(301), "")
	l.split()
	problem, _ := l.look("/api/v1/tasks/" + id).object()["problem"].(map[string]any)
	if problem["code"] != "TOO_MANY_ROWS" || problem["row"] != 302.0 {
		t.Errorf("problem %v, want TOO_MANY_ROWS at row 302", problem)
	}
}
