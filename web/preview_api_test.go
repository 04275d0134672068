package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const previewPath = "/api/v1/imports/preview"

// preview requests a preview of a file of the sample kind.
func (l *lab) preview(name, content, options string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, previewPath,
		form(field("kind", "products.import"), field("options", options), file(name, content)),
		"Content-Type", multipartType)
}

// wordless removes the texts for users from a response. An empty message fails the test.
func wordless(t *testing.T, v any) {
	t.Helper()
	switch x := v.(type) {
	case map[string]any:
		if text, ok := x["message"]; ok && text == "" {
			t.Errorf("no message in %v", x)
		}
		delete(x, "message")
		delete(x, "hint")
		for _, y := range x {
			wordless(t, y)
		}
	case []any:
		for _, y := range x {
			wordless(t, y)
		}
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := "code;Name;Price;Stock;Brand;Start;Colour\n" +
		"A1;Anvil;12.50;7;Acme;2026-03-04;red\n" +
		"A2;;-3;x;Acme;;\n" +
		"A1;Anvil again;1;;Acme;;\n" +
		"A3;Bell;0;;Acme;;\n" +
		"A1;Anvil once more;1;;Acme;;\n"
	r := l.preview("p.csv", text, "")
	r.is(http.StatusOK)
	v := r.object()
	wordless(t, v)
	var want any
	fine(t, json.Unmarshal([]byte(`{
	"kind":"products.import","name":"p.csv","format":"csv","encoding":"utf-8","delimiter":";",
	"sheet":null,"sheets":[],"header_row":1,
	"columns":[{"header":"code","field":"SKU"},{"header":"Name","field":"Name"},
		{"header":"Price","field":"Price"},{"header":"Stock","field":"Stock"},
		{"header":"Brand","field":"Brand"},{"header":"Start","field":"Start"},{"header":"Colour"}],
	"unknown":["Colour"],"missing":[],"suggested_mapping":{},"problem":null,
	"rows":[
	 {"row":2,"key":"A1","errors":[],
	  "cells":{"SKU":"A1","Name":"Anvil","Price":"12.50","Stock":"7","Brand":"Acme","Start":"2026-03-04","Colour":"red"},
	  "values":{"SKU":"A1","Name":"Anvil","Price":12.5,"Stock":7,"Brand":"Acme","Start":"2026-03-04"}},
	 {"row":3,"key":"A2","cells":{"SKU":"A2","Price":"-3","Stock":"x","Brand":"Acme"},
	  "values":{"SKU":"A2","Brand":"Acme"},"errors":[
	  {"column":"Name","value":"","code":"REQUIRED"},
	  {"column":"Price","value":"-3","code":"PRICE_NOT_POSITIVE"},
	  {"column":"Stock","value":"x","code":"INVALID_NUMBER"}]},
	 {"row":4,"key":"A1","errors":[],"cells":{"SKU":"A1","Name":"Anvil again","Price":"1","Brand":"Acme"},
	  "values":{"SKU":"A1","Name":"Anvil again","Price":1,"Brand":"Acme"}},
	 {"row":5,"key":"A3","cells":{"SKU":"A3","Name":"Bell","Price":"0","Brand":"Acme"},
	  "values":{"SKU":"A3","Name":"Bell","Brand":"Acme"},"errors":[
	  {"column":"Price","value":"0","code":"PRICE_NOT_POSITIVE"}]},
	 {"row":6,"key":"A1","errors":[],"cells":{"SKU":"A1","Name":"Anvil once more","Price":"1","Brand":"Acme"},
	  "values":{"SKU":"A1","Name":"Anvil once more","Price":1,"Brand":"Acme"}}],
	"counts":{"total":5,"total_is_final":true,"valid":3,"invalid":2},
	"error_groups":[
	 {"code":"REQUIRED","column":"Name","count":1,"first_row":3,"value":""},
	 {"code":"PRICE_NOT_POSITIVE","column":"Price","count":1,"first_row":5,"value":"0"}],
	"unusual":[],
	"duplicates":{"keys":1,"rows":2,"examples":[{"key":"A1","row":4,"first_row":2},{"key":"A1","row":6,"first_row":2}]},
	"warnings":["These columns of the file are not imported; their values are only kept with the rows: \"Colour\"."],
	"estimate_s":null}`), &want))
	if diff := cmp.Diff(want, any(v)); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	l.nothingLeft()
}

// TestPreviewOfOtherForms: workbooks, lines of JSON and posted rows have previews, too.
func TestPreviewOfOtherForms(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	book := workbook(t, "Prices", xmlRow("1", "SKU", "Name", "Price")+xmlRow("2", "A1", "n", "1"), "Else", "")
	r := l.preview("p.xlsx", book, "")
	r.is(http.StatusOK)
	v := r.object()
	if v["sheet"] != "Prices" || v["format"] != "xlsx" || len(v["rows"].([]any)) != 1 || v["delimiter"] != nil {
		t.Errorf("workbook: %v", v)
	}
	line := `{"SKU":"A1","Name":"n","Price":1}`
	r = l.call(http.MethodPost, previewPath+"?kind=products.import", line+"\n"+line+"\nno JSON\n",
		"Content-Type", "application/x-ndjson")
	r.is(http.StatusOK)
	lines := r.object()
	r = l.call(http.MethodPost, previewPath, `{"kind":"products.import","rows":[`+line+`,`+line+`]}`,
		"Content-Type", "application/json")
	r.is(http.StatusOK)
	rows := r.object()
	if diff := cmp.Diff(rows["duplicates"], lines["duplicates"]); diff != "" {
		t.Errorf("duplicates of rows and lines (-rows +lines):\n%s", diff)
	}
	counts := fmt.Sprint(lines["counts"], rows["counts"])
	if want := "map[invalid:1 total:3 total_is_final:true valid:2] map[invalid:0 total:2 total_is_final:true valid:2]"; counts != want {
		t.Errorf("counts = %s, want %s", counts, want)
	}
	l.call(http.MethodPost, previewPath, `{"kind":"products.import","open":true}`,
		"Content-Type", "application/json").refuses(http.StatusUnprocessableEntity, "INVALID_FIELD")
	l.nothingLeft()
}

// TestPreviewOfWhatAMappingCanMend: the preview names the missing column and the most similar heading. With this
// mapping, the preview is complete.
func TestPreviewOfWhatAMappingCanMend(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := "SKU,Name,Prise\nA1,n,1\nA2,n,\n"
	r := l.preview("p.csv", text, "")
	r.is(http.StatusOK)
	v := r.object()
	missing, _ := json.Marshal(v["missing"])
	if string(missing) != `[{"field":"Price","nearest":"Prise"}]` {
		t.Errorf("missing = %s", missing)
	}
	if p, ok := v["problem"].(map[string]any); !ok || p["code"] != "MISSING_COLUMN" {
		t.Errorf("problem = %v", v["problem"])
	}
	if n := len(v["error_groups"].([]any)); n != 0 {
		t.Errorf("%d groups for a column that is missing", n)
	}
	r = l.preview("p.csv", text, `{"mapping":{"Prise":"Price"}}`)
	r.is(http.StatusOK)
	if v = r.object(); v["problem"] != nil || fmt.Sprint(v["counts"]) !=
		"map[invalid:1 total:2 total_is_final:true valid:1]" {
		t.Errorf("mapped: %v, %v", v["problem"], v["counts"])
	}
	r = l.preview("p.csv", "SKU,article,Name,Price\nA1,A2,n,1\n", "")
	r.is(http.StatusOK)
	if p := r.object()["problem"].(map[string]any); p["code"] != "DUPLICATE_HEADER" {
		t.Errorf("problem = %v", p)
	}
	l.nothingLeft()
}

// TestPreviewOfDamageFurtherDown returns the rows before the damage.
func TestPreviewOfDamageFurtherDown(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.preview("p.csv", rows(1500)+"S,\"never closed,1.50,Acme\n", "")
	r.is(http.StatusOK)
	v := r.object()
	p, _ := v["problem"].(map[string]any)
	if p["code"] != "UNCLOSED_QUOTE" || p["row"] != 1502.0 ||
		fmt.Sprint(v["counts"]) != "map[invalid:0 total:1500 total_is_final:false valid:1500]" {
		t.Errorf("problem = %v, counts %v", p, v["counts"])
	}
	if n := len(v["rows"].([]any)); n != 50 {
		t.Errorf("%d rows are shown", n)
	}
	l.nothingLeft()
}

// TestPreviewRefusesWhatAnImportRefuses: the same file gets the same response.
func TestPreviewRefusesWhatAnImportRefuses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for name, content := range map[string]string{
		"empty.csv":    "",
		"headings.csv": heads,
		"old.xls":      ole("Workbook"),
		"picture.xlsx": "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 100),
		"cut.xlsx":     workbook(t, "S", xmlRow("1", "SKU", "Name"))[:300],
		"twice.csv":    "SKU,Name,Price,sku\nA,n,1,B\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := l.in(t)
			want, got := l.upload(name, content, ""), l.preview(name, content, "")
			w, g := want.object(), got.object()
			for _, v := range []map[string]any{w, g} {
				delete(v, "instance")
				delete(v, "request_id")
			}
			if diff := cmp.Diff(w, g); diff != "" {
				t.Errorf("preview differs from import (-import +preview):\n%s", diff)
			}
		})
	}
	l.preview("p.csv", rows(2), `{"sheet":5}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS")
	l.preview("p.csv", rows(2), `{"mapping":{"Colour":"Name"}}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS")
	l.nothingLeft()
}

