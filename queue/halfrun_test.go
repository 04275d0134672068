package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// stage is a queue of one shard with a key in each place: due, later, retried, in flight with more
// behind it, dead.
type stage struct {
	*hand
	c     *Client
	a     *Admin
	units map[string]*inflightKey
}

func newStage(t *testing.T, w *world) *stage {
	st := &stage{hand: byHand(t, w), units: make(map[string]*inflightKey)}
	st.c = w.client(Spec{"one", 1})
	st.a = st.c.Admin()
	st.push("dead1/a", "dead1/b", "dead2/c", "retried/r", "plain/p", "fly/f1", "fly/f2", "fly/f3")
	for _, u := range st.fetch(10) {
		st.units[u.key] = u
	}
	st.hand.settle(st.units["dead1"], Outcome{Kind: Dead, Err: "no"})
	st.hand.settle(st.units["dead2"], Outcome{Kind: Dead, Err: "no"})
	st.hand.settle(st.units["retried"], Outcome{Kind: Retry, At: time.Now(), Err: "no"})
	st.push("fly/g", "plain/q", "one/1", "two/2a", "two/2b", "two/2c", "dead1/w", "feared/a", "feared/b", "feared/c")
	k := st.own.shard.keys
	err := w.rdb.HSet(t.Context(), k.crashes, "feared", 1, "\xfffeared", "2;").Err()
	if err != nil {
		t.Fatal(err)
	}
	err = st.c.Push(t.Context(), Job{Queue: "one", Key: "later", Payload: []byte("l"), RunAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// jobs returns jobs named "key/payload", in the order of their scores.
func jobs(names ...string) (list []Job) {
	for i, name := range names {
		key, payload, _ := strings.Cut(name, "/")
		list = append(list, Job{Queue: "one", Key: key, Payload: []byte(payload), Score: float64(i)})
	}
	return list
}

func (st *stage) push(names ...string) {
	st.t.Helper()
	if err := st.c.Push(st.t.Context(), jobs(names...)...); err != nil {
		st.t.Fatal(err)
	}
}

// over returns the stage through another client.
func (st *stage) over(w *world) *stage {
	own, h := *st, *st.hand
	h.w, own.hand = w, &h
	own.c = w.client(Spec{"one", 1})
	own.a = own.c.Admin()
	return &own
}

// end settles a key in flight.
func (st *stage) end(key string, kinds ...Kind) error {
	u := st.units[key]
	for i, d := range u.list {
		d.Resolve(Outcome{Kind: kinds[i], At: time.Now(), Err: "no"})
	}
	r := st.run(&roundTrip{own: st.own, sent: []*settlement{{unit: u, plan: planOf(u.list, time.Now())}}})
	return r.err
}

func (st *stage) single(s *script, args ...any) error {
	c := &call{script: s, keys: []string{st.own.shard.keys.lease}, args: append([]any{st.own.lease}, args...)}
	runCalls(st.t.Context(), st.w.rdb, []*call{c})
	return c.err
}

// errOf drops the first result.
func errOf[T any](_ T, err error) error { return err }

// halfRun is an act that runs a script, with the payloads that it may remove from Redis.
type halfRun struct {
	name    string // name of the script, and after a comma what is special
	script  *script
	prepare func(st *stage)
	act     func(ctx context.Context, st *stage) error
	ends    []string // payloads
	writes  bool     // the act writes ahead of the script
}

var halfRuns = []halfRun{
	{name: "push", script: pushScript, act: func(ctx context.Context, st *stage) error {
		list := jobs("one/1b", "two/2d", "fly/g2", "plain/q", "new/n", "new later/o", "twice/d1", "twice/d2", "dead2/v")
		list[5].RunAt, list[4].Redelivered = time.Now().Add(time.Hour), true
		return st.c.Push(ctx, list...)
	}},
	{name: "fetch", script: fetchScript, act: func(_ context.Context, st *stage) error {
		return st.run(&roundTrip{own: st.own, want: 20}).err
	}},
	{name: "ack", script: ackScript, ends: []string{"plain/p"}, act: func(_ context.Context, st *stage) error {
		return st.end("plain", Done)
	}},
	{name: "settle", script: settleScript, ends: []string{"fly/f1"}, act: func(_ context.Context, st *stage) error {
		return st.end("fly", Done, Dead, Retry)
	}},
	{name: "acquire", script: acquireScript, writes: true, act: func(ctx context.Context, st *stage) error {
		opt := st.w.quick()
		opt.Lease = time.Minute
		s := NewServer(st.w.rdb, opt, Worker{Queue: "one", Shards: 1, Handle: blank})
		s.life.handlers = ctx
		st.w.rdb.Del(ctx, st.own.shard.keys.lease)
		return s.acquire(ctx, s.queues[0].shards)
	}},
	{name: "renew", script: renewScript, act: func(_ context.Context, st *stage) error {
		return st.single(renewScript, 60_000)
	}},
	{name: "release", script: releaseScript, act: func(_ context.Context, st *stage) error {
		return st.single(releaseScript)
	}},
	{name: "suspect", script: suspectScript, act: func(ctx context.Context, st *stage) error {
		k, u := st.own.shard.keys, st.units["fly"]
		c := &call{script: suspectScript, keys: []string{k.lease, k.busy}}
		c.args = []any{st.own.lease, u.key, u.ticket(), 1}
		runCalls(ctx, st.w.rdb, []*call{c})
		return c.err
	}},
	{name: "hasten", script: performAllNowScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.PerformAllNow(ctx, "one"))
	}},
	{name: "summon", script: performNowScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.PerformNow(ctx, "one", "later", "fly"))
	}},
	{name: "drop, killed", script: deleteWaitingScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.Kill(ctx, "one", "one", "two", "retried", "feared"))
	}},
	{name: "drop, all failed", script: deleteWaitingScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.KillAllFailed(ctx, "one"))
	}},
	{
		name: "drop, deleted", script: deleteWaitingScript, ends: []string{"one/1", "two/2a", "two/2b", "two/2c"},
		act: func(ctx context.Context, st *stage) error {
			return errOf(st.a.Delete(ctx, "one", "one", "two"))
		},
	},
	{
		name: "prune", script: pruneScript, writes: true, ends: []string{"one/1", "two/2a", "two/2b", "two/2c"},
		prepare: func(st *stage) {
			if _, err := st.a.Delete(st.t.Context(), "one", "retried"); err != nil {
				st.t.Fatal(err)
			}
		},
		act: func(ctx context.Context, st *stage) error {
			_, err := st.a.Delete(ctx, "one", "one", "two")
			return errors.Join(err, st.a.prune(ctx, st.own.shard.keys, 3))
		},
	},
	{name: "requeue", script: requeueScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.RequeueMorgue(ctx, "one", "dead1", "dead2"))
	}},
	{
		name: "discard", script: deleteDeadScript, ends: []string{"dead1/a", "dead1/b"},
		act: func(ctx context.Context, st *stage) error {
			return errOf(st.a.DeleteMorgue(ctx, "one", "dead1"))
		},
	},
	{name: "exhume", script: deadRemoveScript, ends: []string{"dead2/c"}, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.RemoveDead(ctx, "one", "dead2", []byte("c")))
	}},
	{name: "relist", script: relistScript, prepare: func(st *stage) {
		k := st.own.shard.keys
		st.w.rdb.Del(st.t.Context(), k.ready, k.wait)
	}, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.Relist(ctx, "one", "one", "two", "dead1", "plain", "fly", "feared"))
	}},
	{name: "recut", script: relayoutScript, writes: true, act: func(ctx context.Context, st *stage) error {
		return st.a.Reshard(ctx, "one", 2)
	}},
	{name: "exempt", script: exemptScript, act: func(ctx context.Context, st *stage) error {
		return st.a.Drain(ctx, "another node")
	}},
	{name: "retire", script: dropLayoutScript, writes: true, prepare: onlyDead, act: retireOld},
	{name: "bury", script: deadAddScript, writes: true, prepare: onlyDead, act: retireOld},
	{name: "push, refused", script: pushScript, prepare: fillKeys, act: func(ctx context.Context, st *stage) error {
		err := st.c.Push(ctx, limited(1, "one/1b", "new/n", "new/o")...)
		if errors.Is(err, ErrKeyFull) {
			return nil
		}
		return err
	}},
	{name: "fetch, wanted", script: fetchScript, prepare: fillKeys, act: func(_ context.Context, st *stage) error {
		return st.run(&roundTrip{own: st.own, want: 20}).err
	}},
	{name: "drop, wanted", script: deleteWaitingScript, prepare: fillKeys, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.Kill(ctx, "one", "one", "two"))
	}},
	{name: "refill", script: refillScript, prepare: fillKeys, act: func(ctx context.Context, st *stage) error {
		return st.c.ReportRefills(ctx, "one", Refill{"one", 0}, Refill{"two", 4}, Refill{"plain", 9}, Refill{"new", 1})
	}},
	{name: "exhume, of the older cut", script: deadRemoveScript, writes: true, prepare: onlyDead, act: retireOld},
	{name: "take", script: takeScript, act: func(ctx context.Context, st *stage) error {
		_, err := st.takePermit(ctx)
		return err
	}},
	{name: "take, refused", script: takeScript, prepare: func(st *stage) {
		if permit, err := st.takePermit(st.t.Context()); permit == nil || err != nil {
			st.t.Fatal(permit, err)
		}
	}, act: func(ctx context.Context, st *stage) error {
		_, err := st.takePermit(ctx)
		return err
	}},
	{name: "give", script: giveScript, writes: true, act: func(ctx context.Context, st *stage) error {
		permit := &Permit{of: NewPermits(st.c, time.Minute), name: "first", queue: "one", key: "plain"}
		_, err := permit.take(ctx, onePermit)
		if _, refused := st.takePermit(ctx); err != nil || refused != nil {
			return errors.Join(err, refused)
		}
		c := permit.call(giveScript, onePermit, onePermit.AtOnce, onePermit.Rate, onePermit.Per.Milliseconds(), 1)
		runCalls(ctx, st.w.rdb, []*call{c})
		return c.err
	}},
	{name: "extend", script: extendScript, act: func(ctx context.Context, st *stage) error {
		c := &call{script: extendScript, keys: []string{st.c.keys.limit("one", onePermit).permits}}
		c.args = []any{60_000, "a permit", "another"}
		runCalls(ctx, st.w.rdb, []*call{c})
		return c.err
	}},
	{name: "keys", script: keysScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.Waiting(ctx, "one", Query{}))
	}},
	{name: "locate", script: locateScript, act: func(ctx context.Context, st *stage) error {
		return errOf(st.a.Locate(ctx, "one", Ref{Key: "two", Head: "2b"}))
	}},
	{name: "unlisted", script: unlistedScript, act: func(ctx context.Context, st *stage) error {
		return errOf(strandedKeys(ctx, st.a, "one"))
	}},
}

