// Package problem makes the answers of failed requests: problem documents (RFC 9457) with a stable
// code, in the language of the caller.
//
// It promises one table from errors to problems (Of), one list of codes (Codes, from which
// docs/codes/README.md and the contract are made), and texts without a stack, a query or a path.
//
// It depends on the errors of the packages below and on no request: package web chooses the language,
// writes the document and logs.
package problem
