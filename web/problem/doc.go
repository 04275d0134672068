// Package problem makes the responses to failed requests: problem documents (RFC 9457) with a stable
// code, in the language of the caller.
//
// It promises that Of is the only table from errors to problems. Codes is the only list of codes;
// docs/codes/README.md and the contract are made from it. No text contains a stack, a query or a path.
//
// It depends on the errors of the packages below and on no request: package web chooses the language,
// writes the document and logs.
package problem
