// Package testenv starts real servers for tests: Redis, a Redis Cluster, Postgres, nginx, and the
// project's own programs.
//
// Every server is private: it runs a binary of the machine, on a free loopback port, in a temporary
// directory. Postgres runs in memory if there is room, since each database has 300 files. A missing
// binary fails the test with an install command; no test is skipped. The servers of a test end with
// it, and all servers end with the test process in any case. A small shell process, the keeper,
// waits for the end of a pipe that only the test process holds. Then it ends the servers and
// removes their files.
//
//	test process ──starts──▶ redis-server, postgres, cmd/api …
//	      │ pipe                          ▲
//	      └─────────────▶ keeper ──kills──┘ when the pipe ends
//
// [Redis] and [Postgres] share one server among the tests of a process. Use a [Prefix] or the fresh
// database to separate tests, and run every test in parallel. [StartRedis], [StartClusterNodes],
// [StartPostgres] and [StartProcess] start private servers, which a test may kill, pause and
// restart. [StartSentinels], [StartReplicatedCluster] and [StartTLSRedis] start the other forms of
// Redis.
//
// The package leaves no goroutine behind and does not depend on the packages under test. Only tests
// and the module bench import it. It needs a Unix.
package testenv

// T is the part of [testing.TB] that the package needs, so that a program can implement it, too.
// Fatalf must not return.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}
