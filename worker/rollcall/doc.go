// Package rollcall is the whole service inside another Go program: its workers in
// the program's own process, its API and pages as an http.Handler of the
// program's own server.
//
// It is the code of cmd/api and cmd/worker, with the same promises: what was
// accepted survives the death of the process, and any number of such programs
// share a database and a Redis. Without addresses it is the embedded mode, which
// needs nothing but a folder.
//
// It reads no environment, takes no signals, listens on nothing and writes no
// log that it was not given: that is the program's own affair.
package rollcall
