// Package conns limits the cost of connections of an HTTP server.
//
// A client that sends or reads nothing costs memory while its connection lives. So every write has
// a deadline that follows the progress of the client. A Table limits the connections of a client,
// all connections, and stalled responses. A client at its limit loses one of its own connections.
// In a full table, the site that clearly has the most connections loses one. Without such a site,
// idle connections are closed before writing ones. Of stalled responses, the one with the least
// patience left is closed.
//
// A trusted proxy holds the connections of many clients. They count under no address while idle,
// and under the address of the client during a request: see Claim.
//
// The package uses only net and net/http. Handlers decide about requests.
package conns
