// Package boot assembles a process: it opens the connections, passes them to the packages that use
// them, and closes everything in order.
//
// The same parts run in every process; a role selects them. A stop loses no work: requests are
// answered, handlers end or are put back, outcomes are committed, and leases are released.
//
// It makes no decision about tasks, jobs or requests.
package boot
