// Package conns limits the cost of connections of an HTTP server.
//
// A client that does not send or read costs memory while its connection lives. So every write has a
// deadline that follows the progress of the client. A Table limits the connections of a client, all
// connections, and stalled responses. A client at its limit loses one of its own connections. In a
// full table, the site that clearly has the most connections loses one. Without such a site, idle
// connections are closed before writing ones. Of stalled responses, the one with the least patience
// left is closed.
//
// A trusted proxy holds the connections of many clients. They count for no client while idle, and for
// the client of the request during a request: see Claim.
//
// The package uses only net and net/http. Handlers decide about requests.
package conns
