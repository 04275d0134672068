// Package boot assembles a process. It opens the connections, passes them to other packages, and closes
// them in the reverse order.
//
// All processes have the same parts; a role selects the parts that run. A stop loses no work: requests are
// answered, handlers end or their jobs are put back, outcomes are committed, and leases are released.
//
// The package makes no decision about tasks, jobs or requests.
package boot
