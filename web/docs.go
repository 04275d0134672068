package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/web/problem"
)

// docsPage holds the data of the page that shows the OpenAPI document.
type docsPage struct {
	Title   string
	Refresh bool // always false: the page does not change
	Intro   []string
	Groups  []docsGroup
	Schemas []docsSchema
	Codes   []problem.Code
}

// docsGroup holds the operations of one tag.
type docsGroup struct {
	Name, About string
	Operations  []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary string
	About                     []string // paragraphs
	Scope                     string   // "" if the operation needs no credential
	Params                    []docsField
	Bodies                    []docsBody
	Answers                   []docsAnswer
}

// docsBody is the body of a request or a response, in one media type.
type docsBody struct {
	Media   string
	Type    docsType
	Example string
}

// docsAnswer is one possible response of an operation: a status with its bodies, codes and headers.
type docsAnswer struct {
	Status, About string
	Types         []docsBody
	Codes         []string
	Headers       []docsField
}

// apiDoc holds the parts of the OpenAPI document that the page shows.
type apiDoc struct {
	Info struct{ Title, Description string }
	Tags []struct{ Name, Description string }

	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Parameters map[string]apiParam
		Headers    map[string]apiParam
		Responses  map[string]apiAnswer
		Schemas    map[string]apiSchema
	}
}

type apiOperation struct {
	OperationID, Summary, Description string

	Tags        []string
	Security    []map[string][]string
	Parameters  []apiParam
	RequestBody struct{ Content map[string]apiMedia }
	Responses   map[string]apiAnswer
}

type apiParam struct {
	Ref string `json:"$ref"`

	Name, In, Description string
	Required              bool
	Schema                apiSchema
}

type apiAnswer struct {
	Ref string `json:"$ref"`

	Description string
	Content     map[string]apiMedia
	Headers     map[string]apiParam
	Codes       []string `json:"x-codes"`
}

type apiMedia struct {
	Schema  apiSchema
	Example any
}

// readDocs returns the data of the page for an OpenAPI document in JSON.
func readDocs(text []byte) (docsPage, error) {
	var doc apiDoc
	if err := json.Unmarshal(text, &doc); err != nil {
		return docsPage{}, fmt.Errorf("web: openapi.yaml: %w", err)
	}
	page := docsPage{Title: "The API", Intro: paragraphs(doc.Info.Description), Codes: problem.Codes}
	for _, tag := range doc.Tags {
		page.Groups = append(page.Groups, docsGroup{Name: tag.Name, About: tag.Description})
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		if err := doc.addPath(&page, path); err != nil {
			return docsPage{}, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		page.Schemas = append(page.Schemas, doc.Components.Schemas[name].show(name))
	}
	return page, nil
}

// addPath adds the operations of a path to the page, each in the groups of its tags.
func (d *apiDoc) addPath(page *docsPage, path string) error {
	item, shared := d.Paths[path], []apiParam(nil)
	if text, ok := item["parameters"]; ok {
		if err := json.Unmarshal(text, &shared); err != nil {
			return fmt.Errorf("web: openapi.yaml: %s: %w", path, err)
		}
	}
	for _, method := range []string{"get", "post", "put", "patch", "delete"} {
		text, ok := item[method]
		if !ok {
			continue
		}
		var op apiOperation
		if err := json.Unmarshal(text, &op); err != nil {
			return fmt.Errorf("web: openapi.yaml: %s %s: %w", method, path, err)
		}
		op.Parameters = append(slices.Clone(shared), op.Parameters...)
		shown := d.operation(strings.ToUpper(method), path, op)
		for i := range page.Groups {
			if slices.Contains(op.Tags, page.Groups[i].Name) {
				page.Groups[i].Operations = append(page.Groups[i].Operations, shown)
			}
		}
	}
	return nil
}

func (d *apiDoc) operation(method, path string, op apiOperation) docsOperation {
	out := docsOperation{
		ID: op.OperationID, Method: method, Path: path, Summary: op.Summary,
		About: paragraphs(op.Description), Bodies: bodiesOf(op.RequestBody.Content),
	}
	if len(op.Security) > 0 {
		out.Scope = strings.Join(op.Security[0]["key"], ", ")
	}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			p = d.Components.Parameters[refName(p.Ref)]
		}
		out.Params = append(out.Params, p.show(p.Name))
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		out.Answers = append(out.Answers, d.answer(status, op.Responses[status]))
	}
	return out
}

func (d *apiDoc) answer(status string, a apiAnswer) docsAnswer {
	if a.Ref != "" {
		a = d.Components.Responses[refName(a.Ref)]
	}
	out := docsAnswer{Status: status, About: a.Description, Types: bodiesOf(a.Content), Codes: a.Codes}
	for _, name := range slices.Sorted(maps.Keys(a.Headers)) {
		h := a.Headers[name]
		if h.Ref != "" {
			h = d.Components.Headers[refName(h.Ref)]
		}
		out.Headers = append(out.Headers, h.show(name))
	}
	return out
}

func bodiesOf(content map[string]apiMedia) (out []docsBody) {
	for _, media := range slices.Sorted(maps.Keys(content)) {
		m := content[media]
		body := docsBody{Media: media, Type: m.Schema.typeOf()}
		switch example := m.Example.(type) {
		case nil:
		case string:
			body.Example = example
		default:
			text, _ := json.MarshalIndent(example, "", "  ") // no error: the example was decoded from JSON
			body.Example = string(text)
		}
		out = append(out, body)
	}
	return out
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func paragraphs(text string) (out []string) {
	for one := range strings.SplitSeq(text, "\n\n") {
		if one = strings.TrimSpace(one); one != "" {
			out = append(out, one)
		}
	}
	return out
}
