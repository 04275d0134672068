// Package rollcall embeds the whole service in another Go program. Its workers run in the program's
// process; its API and pages are an http.Handler of the program's server.
//
// It runs the code of cmd/api and cmd/worker, with the same promises: accepted work survives the
// death of the process, and any number of such programs share a database and a Redis. Without
// addresses it runs in the embedded mode, which needs only a folder.
//
// It reads no environment, handles no signals, opens no listener, and logs only to the given log.
package rollcall
