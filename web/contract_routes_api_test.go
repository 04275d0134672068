package web_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// declared is what both the list of routes and openapi.yaml say about an operation.
type declared struct {
	Name, Scope string
	Query       []string
	Bodies      map[string]string // by media type: the fields
}

// TestContract_Routes_DeclareTheSame compares the list of routes with
// openapi.yaml, both ways: names, scopes, parameters, bodies and their fields.
func TestContract_Routes_DeclareTheSame(t *testing.T) {
	t.Parallel()
	served := map[string]web.Route{}
	for _, r := range web.New(web.Options{Access: access.New(nil, access.Options{})}).Routes() {
		served[r.Method+" "+r.Path] = r
	}
	for _, op := range contract().ops {
		at := op.method + " " + ginPath(op.path)
		r, found := served[at]
		if !found {
			t.Errorf("web/openapi.yaml has %s, which nothing serves", at)
			continue
		}
		want, got := contract().declares(op), routeDeclares(r)
		if r.AnyQuery {
			got.Query = want.Query
		}
		if got.Name != want.Name || got.Scope != want.Scope || !slices.Equal(got.Query, want.Query) || !maps.Equal(got.Bodies, want.Bodies) {
			t.Errorf("%s: web/routes_….go declares\n%+v, web/openapi.yaml\n%+v", at, got, want)
		}
		delete(served, at)
	}
	for at, r := range served {
		if !forOperators(r.Path) {
			t.Errorf("%s is not in web/openapi.yaml, nor is it a page of web/pages.yaml: add it under paths, with a scope, its parameters and all its answers", at)
		}
	}
}

func routeDeclares(r web.Route) declared {
	d := declared{Name: r.Name, Scope: r.Scope, Query: slices.Sorted(slices.Values(r.Query)), Bodies: map[string]string{}}
	for _, f := range r.Forms {
		d.Bodies[f.Media] = fieldList(f.Fields, f.Prefix != "")
	}
	return d
}

// declares returns what the contract says about an operation.
func (b *book) declares(op *operation) declared {
	d := declared{Scope: op.scope(), Query: op.query(), Bodies: map[string]string{}}
	d.Name, _ = op.def["operationId"].(string)
	for media := range b.bodies(op) {
		schema, _ := b.deref(b.bodies(op)[media].(map[string]any)["schema"])
		fields, _ := schema["properties"].(map[string]any)
		d.Bodies[media] = fieldList(slices.Collect(maps.Keys(fields)), fields != nil && schema["additionalProperties"] != false)
	}
	return d
}

// bodies returns the bodies of an operation by media type.
func (b *book) bodies(op *operation) map[string]any {
	return b.at("paths", op.path, strings.ToLower(op.method), "requestBody", "content")
}

// query lists the parameters of an operation in the URL.
func (op *operation) query() (out []string) {
	for _, param := range op.params {
		if param["in"] == "query" {
			out = append(out, param["name"].(string))
		}
	}
	slices.Sort(out)
	return out
}

func fieldList(fields []string, more bool) string {
	out := strings.Join(slices.Sorted(slices.Values(fields)), " ")
	if more {
		out += " …"
	}
	return out
}
