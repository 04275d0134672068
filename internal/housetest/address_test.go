package housetest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// addressReaders are the files that read the address of a connection; all others get the
// address of the client from Gin's ClientIP, which web/address.go sets.
var addressReaders = []string{"internal/proxy/trusted.go", "web/address.go"}

func TestAddressOfAClient_IsReadInOnePlace(t *testing.T) {
	t.Parallel()
	for _, src := range house(t) {
		if src.test || slices.Contains(addressReaders, src.name) || strings.HasPrefix(src.name, "internal/testenv/") {
			continue
		}
		ast.Inspect(src.tree, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && slices.Contains([]string{"RemoteIP", "RemoteAddr"}, sel.Sel.Name) {
				t.Errorf("%s reads %s, which is a proxy's behind a proxy; use ClientIP", src.name, sel.Sel.Name)
			}
			return true
		})
	}
}
