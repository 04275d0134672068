// Package input declares and reads what requests bring: parameters of the address, media types,
// JSON objects, forms, and preconditions.
//
// It promises that nothing undeclared is accepted: an unknown or repeated parameter, member or
// field is a problem that names the known ones; that a body has a bound on its bytes and on its
// time; and that texts can be stored.
//
// It knows no route and no handler: each route declares its Body and Names, and package web
// passes the request.
package input
