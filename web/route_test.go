package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// complete returns a route that declares everything.
func complete() route.Route {
	return route.Route{
		Method: route.Get, Path: "/x", Name: "getX", Scope: access.TasksRead, Timeout: route.ReadTimeout, Query: input.NoQuery, Body: input.NoBody,
		Serve: func(*gin.Context) error { return nil },
	}
}

func TestCheckRoutes_IncompleteRoute_IsNamed(t *testing.T) {
	t.Parallel()
	for part, open := range map[string]func(*route.Route){
		"method":  func(r *route.Route) { r.Method = "" },
		"path":    func(r *route.Route) { r.Path = "" },
		"name":    func(r *route.Route) { r.Name = "" },
		"scope":   func(r *route.Route) { r.Scope = "" },
		"timeout": func(r *route.Route) { r.Timeout = 0 },
		"query":   func(r *route.Route) { r.Query = nil },
		"body":    func(r *route.Route) { r.Body = input.Body{} },
		"handler": func(r *route.Route) { r.Serve = nil },
	} {
		r := complete()
		open(&r)
		err := route.Check([]route.Route{r})
		if err == nil || !strings.Contains(err.Error(), "declares no "+part) {
			t.Errorf("a route without %s: %v", part, err)
		}
	}
	if err := route.Check([]route.Route{complete()}); err != nil {
		t.Errorf("a complete route: %v", err)
	}
}

func TestCheckRoutes_TwoOfOneName_AreRefused(t *testing.T) {
	t.Parallel()
	again := complete()
	again.Path = "/y"
	if err := route.Check([]route.Route{complete(), again}); err == nil || !strings.Contains(err.Error(), `"getX"`) {
		t.Errorf("two routes of one name: %v", err)
	}
}

func TestMount_IncompleteRoute_StopsTheStart(t *testing.T) {
	t.Parallel()
	open := complete()
	open.Query = nil
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(error).Error(), `route "GET /x" (getX) declares no query`) {
			t.Errorf("the server starts, or says %v", p)
		}
	}()
	New(Options{}).mount([]route.Route{open})
}

func TestJSONNames_Struct_ListsItsMembers(t *testing.T) {
	t.Parallel()
	got := input.JSON[rows.BulkRequest]().Without("patch", "superseded").Forms[0].Fields
	if want := (input.Names{"filter", "ids", "state", "note", "dry_run", "kind", "as_task"}); !slices.Equal(got, want) {
		t.Errorf("fields = %v, want %v", got, want)
	}
}