// onePermit is a limit with both bounds.
var onePermit = Limit{Scope: "all", AtOnce: 1, Rate: 1, Per: time.Hour}

// takePermit takes a permit for the key plain. It returns nil if it was refused.
func (st *stage) takePermit(ctx context.Context) (*Permit, error) {
	permit, _, err := NewPermits(st.c, time.Minute).Take(ctx, "one", "plain", onePermit)
	return permit, err
}

// fillKeys makes some keys refuse one job each.
func fillKeys(st *stage) {
	err := st.c.Push(st.t.Context(), limited(1, "one/full", "two/full", "plain/full")...)
	if !errors.Is(err, ErrKeyFull) {
		st.t.Fatal(err)
	}
}

// onlyDead leaves only the morgue, and reshards the queue.
func onlyDead(st *stage) {
	ctx := st.t.Context()
	for _, err := range []error{
		st.end("plain", Dead), st.end("fly", Dead, Dead, Dead),
		errOf(st.a.Kill(ctx, "one", "plain", "fly", "one", "two", "dead1", "later", "retried", "feared")),
		st.a.Reshard(ctx, "one", 2),
	} {
		if err != nil {
			st.t.Fatal(err)
		}
	}
}

func retireOld(ctx context.Context, st *stage) error {
	l, err := st.a.layout(ctx, "one")
	if err != nil || l.oldShards == 0 {
		return err
	}
	return errOf(st.a.client.engine.retire(ctx, "one", l))
}

