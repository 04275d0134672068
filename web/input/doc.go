// Package input declares and reads the input of requests: URL parameters, media types, JSON objects,
// forms, and preconditions.
//
// It rejects undeclared and repeated parameters, members and fields. The error for an unknown name
// lists the known names. Bodies have limits of size and time. All strings can be stored in the
// database.
//
// The package does not depend on routes or handlers: each route declares its Body and Names, and
// package web passes the request.
package input
