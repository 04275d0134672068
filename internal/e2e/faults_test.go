package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// fault is a fault in the middle of an import. After it, every row must have ended as expected, and
// be counted once.
type fault struct {
	name  string
	often bool           // worth its time in `make test`
	own   bool           // needs a Postgres server of its own
	races bool           // the programs have the race detector in `make test-all`
	slow  time.Duration  // delay of all data to Redis, and of all data from Redis
	env   []string       // of the workers that start before the import
	after int            // rows that have ended when the fault happens, before `long`
	do    func(s *scene) // causes the fault
}

// faults lists the faults of docs/how/faults.md that hit a running import, by number.
var faults = []fault{
	{name: "01 a worker dies between claim and start", env: at("fetched:3"), do: replaceFallen},
	{name: "02 a worker dies between statements of handlers and their commit", often: true, env: at("effects:2"), do: replaceFallen},
	{name: "03 a worker dies between commit and ack", often: true, env: at("committed:2"), do: neverAgain},
	{name: "10 a splitter dies behind a chunk", env: at("chunk:2"), do: replaceFallen},
	{name: "11 a splitter dies between rows and position", env: at("copied:2"), do: replaceFallen},
	{name: "11 a feeder dies between push and position", env: at("pushed"), do: replaceFallen},
	{name: "12 Redis ends and comes back empty", after: 2000, do: func(s *scene) { s.redis.Restart() }},
	{name: "13 Redis comes back from an old snapshot", after: 1500, do: oldSnapshot},
	{name: "14 FLUSHALL", after: 2000, do: func(s *scene) { s.cli("flushall") }},
	{name: "15 SCRIPT FLUSH, again and again", after: 500, do: flushScripts},
	{name: "16 Redis answers nothing for a while", races: true, after: 1500, do: pauseRedis},
	{name: "17 Redis is full", after: 500, do: fullRedis},
	{name: "22 Redis is half a second away", slow: 250 * time.Millisecond, do: func(*scene) {}},
	{name: "24 Postgres is killed", own: true, after: 1500, do: killPostgres},
	{name: "25 connections to Postgres are cut", races: true, after: 500, do: cutPostgres},
	{name: "26 Postgres answers nothing for a while", own: true, after: 1500, do: pausePostgres},
	{name: "28 wall clocks an hour wrong", do: wrongClocks},
}

func at(moment string) []string { return []string{"FAILPOINT=" + moment} }

// TestFaults causes one fault at a time: in `make test` the most important ones, in `make test-all`
// all of them.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		if f.often || testenv.All {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				f.run(t)
			})
		}
	}
}

func (f fault) run(t *testing.T) {
	opt := samples.Options{
		Rows: long(6000), Format: "csv", Seed: 5,
		Invalid: long(60), Failing: long(40), Errors: 2, Repeats: long(600),
	}
	if f.slow > 0 {
		opt.Rows, opt.Repeats = 1500, 60
	}
	s, file := newScene(t, opt)
	s.races = f.races
	if f.own {
		s.ownPostgres()
	}
	if f.slow > 0 {
		wire := newSlowWire(t, s.redis.Addr(), f.slow)
		s.env = append(s.env, "REDIS_URL=redis://"+wire.in.Addr().String()+"/0", "LEASE=10s")
	}
	s.open(f.env...)
	s.id = start(t, s.apis[1].URL(), file).ID
	s.until(processed(long(f.after)))
	f.do(s)
	v := s.until(done)
	s.close()
	verdict(t, s.postgres, v, s.want)
}

// replaceFallen starts a worker in place of the first one that has died. Other workers may die
// later.
func replaceFallen(s *scene) {
	s.fallen(s.workers...)
	s.workers = append(s.workers, s.process("worker"))
}

// neverAgain checks that rows that were committed when a worker died do not run again, and are not
// recorded again.
func neverAgain(s *scene) {
	s.fallen(s.workers...)
	db := s.ledger()
	before := finished(s.t, db)
	s.workers = append(s.workers, s.process("worker"))
	s.until(done)
	after := finished(s.t, db)
	for id, version := range before {
		if after[id] != version {
			s.t.Errorf("event %d was written again: version %d, then %d", id, version, after[id])
		}
	}
	if len(before) == 0 {
		s.t.Error("nothing was committed when the worker died")
	}
}

func oldSnapshot(s *scene) {
	s.cli("save")
	s.until(processed(long(4000)))
	s.redis.Kill()
	s.redis.Start()
}

func flushScripts(s *scene) {
	for range 30 {
		s.cli("script", "flush")
		time.Sleep(30 * time.Millisecond)
	}
}

// pauseRedis stops Redis for longer than a lease. Meanwhile, all polls must be answered.
func pauseRedis(s *scene) {
	s.redis.Pause()
	end := time.Now().Add(8 * time.Second)
	for time.Now().Before(end) {
		if _, ok := s.getTask(s.id); !ok {
			s.t.Error("a poll was refused while Redis was away")
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.redis.Resume()
}

// fullRedis makes Redis refuse every write for a while.
func fullRedis(s *scene) {
	s.cli("config", "set", "maxmemory", "1")
	time.Sleep(3 * time.Second)
	s.cli("config", "set", "maxmemory", "0")
}

// ownPostgres gives the deployment a Postgres server of its own.
func (s *scene) ownPostgres() {
	s.server = testenv.StartPostgres(s.t)
	for i, e := range s.env {
		if strings.HasPrefix(e, "DATABASE_URL=") {
			s.postgres = s.server.URL()
			s.env[i] = "DATABASE_URL=" + s.postgres
		}
	}
}

func killPostgres(s *scene) {
	s.server.Kill()
	time.Sleep(time.Second)
	s.server.Start()
}

func cutPostgres(s *scene) {
	db := s.ledger()
	for range 10 {
		err := db.Read.Exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity " +
			"WHERE datname = current_database() AND pid <> pg_backend_pid()").Error
		if err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// pausePostgres stops Postgres. A poll is then answered with 503 and a time to retry, and the API
// stays alive.
func pausePostgres(s *scene) {
	s.server.Pause()
	end := time.Now().Add(10 * time.Second)
	refused := false
	for time.Now().Before(end) {
		_, ok := s.getTask(s.id)
		refused = refused || !ok
		resp, err := client.Get(s.apis[1].URL() + "/healthz")
		if err != nil {
			s.t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			s.t.Errorf("healthz flaps: %s", resp.Status)
		}
	}
	if !refused {
		s.t.Error("every poll was answered while Postgres was frozen")
	}
	s.server.Resume()
}

// wrongClocks replaces two workers. The clock of one new worker is an hour behind, and the clock of the
// other is an hour ahead.
func wrongClocks(s *scene) {
	s.workers[0].Kill()
	s.workers[1].Kill()
	s.workers = append(s.workers, s.process("worker", "CLOCK_SKEW=-1h"), s.process("worker", "CLOCK_SKEW=1h"))
}