// TestScript_DiesBeforeAnyOfItsWrites_TakesNoPayload ends each script before each of its writes. No
// payload is lost, and all waiting and fetched payloads run, after a retry of the caller or after
// its death.
func TestScript_DiesBeforeAnyOfItsWrites_TakesNoPayload(t *testing.T) {
	t.Parallel()
	for _, h := range halfRuns {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			t.Run("redis", func(t *testing.T) { t.Parallel(); h.story(t, newWorld(t), true) })
			t.Run("miniredis", func(t *testing.T) {
				t.Parallel()
				h.story(t, miniWorld(t), testenv.Chaos)
			})
		})
	}
}

// story ends the script before the first write, then before the second, and so on. After each end,
// the caller acts again or dies. If `both` is true, story tries both after each end.
func (h halfRun) story(t *testing.T, w *world, both bool) {
	for after := 0; ; after++ {
		for _, repeat := range []bool{true, false} {
			if !both && repeat == (after%2 == 1) {
				continue
			}
			own := *w
			own.t, own.prefix = t, fmt.Sprintf("%s.%s.%d%v", w.prefix, strings.ReplaceAll(h.name, " ", ""), after, repeat)
			if !h.dies(t, &own, after, repeat) {
				return
			}
			own.clear()
			if t.Failed() {
				t.Fatalf("it died before write number %d; the caller acted again: %v", after, repeat)
			}
		}
	}
}

