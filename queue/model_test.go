package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// model holds the promises of the queue, without leases, shards or Redis.
type model struct {
	now     int64
	waiting map[string]*modelKey // also what came in behind a key in flight
	busy    map[string]*modelKey
	dead    map[string]map[string]float64
	limits  map[string]int // of keys that have refused a job
	wanted  map[string]bool
}

// left returns the number of waiting payloads of a key.
func (m *model) left(key string) int {
	if m.waiting[key] == nil {
		return 0
	}
	return len(m.waiting[key].payloads)
}

// refuses reports whether the limit of a job refuses it, and records the refusal.
func (m *model) refuses(key, payload string, limit int) bool {
	if limit == 0 || m.left(key) < limit {
		return false
	}
	if _, waits := m.waiting[key].payloads[payload]; waits {
		return false
	}
	m.limits[key] = limit
	return true
}

// shrink makes a key wanted if it has refused jobs and has room again.
func (m *model) shrink(key string) {
	if limit, ok := m.limits[key]; ok && m.left(key) <= limit/2 && !m.wanted[key] {
		m.wanted[key] = true
		delete(m.limits, key)
	}
}

// fed records a report of the limit with which the caller has more jobs of a key; 0 means no jobs.
func (m *model) fed(key string, given int) {
	limit := given
	if given == 0 {
		limit = m.limits[key]
	}
	if m.wanted[key] = limit > 0 && m.left(key) <= limit/2; m.wanted[key] {
		delete(m.limits, key)
		return
	}
	delete(m.wanted, key)
	if given > 0 {
		m.limits[key] = given
	}
}

type modelKey struct {
	payloads map[string]float64
	at       int64
	retry    int
	suspects int // payloads that come one at a time
}

// merge keeps the smaller score of equal payloads.
func merge(into, from map[string]float64) {
	for p, score := range from {
		if old, ok := into[p]; !ok || score < old {
			into[p] = score
		}
	}
}

// next returns the score of a payload that is pushed without one.
func (m *model) next(key string) float64 {
	var scores []float64
	for _, k := range []*modelKey{m.waiting[key], m.busy[key], {payloads: m.dead[key]}} {
		if k != nil {
			scores = slices.AppendSeq(scores, maps.Values(k.payloads))
		}
	}
	if len(scores) == 0 {
		return 0
	}
	return slices.Max(scores) + 1
}

// sorted lists the payloads in the order in which a handler gets them.
func (k *modelKey) sorted() []string {
	return slices.SortedFunc(maps.Keys(k.payloads), func(a, b string) int {
		if k.payloads[a] != k.payloads[b] {
			return int(k.payloads[a] - k.payloads[b])
		}
		return strings.Compare(a, b)
	})
}

func (m *model) add(key string, payloads map[string]float64, at int64) *modelKey {
	k := m.waiting[key]
	if k == nil {
		k = &modelKey{payloads: map[string]float64{}, at: at, retry: -1}
		m.waiting[key] = k
	}
	merge(k.payloads, payloads)
	return k
}

// back returns a key from flight. Its run-at and retry count replace those of the waiting payloads.
func (m *model) back(key string, b *modelKey) {
	if len(b.payloads) > 0 {
		k := m.add(key, b.payloads, b.at)
		k.at, k.retry = b.at, b.retry
		if k.suspects > 0 {
			k.suspects += len(b.payloads)
		}
	}
	delete(m.busy, key)
}

// fail ends a key whose handler returned an error, with two retries.
func (m *model) fail(key string) {
	b := m.busy[key]
	if b.retry++; b.retry < 2 {
		b.at = max(b.at, m.now+1000)
	} else {
		m.exhausted(key, map[string]float64{b.sorted()[0]: b.payloads[b.sorted()[0]]})
		delete(b.payloads, b.sorted()[0])
		b.at, b.retry = m.now, -1
	}
	m.back(key, b)
}

// crash returns a key from flight whose node has died: all its payloads are suspects.
func (m *model) crash(key string, b *modelKey) {
	k := m.add(key, b.payloads, b.at)
	k.at, k.retry = b.at, b.retry
	k.suspects += len(b.payloads)
	delete(m.busy, key)
}

