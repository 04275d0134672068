// Package conns bounds what the connections of an HTTP server cost.
//
// A client that sends or takes nothing costs memory for as long as its connection lives. So
// every write has a deadline that follows the progress of the client, and a Table bounds the
// connections of an address, all connections, and those whose clients let an answer wait.
// Where there are too many, the address that has the most gives one up.
//
// A trusted proxy has the connections of many clients. They count under no address while
// they are idle, and under the address of the client while a request is at work: see Claim.
//
// The package knows net and net/http only. What a request may do is the matter of its handler.
package conns
