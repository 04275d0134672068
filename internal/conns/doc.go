// Package conns bounds what the connections of an HTTP server cost.
//
// A client that sends or takes nothing costs memory for as long as its connection lives. So
// every write has a deadline that follows the progress of the client, and a Table bounds the
// connections of a client, all connections, and those whose clients let an answer wait. Where
// there are too many, the site that has clearly the most gives one up; if none has, the
// connection goes that has been idle, or has waited in a write, for the longest time.
//
// A trusted proxy has the connections of many clients. They count under no address while
// they are idle, and under the address of the client while a request is at work: see Claim.
//
// The package knows net and net/http only. What a request may do is the matter of its handler.
package conns
