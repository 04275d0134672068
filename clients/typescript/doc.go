// Package typescript tests the client for TypeScript and JavaScript against the contract and the
// service.
//
// The package contains only tests. They check that src/schema.ts matches web/openapi.yaml; with -update they
// write src/schema.ts. They also run the client under Node against the real program.
package typescript
