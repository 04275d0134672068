package web_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/rollcall-dev/rollcall/client"
)

// TestContract_FieldsOfTheGoClient compares the fields of a type of the Go client with those of its schema in openapi.yaml.
func TestContract_FieldsOfTheGoClient(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("openapi.yaml")
	fine(t, err)
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	fine(t, yaml.Unmarshal(text, &doc))
	for schema, own := range map[string]any{
		"ImportOptions": client.ImportOptions{}, "EventPatch": client.Patch{}, "WaitingFilter": client.Waiting{},
	} {
		has := map[string]bool{}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(own)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			has[name] = true
		}
		declared := doc.Components.Schemas[schema].Properties
		for name := range declared {
			if !has[name] {
				t.Errorf("%T lacks %s", own, name)
			}
			delete(has, name)
		}
		if len(declared) == 0 || len(has) > 0 {
			t.Errorf("%s declares %d properties, and none of %v", schema, len(declared), has)
		}
	}
}
