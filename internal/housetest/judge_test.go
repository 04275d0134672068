package housetest

import (
	"go/ast"
	"testing"
)

// judges lists the folders that may make rows run again. Package review validates the rows, and package decisions
// stores the changes.
var judges = map[string]bool{"internal/review": true, "internal/decisions": true}

// TestRowsRunAgain_OutsideOfReview_IsNowhere checks that rows run again only through package review: no other
// folder calls decisions.Store.Decide or events.Store.RunAgain, or makes a Decision or a Review.
func TestRowsRunAgain_OutsideOfReview_IsNowhere(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
		if src.test || judges[src.folder] {
			continue
		}
		ast.Inspect(src.tree, func(n ast.Node) bool {
			if name := decides(n); name != "" {
				t.Errorf("%s uses %s: rows run again by way of package review alone", src.name, name)
			}
			return true
		})
	}
}

// decides returns the method or type that a node uses to make rows run again, or "".
func decides(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Decide" || f.Sel.Name == "RunAgain") {
			return f.Sel.Name
		}
	case *ast.CompositeLit:
		f, ok := n.Type.(*ast.SelectorExpr)
		if ok && (f.Sel.Name == "Decision" || f.Sel.Name == "Review") {
			return f.Sel.Name
		}
	}
	return ""
}
