// Package testenv starts real servers for tests: Redis, a Redis Cluster, Postgres, PgBouncer, nginx, an
// S3 service, and the project's own programs.
//
// Every server belongs to the test process: it runs a binary of the machine, on a free loopback
// port, in a temporary directory. The data of Postgres is in memory if there is room, since each
// database has 300 files. If a binary is missing, the test fails with an install command; no test is
// skipped. The servers of a test end with the test, and all servers end with the test process in any
// case. A small shell process, the keeper, waits for the end of a pipe that only the test process has
// open. Then it ends the servers and removes their files.
//
//	test process ──starts──▶ redis-server, postgres, cmd/api …
//	      │ pipe                          ▲
//	      └─────────────▶ keeper ──kills──┘ when the pipe ends
//
// [Redis] and [Postgres] share one server among the tests of a process. A [Prefix], or the new
// database, separates the tests, so that they can run in parallel. [StartRedis],
// [StartClusterNodes], [StartPostgres] and [StartProcess] start servers for one test, which may
// kill, pause and restart them. [StartSentinels], [StartReplicatedCluster] and [StartTLSRedis] start
// the other forms of Redis.
//
// The package leaves no goroutine running, and does not depend on the packages under test. Only
// tests and the module bench import it. It needs a Unix system.
package testenv

// T is the part of [testing.TB] that the package needs, so that a program can implement it, too.
// Its Fatalf must not return.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}