// take puts a key in flight: one payload of a suspect key, all of any other.
func (m *model) take(key string) *modelKey {
	k := m.waiting[key]
	delete(m.waiting, key)
	if k.suspects == 0 || len(k.payloads) == 1 {
		return k
	}
	first := k.sorted()[0]
	one := &modelKey{payloads: map[string]float64{first: k.payloads[first]}, at: k.at, retry: k.retry}
	delete(k.payloads, first)
	m.waiting[key] = &modelKey{payloads: k.payloads, at: k.at, retry: -1, suspects: k.suspects - 1}
	return one
}

func (m *model) exhausted(key string, payloads map[string]float64) {
	if m.dead[key] == nil {
		m.dead[key] = map[string]float64{}
	}
	merge(m.dead[key], payloads)
}

// due lists the keys that may start, earliest first.
func (m *model) due() []string {
	var list []string
	for key, k := range m.waiting {
		if m.busy[key] == nil && k.at <= m.now {
			list = append(list, key)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return int(m.waiting[a].at - m.waiting[b].at) })
	return list
}

// hasten makes all keys due in their order, a millisecond apart up to now.
func (m *model) hasten() {
	var later []string
	for key, k := range m.waiting {
		if k.at > m.now && m.busy[key] == nil {
			later = append(later, key)
		} else if k.at > m.now {
			k.at = m.now
		}
	}
	slices.SortFunc(later, func(a, b string) int {
		return int(m.waiting[a].at-m.waiting[b].at)*10 + strings.Compare(a, b)
	})
	for i, key := range later {
		m.waiting[key].at = m.now - int64(len(later)) + int64(i)
	}
}

// later counts the keys that are not due yet.
func (m *model) later() (n int) {
	for _, k := range m.waiting {
		if k.at > m.now {
			n++
		}
	}
	return n
}

