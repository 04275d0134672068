// Package conns limits the memory and the time that the connections of an HTTP server use.
//
// A client that has stopped sending and reading costs memory until its connection is closed. So every write
// has a deadline, which follows the progress of the client. A Table limits the number of connections of
// each client, the number of all connections, and the number of stalled responses.
//
// If a client at its limit opens another connection, one of its earlier connections is closed. A site is a
// network of one or more clients: see Site. If the table is full, a connection of the fullest site is closed
// first, if that site has at least two connections more than the site of the new connection. Otherwise, a
// connection of the site of the new connection is closed first. Among the connections of a site, idle ones
// are closed before writing ones. A new connection is rejected if no other connection can be closed for it.
// If too many responses are stalled, the table closes a response whose deadline is near, preferably of a site
// with many writing connections.
//
// The connections of a trusted proxy serve many clients. While such a connection is idle, it counts for no
// client. During a request, it counts for the client of that request: see Claim.
//
// [EndWhenLost] is for outgoing connections. It limits how long they wait for an unreachable machine.
package conns
