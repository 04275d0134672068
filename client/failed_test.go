package client_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/client"
)

// TestClient_RequestFails_ReturnsNil: no method for one task or row returns an empty result with its error.
func TestClient_RequestFails_ReturnsNil(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer refusing.Close()
	c, err := client.New(refusing.URL, client.Options{})
	fine(t, err)
	ctx, file, all := t.Context(), client.Upload{Kind: "k", FileName: "a.csv", File: strings.NewReader("a\n")}, client.BulkAction{All: true}
	for name, call := range map[string]func() (any, error){
		"Create":       func() (any, error) { return c.Create(ctx, client.Batch{Kind: "k"}) },
		"Create, open": func() (any, error) { return c.Create(ctx, client.Batch{Kind: "k", Open: true}) },
		"Upload":       func() (any, error) { return c.Upload(ctx, file) },
		"Correct":      func() (any, error) { return c.Correct(ctx, "id", file, false) },
		"Append":       func() (any, error) { return c.Append(ctx, "id", nil) },
		"Close":        func() (any, error) { return c.Close(ctx, "id") },
		"ResumeAnyway": func() (any, error) { return c.ResumeAnyway(ctx, "id") },
		"Task":         func() (any, error) { return c.Task(ctx, "id") },
		"Tree":         func() (any, error) { return c.Tree(ctx, "id") },
		"Event":        func() (any, error) { return c.Event(ctx, "id") },
		"Repair":       func() (any, error) { return c.Repair(ctx, "id", 1, client.Patch{}) },
		"Skip":         func() (any, error) { return c.Skip(ctx, "id", all) },
		"StartSkipAll": func() (any, error) { return c.StartSkipAll(ctx, "k", all) },
		"CancelRows":   func() (any, error) { return c.CancelRows(ctx, "id", client.RowCancel{All: true}) },
	} {
		got, err := call()
		var refused *client.Problem
		if !errors.As(err, &refused) || refused.Status != http.StatusForbidden || !reflect.ValueOf(got).IsNil() {
			t.Errorf("%s = %v, %v, want nil and status 403", name, got, err)
		}
	}
}
