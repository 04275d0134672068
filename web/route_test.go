package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// complete is a route that declares all.
func complete() route {
	return route{
		get, "/x", "getX", access.TasksRead, readTimeout, input.NoQuery, input.NoBody,
		func(*gin.Context) error { return nil },
	}
}

func TestCheckRoutes_IncompleteRoute_IsNamed(t *testing.T) {
	t.Parallel()
	for part, open := range map[string]func(*route){
		"method":  func(r *route) { r.method = "" },
		"path":    func(r *route) { r.path = "" },
		"name":    func(r *route) { r.name = "" },
		"scope":   func(r *route) { r.scope = "" },
		"timeout": func(r *route) { r.timeout = 0 },
		"query":   func(r *route) { r.query = nil },
		"body":    func(r *route) { r.body = input.Body{} },
		"handler": func(r *route) { r.serve = nil },
	} {
		r := complete()
		open(&r)
		err := checkRoutes([]route{r})
		if err == nil || !strings.Contains(err.Error(), "declares no "+part) {
			t.Errorf("a route without %s: %v", part, err)
		}
	}
	if err := checkRoutes([]route{complete()}); err != nil {
		t.Errorf("a complete route: %v", err)
	}
}

func TestCheckRoutes_TwoOfOneName_AreRefused(t *testing.T) {
	t.Parallel()
	again := complete()
	again.path = "/y"
	if err := checkRoutes([]route{complete(), again}); err == nil || !strings.Contains(err.Error(), `"getX"`) {
		t.Errorf("two routes of one name: %v", err)
	}
}

func TestMount_IncompleteRoute_StopsTheStart(t *testing.T) {
	t.Parallel()
	open := complete()
	open.query = nil
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(error).Error(), `route "GET /x" (getX) declares no query`) {
			t.Errorf("the server starts, or says %v", p)
		}
	}()
	newPages(New(Options{})).mount([]route{open})
}

func TestJSONNames_Struct_ListsItsMembers(t *testing.T) {
	t.Parallel()
	got := input.JSON[pressRequest]().Without("patch", "superseded").Forms[0].Fields
	if want := (input.Names{"filter", "ids", "state", "note", "dry_run"}); !slices.Equal(got, want) {
		t.Errorf("fields = %v, want %v", got, want)
	}
}
