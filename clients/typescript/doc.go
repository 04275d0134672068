// Package typescript is the client for TypeScript and JavaScript, held to the
// contract and to the service.
//
// It holds nothing but tests: they write src/schema.ts from web/openapi.yaml
// (with -update) or find that it is of another contract, and run the client
// under Node against the real program.
package typescript
