package housetest

import (
	"go/ast"
	"strings"
	"testing"
)

// TestRegistry_TestsOutsideCmd_MakeTheirOwn: adopters add kinds to workers.Registry
// (docs/workers/first-worker.md), which must not break a test.
func TestRegistry_TestsOutsideCmd_MakeTheirOwn(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if !src.test || strings.HasPrefix(src.name, "cmd/") {
			continue
		}
		ast.Inspect(src.tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "Registry" {
				if of, ok := call.X.(*ast.Ident); ok && of.Name == "workers" {
					t.Errorf("%s uses workers.Registry: make a registry of the kinds that the test needs", src.name)
				}
			}
			return true
		})
	}
}
