// Package problem makes the responses to failed requests: problem documents (RFC 9457) with a stable code,
// in the language of the caller.
//
// Of returns the problem of an error. A package that can describe an error better, such as web/manage,
// returns a *Problem itself, and Of returns it unchanged. Codes is the only list of codes. No text contains
// a stack, a query or a path.
//
// The package does not depend on requests. Package web chooses the language, writes the document, and logs
// errors.
package problem