// TestPreviewOfAClientThatLeaves: a preview whose client disconnects leaves nothing stored.
func TestPreviewOfAClientThatLeaves(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	ctx, leave := context.WithCancel(t.Context())
	body, w := io.Pipe()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+previewPath, body)
	fine(t, err)
	req.Header.Set("Content-Type", multipartType)
	left := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		left <- err
	}()
	_, err = io.WriteString(w, field("kind", "products.import")+strings.TrimSuffix(file("p.csv", rows(5000)), "\r\n"))
	fine(t, err)
	leave()
	_ = w.CloseWithError(io.ErrUnexpectedEOF) // the body breaks off
	if err := <-left; err == nil {
		t.Error("a request that was left was answered")
	}
	for end := time.Now().Add(time.Minute); l.ended.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the request does not end")
		}
	}
	l.nothingLeft()
}

// TestPreview_UnusualValues_AreCounted has valid rows whose brand is none of the usual ones. The sixth
// unusual value is not named. A row that is invalid for another reason does not count.
func TestPreview_UnusualValues_AreCounted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	text := "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,1,Acne\nC,c,1,\nD,d,1,Acne \nE,e,no,Nobody\n"
	for _, brand := range []string{"v", "w", "x", "y", "z"} {
		text += brand + ",n,1," + brand + "\n"
	}
	r := l.preview("p.csv", text, "")
	r.is(http.StatusOK)
	want := []any{map[string]any{"column": "Brand", "count": 7.0, "first_row": 3.0, "values": []any{"Acne", "v", "w", "x", "y"}}}
	if diff := cmp.Diff(want, r.object()["unusual"]); diff != "" {
		t.Errorf("unusual values (-want +got):\n%s", diff)
	}
	line := `{"SKU":"A1","Name":"n","Price":1,"Brand":"Nobody"}`
	r = l.call(http.MethodPost, previewPath, `{"kind":"products.import","rows":[`+line+`]}`, "Content-Type", "application/json")
	if got := fmt.Sprint(r.object()["unusual"]); !strings.Contains(got, "values:[Nobody]") {
		t.Errorf("posted rows: %s", got)
	}
}
