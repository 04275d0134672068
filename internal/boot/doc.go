// Package boot puts a process together: it opens the connections, hands them
// to the packages that work with them, and takes everything down in order.
//
// The same parts run in every process; a role says which of them. It promises
// that a stop loses nothing: requests are answered, handlers end or are put
// back, outcomes are committed, leases are given up.
//
// It decides nothing about tasks, jobs or requests.
package boot
