// Package conns bounds what the connections of an HTTP server cost.
//
// A client that sends or takes nothing costs memory for as long as its connection lives. So
// every write has a deadline that follows the progress of the client, and a Table bounds the
// connections of a client, all connections, and those whose clients let an answer wait. A
// client at its limit loses one of its own connections. In a full table, the site that clearly
// has the most loses one; without such a site, an idle connection is closed before a writing
// one. Of waiting answers, the one with the least patience left is closed.
//
// A trusted proxy has the connections of many clients. They count under no address while
// they are idle, and under the address of the client while a request is at work: see Claim.
//
// The package knows net and net/http only. What a request may do is the matter of its handler.
package conns