// bench is the model beside the real queue.
type bench struct {
	t     *rapid.T
	h     *hand
	c     *Client
	m     *model
	units map[string]*inflightKey
	ghost bool // a deleted key may come back in its old place
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

var someKey = rapid.SampledFrom([]string{"a", "b", "c", "d"})

func (b *bench) push(t *rapid.T) {
	key := someKey.Draw(t, "key")
	payload := rapid.SampledFrom([]string{"", "p", "q", "r"}).Draw(t, "payload")
	score := float64(rapid.IntRange(-3, 3).Draw(t, "score")) // 0 = none
	delay := rapid.SampledFrom([]int64{0, 0, 500, 5000}).Draw(t, "delay")
	job := Job{Queue: "one", Key: key, Payload: []byte(payload), Score: score}
	if delay > 0 {
		job.RunAt = time.UnixMilli(b.m.now + delay)
	}
	job.Limit = rapid.IntRange(0, 3).Draw(t, "limit")
	var got Pushed
	job.Pushed = &got
	err := b.c.Push(context.Background(), job)
	if b.m.refuses(key, payload, job.Limit) {
		if !errors.Is(err, ErrKeyFull) {
			t.Fatalf("pushed: %v, want %v", err, ErrKeyFull)
		}
		return
	}
	b.ok(err)
	want := Pushed{Waited: b.m.waiting[key] != nil}
	if want.Waited {
		_, want.Merged = b.m.waiting[key].payloads[payload]
	}
	if got != want {
		t.Fatalf("pushed: %+v, want %+v", got, want)
	}
	if score == 0 {
		score = b.m.next(key)
	}
	b.m.add(key, map[string]float64{payload: score}, b.m.now+delay)
}

func (b *bench) fetch(t *rapid.T) {
	want := min(rapid.IntRange(1, 4).Draw(t, "want"), len(b.m.due()))
	units, tries := b.take(want)
	if len(units) != want {
		t.Fatalf("fetched %d keys, want %d of %v", len(units), want, b.m.due())
	}
	last := int64(0)
	for _, u := range units {
		k := b.m.waiting[u.key]
		if k == nil || b.m.busy[u.key] != nil || k.at > b.m.now || (!b.ghost && tries == 1 && k.at < last) {
			t.Fatalf("fetched %s out of turn", u.key)
		}
		last = k.at
		k = b.m.take(u.key)
		b.m.shrink(u.key)
		if got := strings.Split(strings.Join(list(u), ","), ","); !slices.Equal(got, k.sorted()) ||
			u.list[0].RetryCount != k.retry {
			t.Fatalf("%s came as %q retry %d, want %q retry %d",
				u.key, got, u.list[0].RetryCount, k.sorted(), k.retry)
		}
		b.units[u.key], b.m.busy[u.key] = u, k
	}
	for _, key := range b.m.due() {
		if !b.ghost && tries == 1 && want > 0 && b.m.waiting[key].at < last {
			t.Fatalf("%s was left though it was due before", key)
		}
	}
}

// take fetches until the expected keys were returned. If keys were deleted, one fetch may return
// fewer.
func (b *bench) take(want int) (units []*inflightKey, tries int) {
	for len(units) < want && tries < 10 || tries == 0 {
		r := b.h.runAt(&roundTrip{own: b.h.own, want: max(want-len(units), 1)}, b.m.now)
		b.ok(r.err)
		units = append(units, r.units...)
		tries++
	}
	return units, tries
}

func list(u *inflightKey) (out []string) {
	for _, d := range u.list {
		out = append(out, string(d.Payload))
	}
	return out
}

// settle ends one key in flight, twice. The second call must change nothing.
func (b *bench) settle(t *rapid.T) {
	if len(b.units) == 0 {
		t.Skip("nothing in flight")
	}
	key := rapid.SampledFrom(slices.Sorted(maps.Keys(b.units))).Draw(t, "key")
	u, end := b.units[key], rapid.SampledFrom([]string{"done", "failed", "returned"}).Draw(t, "end")
	delete(b.units, key)
	v := callResult{now: time.UnixMilli(b.m.now)}
	switch end {
	case "done":
		b.m.back(key, &modelKey{})
	case "failed":
		v.err = errors.New("no")
		b.m.fail(key)
	default:
		v.err, v.interrupted = errors.New("no"), true
		b.m.back(key, b.m.busy[key])
	}
	localQueue := b.h.own.shard.localQueue
	localQueue.resolve(u.list, v)
	for range 2 {
		r := b.h.runAt(&roundTrip{own: b.h.own, sent: []*settlement{{u, planOf(u.list, v.now)}}}, b.m.now)
		b.ok(r.err)
	}
}

func (b *bench) takeOver(*rapid.T) {
	ctx := context.Background()
	b.ok(b.h.s.acquire(ctx, b.h.s.queues[0].shards))
	b.h.own = b.h.s.queues[0].shards[0].owned
	_, _, err := b.h.s.restore(ctx, b.h.own, 1, time.Now().Add(time.Hour))
	b.ok(err)
	for key, k := range b.m.busy {
		b.m.crash(key, k)
	}
	clear(b.units)
}

func (b *bench) admin(t *rapid.T) {
	a, ctx := b.c.Admin(), context.Background()
	var n int
	var err error
	want := 0
	switch rapid.SampledFrom([]string{"kill", "requeue", "hasten", "delete"}).Draw(t, "act") {
	case "kill":
		n, err = a.KillAllFailed(ctx, "one")
		for key, k := range b.m.waiting {
			if k.retry >= 0 {
				want++
				b.m.exhausted(key, k.payloads)
				delete(b.m.waiting, key)
				b.m.shrink(key)
			}
		}
	case "requeue":
		n, err = a.RequeueAllMorgue(ctx, "one")
		want = len(b.m.dead)
		for key, payloads := range b.m.dead {
			k := b.m.add(key, payloads, b.m.now)
			k.retry, k.at = -1, b.place(key, k)
		}
		clear(b.m.dead)
	case "hasten":
		want = b.m.later()
		n, err = a.PerformAllNow(ctx, "one")
		b.m.hasten()
	default:
		key := someKey.Draw(t, "key")
		b.ghost = b.ghost || b.lined(key)
		n, err = a.Delete(ctx, "one", key)
		if b.m.waiting[key] != nil {
			want = 1
		}
		delete(b.m.waiting, key)
		if want == 1 {
			b.m.shrink(key)
		}
	}
	if b.ok(err); n != want {
		t.Fatalf("acted on %d keys, want %d", n, want)
	}
}

// fed reports that jobs are left for a key, or none.
func (b *bench) fed(t *rapid.T) {
	key, limit := someKey.Draw(t, "key"), rapid.IntRange(0, 3).Draw(t, "limit")
	b.ok(b.c.ReportRefills(context.Background(), "one", Refill{Key: key, Limit: limit}))
	b.m.fed(key, limit)
}

// checkLimits compares the full keys and the wanted keys.
func (b *bench) checkLimits(t *rapid.T) {
	wanted, err := b.c.Wanted(context.Background(), "one", 100)
	b.ok(err)
	if slices.Sort(wanted); !slices.Equal(wanted, slices.Sorted(maps.Keys(b.m.wanted))) {
		t.Fatalf("wanted: %q, want %v", wanted, b.m.wanted)
	}
	limits := map[string]string{}
	for key, n := range b.m.limits {
		limits[key] = fmt.Sprint(n)
	}
	if got := b.h.w.rdb.HGetAll(context.Background(), b.h.own.shard.keys.limits).Val(); !maps.Equal(got, limits) {
		t.Fatalf("limits: %v, want %v", got, limits)
	}
}

// place returns when a requeued key is due. It keeps its place if it has one.
func (b *bench) place(key string, k *modelKey) int64 {
	if b.lined(key) {
		return k.at
	}
	return b.m.now
}

func (b *bench) lined(key string) bool {
	body := b.h.w.rdb.HGet(context.Background(), b.h.own.shard.keys.jobs, key).Val()
	return strings.HasPrefix(body, "!")
}

// check compares the counts after every step.
func (b *bench) check(t *rapid.T) {
	st, err := b.c.Stats(context.Background(), "one")
	b.ok(err)
	retries := 0
	for _, k := range b.m.waiting {
		if k.retry >= 0 {
			retries++
		}
	}
	got := [4]int64{st.Length, st.Retries, st.Busy, st.MorgueLength}
	want := [4]int64{int64(len(b.m.waiting)), int64(retries), int64(len(b.m.busy)), int64(len(b.m.dead))}
	b.checkLimits(t)
	if got != want {
		t.Fatalf("length, retries, busy, morgue = %v, want %v", got, want)
	}
}

// TestTheQueueIsItsModel performs random steps on the queue and on its model.
func TestTheQueueIsItsModel(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		runs := 0
		rapid.Check(t, func(rt *rapid.T) {
			runs++
			own := *w
			own.prefix = fmt.Sprintf("%s.m%d", w.prefix, runs)
			b := newBench(t, rt, &own)
			rt.Repeat(map[string]func(*rapid.T){
				"push": b.push, "push too": b.push, "fetch": b.fetch, "settle": b.settle,
				"settle too": b.settle, "fed": b.fed, "take over": b.takeOver, "admin": b.admin, "": b.check,
				"wait": func(rt *rapid.T) { b.m.now += rapid.Int64Range(1, 2000).Draw(rt, "ms") },
			})
		})
	})
}

func newBench(t *testing.T, rt *rapid.T, w *world) *bench {
	m := &model{
		now: 1e12, waiting: map[string]*modelKey{}, busy: map[string]*modelKey{},
		dead: map[string]map[string]float64{}, limits: map[string]int{}, wanted: map[string]bool{},
	}
	clock := func() time.Time { return time.UnixMilli(m.now) }
	opt := w.quick()
	opt.Now, opt.Log, opt.Lease = clock, nil, time.Minute
	s := NewServer(w.rdb, opt, Worker{
		Queue: "one", Shards: 1, MaxRetries: 2, Handle: blank,
		RetryIn: func(int) time.Duration { return time.Second },
	})
	s.life.handlers = context.Background()
	b := &bench{t: rt, h: &hand{t: t, w: w, s: s}, m: m, units: map[string]*inflightKey{}}
	b.c = NewClient(w.rdb, ClientOptions{Prefix: w.prefix, Queues: []Spec{{"one", 1}}, Now: clock})
	_, err := b.c.Stats(context.Background(), "one") // adds the queue to Redis
	b.ok(err)
	b.takeOver(rt)
	return b
}
