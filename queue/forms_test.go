//go:build all

package queue

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// trial is a test of two nodes on a Redis of some kind, and records what they do. Its epochs rise as
// those of a ledger do.
type trial struct {
	t       *testing.T
	w       *world
	witness *witness
	client  *Client
	epoch   atomic.Int64

	mu     sync.Mutex
	owners map[int64]string        // node by token
	sent   map[string][2]time.Time // when the push of a job was begun, and answered
}

func newTrial(t *testing.T, prefix string, opt redis.UniversalOptions) *trial {
	t.Helper()
	opt.ContextTimeoutEnabled, opt.MaxRetries = true, -1
	rdb := redis.NewUniversalClient(&opt)
	t.Cleanup(func() { _ = rdb.Close() })
	w := &world{t: t, rdb: rdb, prefix: prefix}
	eye, err := newWitness(shared.addr, w.prefix)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = eye.rdb.Close() })
	tr := &trial{
		t: t, w: w, witness: eye, owners: make(map[int64]string), sent: make(map[string][2]time.Time),
	}
	tr.client = NewClient(rdb, ClientOptions{
		Prefix: w.prefix, Queues: []Spec{{Name: "q"}}, Use: []PushMiddleware{tr.note},
	})
	for _, node := range []string{"a", "b"} {
		tr.node(node)
	}
	return tr
}

// note records the times of each push.
func (tr *trial) note(next Pusher) Pusher {
	return func(ctx context.Context, jobs []Job) error {
		begun := time.Now()
		err := next(ctx, jobs)
		tr.mu.Lock()
		defer tr.mu.Unlock()
		for _, j := range jobs {
			tr.sent[j.witnessed()] = [2]time.Time{begun, time.Now()}
		}
		return err
	}
}

func (tr *trial) node(name string) {
	opt := tr.w.quick()
	opt.Lease, opt.Node, opt.Log = chaosLease, name, nil
	opt.Epoch = func(context.Context) (int64, error) { return tr.epoch.Add(1), nil }
	tr.w.serve(opt, Worker{
		Queue: "q", MaxRetries: 1e6, MaxCrashes: -1,
		RetryIn: func(int) time.Duration { return 5 * time.Millisecond },
		Handle: func(ctx context.Context, b *Batch) error {
			tr.owned(b.Deliveries[0].Token, name)
			return tr.witness.handle(ctx, b)
		},
	})
}

// owned checks that no two nodes ever have the same token.
func (tr *trial) owned(token int64, node string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if was := tr.owners[token]; was != "" && was != node {
		tr.t.Errorf("token %d belongs to %s and to %s", token, was, node)
	}
	tr.owners[token] = node
}

// run pushes jobs, and calls the function `harm` when a fifth has ended. It checks that all jobs
// ended, except jobs whose push may have been lost between the two times that `harm` returns.
func (tr *trial) run(jobs, keys int, harm func() (from, to time.Time)) {
	tr.t.Helper()
	pushed := make(chan error, 1)
	go func() { pushed <- tr.witness.produce(tr.client, jobs, keys) }()
	until(tr.t, "a fifth has ended", func() bool { return tr.done() > jobs/5 })
	from, to := harm()
	if err := <-pushed; err != nil {
		tr.t.Error(err)
	}
	tr.w.patient(func() error {
		st, err := tr.client.Stats(tr.t.Context(), "q")
		if err == nil && st.Length+st.Busy > 0 {
			err = fmt.Errorf("not all settled: %+v", st)
		}
		return err
	})
	tr.verify(jobs, keys, from, to)
}

func (tr *trial) done() int {
	return int(tr.witness.rdb.SCard(tr.t.Context(), tr.witness.prefix+"done").Val())
}

// verify accepts a second, unmarked run of a payload if Redis may have lost its end.
func (tr *trial) verify(jobs, keys int, from, to time.Time) {
	tr.t.Helper()
	ended := make(map[string]bool)
	for _, id := range tr.witness.rdb.SMembers(tr.t.Context(), tr.witness.prefix+"done").Val() {
		ended[id] = true
	}
	lost := 0
	for i := range jobs {
		id := jobAt(i, keys).witnessed()
		if ended[id] {
			continue
		}
		if at := tr.sent[id]; at[0].After(to) || at[1].Before(from) {
			tr.t.Errorf("%s was pushed from %v to %v and never ran; the harm took from %v to %v", id, at[0].Format(clock), at[1].Format(clock), from.Format(clock), to.Format(clock))
		}
		lost++
	}
	endsLost := 0
	wrong := tr.witness.rdb.LRange(tr.t.Context(), tr.witness.prefix+"wrong", 0, -1).Val()
	for _, text := range wrong {
		if from.IsZero() || !strings.HasPrefix(text, "after its ack") {
			tr.t.Error(text)
		}
		endsLost++
	}
	tr.t.Logf("%d jobs: %d pushes lost, %d ends lost, %d tenures", jobs, lost, endsLost, tr.epoch.Load())
}

