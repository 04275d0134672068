// Package testenv starts real servers for tests: Redis, a Redis Cluster,
// Postgres, nginx, and the project's own programs.
//
// Every server is private: started from the binaries on the machine, on a free
// loopback port, in a temporary directory; Postgres in memory, where that has room, for
// each database is 300 files. A missing binary fails the test and
// says how to install it; nothing is ever skipped. Whatever a test starts ends
// with it, and all of it ends with the test process, however that ends: a
// small shell process, the keeper, waits for the end of a pipe that only the
// test process holds, then ends the servers and removes their files.
//
//	test process ──starts──▶ redis-server, postgres, cmd/api …
//	      │ pipe                          ▲
//	      └─────────────▶ keeper ──kills──┘ when the pipe ends
//
// [Redis] and [Postgres] share one server among the tests of a process; use a
// [Prefix] or the fresh database to stay apart, and run every test in
// parallel. [StartRedis], [StartClusterNodes], [StartPostgres] and [StartProcess]
// give servers of one's own, to be killed, paused and restarted; [StartSentinels],
// [StartReplicatedCluster] and [StartTLSRedis] the other forms of Redis.
//
// The package leaves no goroutine behind and knows nothing of the packages
// under test. Only tests and the module bench import it. It needs a Unix.
package testenv

// T is the part of [testing.TB] that the package needs, so that a program can
// use it too. Fatalf must not return.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}
