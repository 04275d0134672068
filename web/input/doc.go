// Package input declares and reads what requests bring: parameters of the address, media types,
// JSON objects, forms, and preconditions.
//
// Undeclared or repeated parameters, members and fields are rejected. The error for an unknown
// name lists the known names. Bodies are bounded in bytes and time. Texts must be storable.
//
// The package does not depend on routes or handlers: each route declares its Body and Names, and
// package web passes the request.
package input
