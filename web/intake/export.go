package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// exportFields are the members that only a request for an export may have.
var exportFields = []string{
	"params", "format", "columns", "delimiter", "encoding", "bom", "raw", "compression",
}

// isExport reports whether a request is for an export. It returns an error for an unknown type, and for
// members that the type does not allow.
func isExport(r input.Object) (bool, error) {
	kind := tasks.Import
	if err := r.Into("type", `"import" or "export"`, &kind); err != nil {
		return false, err
	}
	if kind != tasks.Import && kind != tasks.Export {
		return false, problem.BadMember("type", http.StatusUnprocessableEntity, `type is "import" or "export".`)
	}
	alien, why := exportFields, "%s is for exports: send \"type\": \"export\"."
	if kind == tasks.Export {
		alien, why = []string{"rows", "open"}, "%s is not for exports: their rows come from the kind."
	}
	for _, name := range alien {
		if _, ok := r[name]; ok {
			return false, problem.BadMember(name, http.StatusUnprocessableEntity, fmt.Sprintf(why, name))
		}
	}
	return kind == tasks.Export, nil
}

// StartExport adds the task of an export that a request describes.
func (s *Reader) StartExport(ctx context.Context, u *ingest.Request, req input.Object, lang string) (*tasks.Task, error) {
	t, err := s.readExport(req, u, lang)
	if err != nil {
		return nil, err
	}
	return s.Ingest.AddExport(ctx, u, t)
}

// readExport returns the task of an export that a request describes, without adding it.
func (s *Reader) readExport(req input.Object, u *ingest.Request, lang string) (*tasks.Task, error) {
	u.Export = true
	if _, err := s.readTask(req, u); err != nil {
		return nil, err
	}
	if err := u.Options.CheckNoRows(); err != nil {
		return nil, err
	}
	var want jobs.ExportRequest
	var faults []problem.Fault
	err := errors.Join(
		req.Into("format", "the name of a format", &want.Format),
		req.Into("columns", "a list of the names of columns", &want.Columns),
		req.Into("delimiter", "one character", &want.Delimiter),
		req.Into("encoding", "the name of a character set", &want.Encoding),
		req.Into("bom", "true or false", &want.BOM),
		req.Into("raw", "true or false", &want.Raw),
		req.Into("compression", "gzip or zip", &want.Compression),
	)
	if err != nil {
		return nil, err
	}
	if no := want.Check(u.Kind.Export.Columns); no != nil {
		return nil, badSpec(no)
	}
	if want.Params, faults, err = readParams(req["params"], u.Kind, lang); err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		p := problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", "Some parameters are wrong; errors lists them.")
		p.Errors = faults
		return nil, p
	}
	return s.Ingest.NewExport(u, want)
}

// badSpec returns the problem of an invalid format, column or other property of the requested file.
func badSpec(no *table.BadSpec) *problem.Problem {
	at := no.Name
	if no.Index >= 0 {
		at = fmt.Sprintf("%s/%d", no.Name, no.Index)
	}
	p := problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", no.Detail)
	return p.At("/" + at)
}

// readParams reads the parameters of an export as text values. It returns them with the faults of
// invalid parameters.
func readParams(raw json.RawMessage, kind jobs.Kind, lang string) (map[string]string, []problem.Fault, error) {
	values := map[string]any{}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if len(raw) > 0 && dec.Decode(&values) != nil {
		return nil, nil, problem.BadMember("params", http.StatusUnprocessableEntity, "params is an object.")
	}
	out := map[string]string{}
	var faults []problem.Fault
	for _, name := range slices.Sorted(maps.Keys(values)) {
		known := paramOf(kind.Export.Params, name)
		text, ok := cellText(values[name])
		switch {
		case known != "" && out[known] != "":
			faults = append(faults, badParam(name, "INVALID_FIELD", fmt.Sprintf("The parameter is the same as %q, which occurs before.", known)))
		case known == "":
			faults = append(faults, badParam(name, "INVALID_FIELD", unknownParam(kind.Export.Params, name)))
		case !ok:
			faults = append(faults, badParam(name, "INVALID_FIELD", "A parameter must be text, a number or a boolean."))
		case text != "":
			out[known] = text
		}
	}
	for _, f := range kind.Export.Check(out) {
		f = kind.Localize(lang, f)
		faults = append(faults, badParam(f.Column, f.Code, locale.Printer(lang).Sentences(f.Message, f.Hint)))
	}
	slices.SortFunc(faults, func(a, b problem.Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out, faults, nil
}

// badParam returns a fault of a parameter.
func badParam(name, code, detail string) problem.Fault {
	return problem.Fault{Pointer: "/params/" + problem.Pointer(name), Column: name, Code: code, Detail: detail}
}

// paramOf returns the name of the declared parameter that a name matches; "" if there is none.
func paramOf(s *rowschema.Schema, name string) string {
	if s == nil {
		return ""
	}
	if f := s.Match([]string{name}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// unknownParam returns the message about an unknown parameter. The message lists the known parameters.
func unknownParam(s *rowschema.Schema, name string) string {
	if s == nil {
		return "This kind has no parameters."
	}
	var names []string
	for i := range s.Fields {
		names = append(names, s.Fields[i].Name)
	}
	return fmt.Sprintf("Unknown parameter %.100q. Known parameters: %s.", name, strings.Join(names, ", "))
}

// cellText converts a JSON value into the text of a cell; "" for null. The result `ok` is false for an
// object, a list, or a string that the database cannot store.
func cellText(v any) (text string, ok bool) {
	switch x := v.(type) {
	case nil:
		return "", true
	case string:
		return x, textutil.Storable(x)
	case json.Number:
		return x.String(), true
	case bool:
		return fmt.Sprint(x), true
	}
	return "", false
}
