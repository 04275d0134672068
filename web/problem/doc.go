// Package problem makes the responses to failed requests: problem documents (RFC 9457) with a stable
// code, in the language of the caller.
//
// Of is the only function that maps errors to problems. Codes is the only list of codes. No text contains a stack, a query or a path.
//
// It does not depend on requests. Package web chooses the language, writes the document, and logs
// errors.
package problem
