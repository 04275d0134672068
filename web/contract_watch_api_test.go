package web_test

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// watch is a transport that compares each response with openapi.yaml.
type watch struct{ t testing.TB }

// RoundTrip may be called by several goroutines.
func (w watch) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	var body []byte
	if media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); isJSON(media) {
		if body, err = io.ReadAll(res.Body); err == nil {
			err = res.Body.Close()
		}
		if err != nil {
			return nil, err
		}
		res.Body = io.NopCloser(bytes.NewReader(body))
	}
	if forOperators(req.URL.Path) {
		return res, nil
	}
	for _, wrong := range contract().check(req, res, body) {
		w.t.Errorf("%s %s, %d: %s", req.Method, req.URL.Path, res.StatusCode, wrong)
	}
	return res, nil
}

// forOperators reports whether a path is a page of operators. These pages are no part of the
// contract, so they may change.
func forOperators(path string) bool { return path == "/ops" || strings.HasPrefix(path, "/ops/") }

// check returns how a response differs from openapi.yaml, and how to correct the document.
func (b *book) check(req *http.Request, res *http.Response, body []byte) []string {
	op := b.find(req.Method, req.URL.Path)
	name, answers := "an address that is not there", b.any
	if op != nil {
		name, answers = op.method+" "+op.path, op.answers
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	doc, ok := answers[res.StatusCode]
	if !ok {
		return []string{fmt.Sprintf("web/openapi.yaml lists no such status: add, under %q, responses, '%d': "+
			"{description: …, content: …%s}. The answer was %s: %.300s",
			name, res.StatusCode, codesHint(body), media, body)}
	}
	if res.StatusCode == http.StatusOK && req.URL.Query().Get("fields") != "" {
		doc = partial().find(req.Method, req.URL.Path).answers[http.StatusOK]
	}
	wrong := doc.checkHeaders(res.Header)
	code := ""
	if schema, listed := doc.media(media); !listed {
		wrong = append(wrong, fmt.Sprintf("the media type %q is not listed: add it under %q, responses, '%d', content",
			media, name, res.StatusCode))
	} else if req.Method != http.MethodHead && schema != nil {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			return append(wrong, fmt.Sprintf("not JSON: %v: %.300s", err, body))
		}
		if err := schema.Validate(v); err != nil {
			wrong = append(wrong, fmt.Sprintf("the answer is not as its schema in web/openapi.yaml: "+
				"mend the one or the other: %v\n%.1000s", err, body))
		}
		if code = codeOf(media, v); code != "" && !slices.Contains(doc.codes, code) {
			wrong = append(wrong, fmt.Sprintf("the code %s is not listed: add it to x-codes under %q, responses, '%d' "+
				"(or under the component it refers to), and to web/problem/codes.go if it is new", code, name, res.StatusCode))
		}
	}
	if op != nil {
		b.seen.Store(seenKey(op, res.StatusCode, code), true)
		b.seen.Store(seenKey(op, res.StatusCode, media), true)
	}
	return wrong
}

// seenKey names a response of an operation.
func seenKey(op *operation, status int, what string) string {
	return fmt.Sprintf("%s %s answers %d %s", op.method, op.path, status, what)
}

func codesHint(body []byte) string {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if code := codeOf("application/problem+json", v); err == nil && code != "" {
		return ", x-codes: [" + code + "]"
	}
	return ""
}

// codeOf returns the code of a problem.
func codeOf(media string, v any) string {
	o, _ := v.(map[string]any)
	code, _ := o["code"].(string)
	if media != "application/problem+json" {
		return ""
	}
	return code
}

// media returns the schema of a media type. listed is false if the response has no such type.
func (d answerDoc) media(media string) (schema *jsonschema.Schema, listed bool) {
	if len(d.types) == 0 {
		return nil, media == ""
	}
	if schema, ok := d.types[media]; ok {
		return schema, true
	}
	_, any := d.types["*/*"]
	return nil, any
}

func (d answerDoc) checkHeaders(h http.Header) (wrong []string) {
	for name, doc := range d.headers {
		value := h.Get(name)
		switch {
		case value == "" && doc.required:
			wrong = append(wrong, fmt.Sprintf("the header %s is missing", name))
		case value != "":
			if err := doc.schema.Validate(value); err != nil {
				wrong = append(wrong, fmt.Sprintf("the header %s: %v", name, err))
			}
		}
	}
	return wrong
}