// TestSentinelFailover disconnects the replicas, so that the death of the master loses a second of
// work, and the sentinels promote one of them.
func TestSentinelFailover(t *testing.T) {
	t.Parallel()
	s := testenv.StartSentinels(t)
	tr := newTrial(t, newPrefix(), redis.UniversalOptions{
		MasterName: testenv.SentinelName, Addrs: s.Addrs(),
	})
	tr.run(8000, 400, func() (from, to time.Time) {
		from = time.Now() // pushes from now on may not reach the replicas
		for _, r := range s.Replicas {
			caughtUp(t, s.Master.Addr(), r.Addr())
		}
		for _, r := range s.Replicas {
			if err := dial(t, r.Addr()).ReplicaOf(t.Context(), "127.0.0.1", "1").Err(); err != nil {
				t.Error(err)
			}
		}
		mark := tr.done()
		until(t, "work is done that will be lost", func() bool { return tr.done() > mark+500 })
		s.Master.Kill() // for good: it would take pushes until the sentinels demote it
		until(t, "a replica is master, and the others follow it", func() bool { return followed(t, s) })
		return from, time.Now() // until now, pushes to a replaced master may be lost
	})
}

// clock is the format of a time of day.
const clock = "15:04:05.000"

// followed reports whether the failover has ended: all other replicas follow the new master.
func followed(t *testing.T, s *testenv.Sentinels) bool {
	t.Helper()
	master := s.Current(t)
	if master == s.Master.Addr() {
		return false
	}
	for _, r := range s.Replicas {
		info := dial(t, r.Addr()).Info(t.Context(), "replication").Val()
		_, port, _ := strings.Cut(master, ":")
		follows := strings.Contains(info, "master_port:"+port+"\r\n") && strings.Contains(info, "master_link_status:up")
		if leads := r.Addr() == master && strings.Contains(info, "role:master"); !leads && !follows {
			return false
		}
	}
	return true
}

// caughtUp waits until a replica has all that its master had at the time of the call. On a
// busy machine that takes longer than a second.
func caughtUp(t *testing.T, master, replica string) {
	t.Helper()
	offset := func(addr, field string) (n int64) {
		for line := range strings.Lines(dial(t, addr).Info(t.Context(), "replication").Val()) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), field+":"); ok {
				n, _ = strconv.ParseInt(text, 10, 64)
			}
		}
		return n
	}
	mark := offset(master, "master_repl_offset")
	until(t, "the replica has caught up", func() bool {
		got := offset(replica, "slave_repl_offset")
		return mark > 0 && got >= mark
	})
}

// TestClusterFailover kills a master whose replica takes its place.
func TestClusterFailover(t *testing.T) {
	t.Parallel()
	masters, replicas := testenv.StartReplicatedCluster(t)
	tr := newTrial(t, newPrefix(), redis.UniversalOptions{
		Addrs: []string{masters[0].Addr(), masters[2].Addr()},
	})
	tr.run(4000, 200, func() (from, to time.Time) {
		from = time.Now()
		caughtUp(t, masters[1].Addr(), replicas[1].Addr())
		masters[1].Kill()
		to = time.Now()
		heir := dial(t, replicas[1].Addr())
		until(t, "the replica is master", func() bool {
			return strings.Contains(heir.Info(t.Context(), "replication").Val(), "role:master")
		})
		masters[1].Start()
		return from, to
	})
}

// rights returns the rights that docs/how/queue.md gives a user, for keys of a prefix.
func rights(t *testing.T, prefix string) []any {
	t.Helper()
	text, err := os.ReadFile("../docs/how/queue.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rule, ok := strings.CutPrefix(line, "    ACL SETUSER "); ok {
			words := []any{"acl", "setuser"}
			for _, word := range strings.Fields(rule) {
				words = append(words, strings.Replace(word, "rollcall:", prefix+":", 1))
			}
			return words
		}
	}
	t.Fatal("docs/how/queue.md has no ACL SETUSER")
	return nil
}

// TestTLSAndACL runs over TLS and on a Cluster, with a user who has only the rights of
// docs/how/queue.md.
func TestTLSAndACL(t *testing.T) {
	t.Parallel()
	t.Run("tls", func(t *testing.T) {
		t.Parallel()
		s, addr, trust := testenv.StartTLSRedis(t)
		testRights(t, []*testenv.Server{s}, redis.UniversalOptions{
			Addrs: []string{addr}, TLSConfig: trust,
		})
	})
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		nodes := testenv.StartClusterNodes(t)
		testRights(t, nodes, redis.UniversalOptions{
			Addrs: []string{nodes[0].Addr(), nodes[1].Addr()},
		})
	})
}

func testRights(t *testing.T, nodes []*testenv.Server, opt redis.UniversalOptions) {
	prefix := newPrefix()
	for _, s := range nodes {
		if err := dial(t, s.Addr()).Do(t.Context(), rights(t, prefix)...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	opt.Username, opt.Password = "rollcall", "PASSWORD"
	tr := newTrial(t, prefix, opt)
	a := tr.client.Admin()
	tr.run(1000, 100, func() (from, to time.Time) {
		_, known := tr.client.Identity(t.Context())
		for _, err := range []error{
			known, a.Pause(t.Context(), "q"), a.Resume(t.Context(), "q"), a.Reshard(t.Context(), "q", 3),
			tr.client.SetGeneration(t.Context(), "mark"),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		return from, to
	})
	for _, act := range []func(context.Context, string) (int, error){
		a.PerformAllNow, a.KillAllFailed, a.RequeueAllMorgue, a.DeleteAllMorgue,
	} {
		if _, err := act(t.Context(), "q"); err != nil {
			t.Error(err)
		}
	}
	for _, s := range nodes {
		log := dial(t, s.Addr()).Do(t.Context(), "acl", "log").String()
		if strings.Contains(log, "rollcall") {
			t.Error(log)
		}
	}
	other := tr.w.rdb.Get(t.Context(), "another:key").Err()
	if other == nil || !strings.HasPrefix(other.Error(), "NOPERM") {
		t.Errorf("a key of others: %v, want NOPERM", other)
	}
}
