package housetest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// addressReaders are the files that read the address of a connection. All others get the address of
// the client from Gin's ClientIP, which web/address.go sets. A connection without a request has no
// client yet: package conns checks whether its peer is a trusted proxy. The harness of workers sets
// an address, because its requests have no connection.
var addressReaders = []string{
	"internal/conns/address.go", "internal/proxy/trusted.go", "web/address.go", "worker/workertest/task.go",
}

func TestAddressOfAClient_IsReadInOnePlace(t *testing.T) {
	t.Parallel()
	for _, src := range sources(t) {
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
