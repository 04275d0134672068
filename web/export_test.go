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

// WaitLonger makes requests wait longer for Redis and the ledger, because a test process may get no processor
// for some seconds. TestMain calls it.
func WaitLonger() {
	const long = 30 * time.Second
	readyTimeout, queueReadyTimeout, route.StatsTimeout, route.ReadTimeout = long, long, long, long
}

// Paths lists all routes of the server, as "METHOD path".
func (s *Server) Paths() []string {
	var out []string
	for _, r := range s.gin.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// Route is a route in the form of the tests of the contract.
type Route struct {
	Method, Path, Name string
	Scope              string // "" if the route needs no credential
	Query              []string
	AnyQuery           bool
	Forms              []RouteForm
}

// RouteForm is a body of a route.
type RouteForm struct {
	Media  string
	Fields []string
	Prefix string
}

// Routes lists what the server declares about its routes.
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

// Contract returns the served document.
func Contract() ([]byte, error) {
	c, err := theContract()
	if err != nil {
		return nil, err
	}
	return c.json, nil
}

// Codes lists all codes of problems.
func Codes() []string {
	var out []string
	for _, c := range problem.Codes {
		out = append(out, c.Code)
	}
	return out
}

// pagesText is the document with which the tests compare pages.
//
//go:embed pages.yaml
var pagesText []byte

// Pages returns the document of the pages.
func Pages() ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(pagesText, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// ContractAsRead returns the document as the YAML reader of the service reads it, without
// additions.
func ContractAsRead() ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(contractText, &doc); err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// ContractText returns the document as it is written.
func ContractText() []byte { return contractText }

// Target returns the text that identifies the method and the URL of a request.
func Target(r *http.Request, path string) string { return request.Target(r, path) }

// Update reports whether tests write their expected files.
func Update() bool { return *update }
