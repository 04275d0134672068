package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestFix_MoreRowsThanAreCounted_CardSaysAtLeast: the counts of texts cover only the first 1,000 failed rows.
func TestFix_MoreRowsThanAreCounted_CardSaysAtLeast(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, ledgers.SQLite(t))
	id := l.accepted("p.csv", heads+strings.Repeat("S,a,1 EUR,Acme\nT,b,bad2,Acme\n", 510), "")
	l.split()
	page := l.look("/tasks/"+id, "Accept", htmlType).body
	tells(t, page, "1,020 rows", "1 EUR at least 500 rows", "bad2 at least 500 rows", "No suggestion.", "Fix and run at least 500 rows")
	if !strings.Contains(page, `data-some="Fix and run at least {n} rows"`) {
		t.Error("the button cannot say how many rows it corrects at least")
	}
}

// TestFix_PointOfThousandsOrDecimals_IsRefused: in a task with a decimal comma, a card, a cell and a corrected file
// refuse a number whose point may be a separator of thousands.
func TestFix_PointOfThousandsOrDecimals_IsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", "SKU;Name;Price\nA;a;1.250\nB;b;12,50\nC;c;x\nD;d;y\nE;e;z\n", `{"decimal":","}`)
	l.split()
	l.look("/api/v1/events/"+id+".1").says("params.Price", "1250")
	const question = `Price: "1.250" may be the whole number 1250 or, with a decimal comma, 1,250: write it without a point`
	path, fix := "/tasks/"+id, []string{"code", "INVALID_NUMBER", "column", "Price", "from", "x", "to"}
	cell := "/api/v1/events/" + id + ".3"
	patch := func(price string) reply {
		body := `{"params":{"Price":"` + price + `"}}`
		return l.call("PATCH", cell, body, "Content-Type", "application/json", "If-Match", l.look(cell).header.Get("ETag"))
	}
	if page := l.submits(path+"/fix", append(fix, "1.250")...); !strings.Contains(words(page.body), question) {
		t.Errorf("the card accepts it:\n%s", words(page.body))
	}
	counts := l.correct(id, "r.csv", l.edited(id, ";x;", ";1.250;")).object()
	if counts["changed"] != 1.0 || counts["resubmitted"] != 0.0 {
		t.Errorf("a corrected file: %v", counts)
	}
	l.look("/api/v1/events/"+id+".3").says("code", "UNCLEAR_NUMBER", "message", question)
	tells(t, l.page(path+"/repair"), "Price : Thousands or decimals?")
	counts = l.correct(id, "r2.csv", l.edited(id, ";z;", ";1,250;")).object()
	if counts["changed"] != 1.0 || counts["resubmitted"] != 1.0 {
		t.Errorf("a corrected file with a comma: %v", counts)
	}
	l.submits(path+"/fix", "code", "INVALID_NUMBER", "column", "Price", "from", "y", "to", "12,500")
	l.look("/api/v1/events/"+id+".4").says("params.Price", "12.500", "resolution.state", "fixed")
	patch("1.250").says("code", "UNCLEAR_NUMBER", "resolution.state", "open")
	patch("2.250").says("code", "UNCLEAR_NUMBER")
	l.correct(id, "r3.csv", l.edited(id, ";2.250;", ";2,250;"))
	if state, _ := l.look(cell).object()["resolution"].(map[string]any); state["state"] != "resubmitted" {
		t.Errorf("a corrected file with the same number and a comma: %v", state)
	}
}

// TestFix_RowsWithASecondFault_ButtonSaysHowManyRun: a row with a fault in another column is corrected, and does not
// run. The button and the message say so.
func TestFix_RowsWithASecondFault_ButtonSaysHowManyRun(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", "SKU,Name,Price,Stock\nA,a,1 EUR,1\nB,b,1 EUR,x\nC,c,1 EUR,3\n", "")
		path, fix := "/tasks/"+id, []string{"code", "INVALID_NUMBER", "column", "Price", "from", "1 EUR", "to", "1"}
		l.split()
		page := l.look(path, "Accept", htmlType).body
		tells(t, page, "Price : Invalid number 3 rows", "Fix 3 rows, run 2", "1 row has another error and does not run yet")
		for _, part := range []string{`data-both="Fix {n} rows, run {m}"`, `data-fix="Fix {n} rows"`, `data-fix-single="Fix 1 row"`, `data-rows="3" data-stay="1"`} {
			if !strings.Contains(page, part) {
				t.Errorf("the button has no %s", part)
			}
		}
		tells(t, l.submits(path+"/fix", fix...).body, "in 3 rows", "1 row needs a correction", "2 ready to run")

		id = l.accepted("q.csv", "SKU,Name,Price,Stock\nA,a,1 EUR,x\nB,b,2,3\n", "")
		l.split()
		tells(t, l.look("/tasks/"+id, "Accept", htmlType).body, "Fix 1 row 1 row has another error")
	})
}

// TestFix_ImportIsKeptBack_RowsRunWithTheImport: no button promises a run, and the undo works until the import.
func TestFix_ImportIsKeptBack_RowsRunWithTheImport(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S1,a,1,Acme\nS2,a,nix,Acme\nS3,a,nix,Acme\n", `{"on_invalid":"block"}`)
	l.split()
	path := "/tasks/" + id
	if page := l.look(path, "Accept", htmlType).body; !strings.Contains(page, `data-some="Fix {n} rows"`) || strings.Contains(page, "Fix and run") {
		t.Errorf("the page promises a run:\n%s", words(page))
	}
	fix := []string{"code", "INVALID_NUMBER", "column", "Price", "from", "nix", "to", "3"}
	runner := operate.NewRunner(l.opt.Tasks, l.opt.Events, l.opt.Kinds, operate.RunnerOptions{Now: l.opt.Now})
	for range 2 {
		page := l.submits(path+"/fix", fix...).body
		tells(t, page, "Price: “nix” becomes “3” in 2 rows. 2 rows are ready to import.", "Import 3 rows", "Undo")
		l.pass(time.Minute)
		fine(t, runner.RunDue(t.Context()))
		l.look("/api/v1"+path).says("counts.failed", 2)
		act := actIn.FindStringSubmatch(page)[1]
		tells(t, l.submits(path+"/repair", "act", "undo", "act_id", act, "go", "1", "back", "task").body, "2 rows have their previous values again.")
	}
	l.submits(path+"/fix", fix...)
	tells(t, l.submits(path+"/resume", "ready", "run").body, "3 waiting")
	l.look("/api/v1"+path).says("counts.failed", 0, "counts.enqueue", 3)
}
