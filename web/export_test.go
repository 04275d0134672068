package web

import (
	_ "embed" // the document of the pages
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// WaitLonger has requests wait longer for Redis and the ledger than a process of tests may
// get no processor. TestMain calls it.
func WaitLonger() {
	const long = 30 * time.Second
	readyTimeout, queueReadyTimeout, route.StatsTimeout, route.ReadTimeout = long, long, long, long
}

// Paths lists all that the server answers, as "METHOD path".
func (s *Server) Paths() []string {
	var out []string
	for _, r := range s.gin.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Route is a route as the tests of the contract see it.
type Route struct {
	Method, Path, Name string
	Scope              string // "" if the route needs no credential
	Query              []string
	AnyQuery           bool
	Forms              []RouteForm
}

// RouteForm is a body that a route takes.
type RouteForm struct {
	Media  string
	Fields []string
	Prefix string
}

// Routes lists what the server declares of its routes.
func (s *Server) Routes() (out []Route) {
	for _, r := range s.routes() {
		v := Route{Method: r.Methods()[0], Path: r.Path, Name: r.Name, Query: slices.Clone(r.Query)}
		if r.Scope != route.Everybody {
			v.Scope = string(r.Scope)
		}
		v.AnyQuery = slices.Equal(r.Query, input.AnyQuery)
		for _, f := range r.Body.Forms {
			v.Forms = append(v.Forms, RouteForm{f.Media[0], f.Fields, f.Prefix})
			v.Query = append(v.Query, f.Query...)
		}
		out = append(out, v)
	}
	return out
}

// Contract is the document that is served.
func Contract() ([]byte, error) {
	c, err := theContract()
	if err != nil {
		return nil, err
	}
	return c.json, nil
}

// Codes are all that a problem can have.
func Codes() []string {
	var out []string
	for _, c := range problem.Codes {
		out = append(out, c.Code)
	}
	return out
}

// pagesText is what the tests hold pages to.
//
//go:embed pages.yaml
var pagesText []byte

// Pages is the document of the pages.
func Pages() ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(pagesText, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// ContractAsRead is the document as the YAML reader of the service understands it, without what is added.
func ContractAsRead() ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(contractText, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// ContractText is the document as it is written.
func ContractText() []byte { return contractText }

// Target names what a request with an Idempotency-Key asks for.
func Target(r *http.Request, path string) string { return request.Target(r, path) }

// Update reports whether tests write what they compare anew.
func Update() bool { return *update }
