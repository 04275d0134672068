package housetest

import (
	"go/ast"
	"strings"
	"testing"
)

// TestGormStatement_OfAFile_IsPlain finds statements of files that are passed to gorm with their
// comments. The methods of ledger.Tx take a context first.
func TestGormStatement_OfAFile_IsPlain(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if src.test {
			continue
		}
		ast.Inspect(src.tree, func(n ast.Node) bool {
			if name := commented(n); name != "" {
				t.Errorf("%s: gorm gets %s with its comments; pass ledger.Plain(%[2]s)", src.name, name)
			}
			return true
		})
	}
}

// commented returns the name of a statement that is passed to gorm with its comments.
func commented(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Exec" && method.Sel.Name != "Raw" {
		return ""
	}
	text := call.Args[0]
	if sum, ok := text.(*ast.BinaryExpr); ok {
		text = sum.X
	}
	if id, ok := text.(*ast.Ident); ok && strings.HasSuffix(id.Name, "SQL") {
		return id.Name
	}
	return ""
}
