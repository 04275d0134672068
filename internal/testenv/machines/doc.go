// Package machines starts servers and programs on machines of their own: network namespaces of
// Linux, each with an address, on a network between them.
//
// The test process is the network: it forwards each packet after a delay. The packets of a machine
// that is cut off are lost, and neither side gets an error, as if its power were off. The package does
// not need the network scheduler netem.
//
//	machine ──tun──▶ test process ──1 ms later──▶ tun ── machine
//
// The package needs root, /dev/net/tun, and the programs ip, unshare and nsenter. If one is missing, the
// test fails. Machines end with the test, and in any case with the test process.
package machines
