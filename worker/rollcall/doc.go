// Package rollcall embeds the whole service in another Go program. The workers run in the program's
// process. The API and the pages are an http.Handler for the program's server.
//
// The service runs the code of cmd/api and cmd/worker, with the same promises. Accepted work
// survives the death of the process, and several programs can share a database and a Redis. Without
// addresses, the service runs in the embedded mode, which needs only a folder.
//
// The package reads no environment variables, handles no signals, opens no listener, and logs only
// to Options.Log.
package rollcall
