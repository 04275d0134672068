package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// TestTheSchemaOfAKindIsJSONSchema: the schema compiles, and accepts and refuses the same rows as
// the service.
func TestTheSchemaOfAKindIsJSONSchema(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.look("/api/v1/kinds/products.import")
	r.is(http.StatusOK)
	var kind struct{ Schema json.RawMessage }
	fine(t, json.Unmarshal([]byte(r.body), &kind))
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(kind.Schema)))
	fine(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	fine(t, c.AddResource("kind.json", doc))
	schema, err := c.Compile("kind.json")
	fine(t, err)
	for row, ok := range map[string]bool{
		`{"SKU":"A","Name":"b","Price":12.5}`:                                            true,
		`{"SKU":"A","Name":"b","Price":"12.50","Stock":null,"Brand":"","Note":"x"}`:      true,
		`{"SKU":"A","Name":"b","Price":0}`:                                               false,
		`{"SKU":"A","Name":"b"}`:                                                         false,
		`{"SKU":"","Name":"b","Price":1}`:                                                false,
		`{"SKU":"` + strings.Repeat("a", 65) + `","Name":"b","Price":1}`:                 false,
		`{"SKU":"A","Name":"b","Price":1,"Aisle":"7"}`:                                   false,
		`{"SKU":"A","Name":"b","Price":1,"Stock":-1}`:                                    false,
		`{"SKU":"A","Name":"b","Price":{"amount":1}}`:                                    false,
		`{"SKU":"A","Name":"b","Price":1,"Start":"2026-03-31","Stock":4,"Brand":"Acme"}`: true,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(row))
		fine(t, err)
		if err := schema.Validate(v); (err == nil) != ok {
			t.Errorf("%s: the schema says %v, want accepted = %v", row, err, ok)
		}
		if accepted := l.takesRow(row); accepted != ok {
			t.Errorf("%s: Rollcall accepts = %v, want %v", row, accepted, ok)
		}
	}
}

// takesRow reports whether a row that is sent as JSON becomes a job.
func (l *lab) takesRow(row string) bool {
	l.t.Helper()
	r := l.postJSON("/tasks", `{"kind":"products.import","rows":[`+row+`]}`)
	if r.status != http.StatusAccepted {
		return false
	}
	l.split()
	return l.task(r.object()["id"].(string)).Failed == 0
}

// TestColumnsAreEnoughForAnEditor: the columns contain what a grid needs, in the language of the
// reader.
func TestColumnsAreEnoughForAnEditor(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	columns := l.look("/api/v1/kinds/products.import", "Accept-Language", "ru").object()["columns"].([]any)
	b, err := json.Marshal(columns[2])
	fine(t, err)
	reply{t: t, body: string(b)}.same(`{"name":"Price","title":"Цена","known":[],"none":null,"aliases":["цена","价格","giá"],"type":"number","key":false,"version":false,
		"required":true,"sensitive":false,"enum":[],"rules":[{"name":"gt","param":"0"}],"formats":[],
		"locale":null,"units":[],"example":"12.50","hint":"Укажите цену без налога, например 12.50"}`)
	if start := fmt.Sprint(columns[5].(map[string]any)["formats"]); start != "[YYYY-MM-DD]" {
		t.Errorf("dates are written as %s", start)
	}
}

// TestKinds_ColumnOfVersions_IsMarked: an editor shows which column decides which row is the newest.
func TestKinds_ColumnOfVersions_IsMarked(t *testing.T) {
	t.Parallel()
	type edition struct {
		SKU string `row:"SKU" key:"true"`
		No  int64  `row:"No" version:"true" validate:"required"`
	}
	l := newLab(t, func(o *web.Options) {
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define("editions.import",
			func(context.Context, *worker.Job[edition]) error { return nil })))
	})
	for i, c := range l.look("/api/v1/kinds/editions.import").object()["columns"].([]any) {
		if marked := c.(map[string]any)["version"]; marked != (i == 1) {
			t.Errorf("column %d: version is %v", i, marked)
		}
	}
}

func TestTemplateIsServed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	path := "/api/v1/kinds/products.import/template"
	r := l.look(path, "Accept-Language", "vi")
	r.is(http.StatusOK)
	r.has("Content-Disposition", "attachment; filename=products.import.xlsx",
		"Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Content-Language", "vi")
	l.upload("t.xlsx", r.body, "").refuses(http.StatusUnprocessableEntity, "NO_DATA_ROWS")
	csv := l.look(path + "?format=csv")
	csv.is(http.StatusOK)
	if !strings.Contains(csv.body, "SKU,Name,Price") {
		t.Errorf("csv: %s", csv.body)
	}
	l.look(path+"?format=ods").refuses(http.StatusBadRequest, "INVALID_PARAMETER")
	l.look("/api/v1/kinds/no.such/template").refuses(http.StatusNotFound, "NOT_FOUND")
}
