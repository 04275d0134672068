// Package input declares and reads the input of requests: URL parameters, media types, JSON objects,
// forms, and preconditions.
//
// The package rejects undeclared and repeated parameters, members and fields. The error for an unknown name
// lists the known names. Bodies have limits of size and time.
//
// The package does not depend on routes or handlers. Each route declares its Body and Names. Package web
// checks each request against these declarations.
package input