// clear deletes every key of the world.
func (w *world) clear() {
	w.t.Helper()
	if keys := w.everyKey(":*"); len(keys) > 0 {
		if err := w.rdb.Del(w.t.Context(), keys...).Err(); err != nil {
			w.t.Fatal(err)
		}
	}
}

// dies runs the script with a fault before its write number `after`, counted from 0. It reports
// whether the script got that far. If repeat is set, it performs the act again after the fault.
func (h halfRun) dies(t *testing.T, w *world, after int, repeat bool) bool {
	st := newStage(t, w)
	if h.prepare != nil {
		h.prepare(st)
	}
	s := &saboteur{script: h.script, after: after}
	image, before := w.image(), w.holding()
	err := h.act(t.Context(), st.over(w.sabotage(s)))
	if !s.fired.Load() {
		if err != nil {
			t.Errorf("the act fails with no fault injected: %v", err)
		}
		return false
	}
	if err == nil {
		t.Error("the script died and the act succeeded")
	}
	if d := cmp.Diff(image, w.image()); after == 0 && !h.writes && d != "" {
		t.Errorf("dead before its first write, it has changed Redis:\n%s", d)
	}
	now := w.holding()
	keeps(t, before.all(), now.all(), h.ends, "is lost")
	if repeat {
		if err := h.act(t.Context(), st); err != nil {
			t.Errorf("the act fails at the second time: %v", err)
		}
		if list, err := strandedKeys(t.Context(), st.a, "one"); len(list) > 0 || err != nil {
			t.Errorf("stranded: %q, %v", list, err)
		}
	}
	if h.script == relistScript {
		if _, err := st.a.Relist(t.Context(), "one", "one", "two", "dead1", "plain", "fly", "feared"); err != nil {
			t.Fatal(err)
		}
	}
	dead := w.holding().dead
	ran := st.workOff(w)
	maps.Copy(ran, dead)
	keeps(t, now.all(), ran, h.ends, "never runs")
	return true
}

// keeps checks that the payloads in `before` are also in `now`, except those in `ends`.
func keeps(t *testing.T, before, now map[string]bool, ends []string, what string) {
	t.Helper()
	for _, p := range slices.Sorted(maps.Keys(before)) {
		if !now[p] && !slices.Contains(ends, p) {
			t.Errorf("%s %s", p, what)
		}
	}
}

// workOff makes a node take over and run everything. It returns what ran.
func (st *stage) workOff(w *world) map[string]bool {
	st.t.Helper()
	ctx := st.t.Context()
	var mu sync.Mutex
	ran := make(map[string]bool)
	for _, base := range w.shards() {
		w.rdb.Del(ctx, base+"lease")
	}
	opt := w.quick()
	opt.Log = nil
	s := NewServer(w.rdb, opt, Worker{Queue: "one", Shards: 1, Handle: func(_ context.Context, b *Batch) error {
		mu.Lock()
		defer mu.Unlock()
		for _, d := range b.Deliveries {
			ran[d.Key+"/"+string(d.Payload)] = true
		}
		return nil
	}})
	if err := s.Start(ctx); err != nil {
		st.t.Fatal(err)
	}
	defer s.Stop()
	clean := w.client(Spec{"one", 1})
	until(st.t, "all is worked off", func() bool {
		if _, err := clean.Admin().PerformAllNow(ctx, "one"); err != nil {
			st.t.Fatal(err)
		}
		stats, err := clean.Stats(ctx, "one")
		return err == nil && stats.Length+stats.Busy == 0
	})
	mu.Lock()
	defer mu.Unlock()
	return maps.Clone(ran)
}

// included lists the files that are only prepended to scripts.
var included = map[string]bool{"prelude": true, "merge": true, "limits": true, "clock": true}

// TestScript_OfAnyName_IsTested finds scripts that no case runs.
func TestScript_OfAnyName_IsTested(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".lua")
		known := slices.ContainsFunc(halfRuns, func(h halfRun) bool { return h.script.name == name })
		if !known && !included[name] {
			t.Errorf("lua/%s is run by no case of halfRuns", e.Name())
		}
	}
}
