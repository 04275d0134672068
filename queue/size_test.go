package queue

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// largest is the greatest size of a row of an import.
const largest = 200_000

// load is the input of the scripts.
type load struct {
	name string
	keys int
	many int               // payloads of the first key
	size func(key int) int // bytes of each payload of a key
}

// manyKeys is the number of keys of the largest load, someKeys that of another.
var (
	manyKeys = testenv.Size(501, 5_000)
	someKeys = testenv.Size(100, 500)
)

var loads = []load{
	{"1 key of 1 byte", 1, 2, func(int) int { return 1 }},
	{"1 key of 5 kB", 1, 2, func(int) int { return 5_000 }},
	{"1 key of 200 kB", 1, 2, func(int) int { return largest }},
	{"1 key with 5000 payloads", 1, 5_000, func(int) int { return 1 }},
	{"1 key with 30 payloads of 200 kB", 1, 30, func(int) int { return largest }},
	{fmt.Sprintf("%d keys of 5 kB", someKeys), someKeys, 2, func(int) int { return 5_000 }},
	{fmt.Sprintf("%d keys, some of 5 kB and 200 kB", manyKeys), manyKeys, 2, func(key int) int {
		switch {
		case key%1000 == 0:
			return largest
		case key%100 == 1:
			return 5_000
		}
		return 1
	}},
}

// mostInProcess is the greatest number of keys of a load for the in-process Redis. With the race
// detector, the in-process Redis needs minutes for a larger load.
var mostInProcess = map[bool]int{false: 501, true: manyKeys}[testenv.Chaos]

// TestScript_OfAnySize_Runs runs all scripts with keys and payloads of all sizes.
func TestScript_OfAnySize_Runs(t *testing.T) {
	t.Parallel()
	for _, l := range loads {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			t.Run("redis", func(t *testing.T) { t.Parallel(); l.story(t, newWorld(t)) })
			if l.keys > mostInProcess {
				return
			}
			t.Run("miniredis", func(t *testing.T) {
				t.Parallel()
				m := miniredis.RunT(t)
				w := worldAt(t, "mini", m.Addr())
				w.rdb = w.dial(redis.UniversalOptions{ReadTimeout: time.Minute}) // Lua in Go, with the race detector
				l.story(t, w)
			})
		})
	}
}

// roll holds the scripts that were run.
type roll struct {
	mu  sync.Mutex
	ran map[any]bool // by digest and by source
}

func (r *roll) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (r *roll) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

func (r *roll) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		r.mu.Lock()
		for _, cmd := range cmds {
			if args := cmd.Args(); len(args) > 1 {
				r.ran[args[1]] = true
			}
		}
		r.mu.Unlock()
		return next(ctx, cmds)
	}
}

// missing returns the scripts of the folder that were not run.
func (r *roll) missing(t *testing.T) (list []string) {
	entries, err := os.ReadDir("lua")
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".lua")
		i := slices.IndexFunc(halfRuns, func(h halfRun) bool { return h.script.name == name })
		if !included[name] && (i < 0 || !r.ran[halfRuns[i].script.sha]) {
			list = append(list, name)
		}
	}
	return list
}

// lot is a load that is being processed.
type lot struct {
	load
	*stage
	names []string
}

func (l load) story(t *testing.T, w *world) {
	r := &roll{ran: map[any]bool{}}
	w.rdb.AddHook(r)
	c := w.client(Spec{"one", 1})
	p := &lot{load: l, stage: &stage{hand: byHand(t, w), c: c, a: c.Admin()}}
	for i := range l.keys {
		p.names = append(p.names, fmt.Sprint("key", i))
	}
	p.fill()
	ctx := t.Context()
	p.count("stranded", 0)(p.a.Relist(ctx, "one", p.names...))
	p.count("browsed", min(l.keys, 1))(p.browse())
	p.count("located", min(l.keys, locateKeys))(p.locate())
	p.limit()
	p.pass(Retry)
	p.count("hastened", l.keys)(p.a.PerformAllNow(ctx, "one"))
	p.pass(Dead)
	p.count("requeued", l.keys)(p.a.RequeueMorgue(ctx, "one", p.names...))
	p.pass(Retry)
	p.count("summoned", l.keys)(p.a.PerformNow(ctx, "one", p.names...))
	p.pass(Retry)
	p.count("killed", l.keys)(p.a.KillAllFailed(ctx, "one"))
	p.wanted() // not before: a fetch leaves more than half of very many payloads
	p.count("exhumed", 1)(p.a.RemoveDead(ctx, "one", "key0", p.payload(0, 0)))
	p.count("requeued", l.keys)(p.a.RequeueAllMorgue(ctx, "one"))
	p.count("deleted", 1)(p.a.Kill(ctx, "one", "key0"))
	p.count("deleted", 1)(p.a.DeleteMorgue(ctx, "one", "key0"))
	p.fill()
	p.count("killed", l.keys)(p.a.Kill(ctx, "one", p.names...))
	if err := p.a.Drain(ctx, "another node"); err != nil {
		t.Error(err)
	}
	p.permits()
	p.move()
	p.done()
	if list := r.missing(t); len(list) > 0 {
		t.Errorf("scripts that were not run: %q", list)
	}
}

// permits requests the only permit for every key, and gives it back.
func (p *lot) permits() {
	p.t.Helper()
	all := NewPermits(p.c, time.Minute)
	first, until, err := all.Take(p.t.Context(), "one", "key0", onePermit)
	for _, name := range p.names {
		if err != nil || time.Until(until) > time.Minute {
			p.t.Fatalf("again at %v, %v", until, err)
		}
		_, until, err = all.Take(p.t.Context(), "one", name, onePermit)
	}
	all.extend(p.t.Context())
	first.giveAll(p.t.Context(), true)
	if second, _, err := all.Take(p.t.Context(), "one", "key0", onePermit); second == nil {
		p.t.Error("no permit is free:", err)
	}
}

// limit makes every key refuse a job.
func (p *lot) limit() {
	p.t.Helper()
	var list []Job
	for i, name := range p.names {
		list = append(list, Job{Queue: "one", Key: name, Payload: append(p.payload(i, 0), "more"...), Limit: 1})
	}
	if n := len(p.refusedBy(list...)); n != len(list) {
		p.t.Fatalf("%d of %d jobs are refused", n, len(list))
	}
}

// wanted checks that every key is wanted, and reports that all have had their jobs.
func (p *lot) wanted() {
	p.t.Helper()
	keys, err := p.c.Wanted(p.t.Context(), "one", len(p.names))
	if err != nil || len(keys) != len(p.names) {
		p.t.Fatalf("%d of %d keys are wanted, %v", len(keys), len(p.names), err)
	}
	var list []Refill
	for _, key := range keys {
		list = append(list, Refill{Key: key})
	}
	if err := p.c.ReportRefills(p.t.Context(), "one", list...); err != nil {
		p.t.Fatal(err)
	}
}

// payload returns payload n of a key.
func (p *lot) payload(key, n int) []byte {
	text := fmt.Appendf(nil, "%d.%d.", key, n)
	return append(text, bytes.Repeat([]byte{'x'}, max(p.size(key)-len(text), 0))...)
}

func (p *lot) fill() {
	p.t.Helper()
	var list []Job
	for i, name := range p.names {
		for n := range p.payloads(i) {
			list = append(list, Job{Queue: "one", Key: name, Payload: p.payload(i, n), Score: float64(n)})
		}
	}
	if err := p.c.Push(p.t.Context(), list...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *lot) payloads(key int) int {
	if key == 0 {
		return p.many
	}
	return 1
}

// count returns a function that checks how many keys an act has changed.
func (p *lot) count(what string, want int) func(int, error) {
	p.t.Helper()
	return func(n int, err error) {
		p.t.Helper()
		if n != want || err != nil {
			p.t.Fatalf("%d %s, want %d, %v", n, what, want, err)
		}
	}
}

func (p *lot) browse() (int, error) {
	page, err := p.a.Waiting(p.t.Context(), "one", Query{Limit: 1})
	list, fault := strandedKeys(p.t.Context(), p.a, "one")
	if len(list) > 0 || fault != nil {
		p.t.Errorf("stranded: %q, %v", list, fault)
	}
	return len(page.Keys), err
}

func (p *lot) locate() (n int, err error) {
	refs := make([]Ref, min(len(p.names), locateKeys))
	for i := range refs {
		refs[i] = Ref{Key: p.names[i], Head: string(p.payload(i, 0)[:1])}
	}
	places, err := p.a.Locate(p.t.Context(), "one", refs...)
	for _, place := range places {
		n += min(place.Waiting, 1)
	}
	return n, err
}

// pass fetches payloads until it has met every key. It ends them with an outcome of the given kind, whose
// time is in an hour.
func (p *lot) pass(kind Kind) {
	p.t.Helper()
	seen := make(map[string]bool)
	for len(seen) < len(p.names) {
		units := p.fetch(fetchKeys)
		if len(units) == 0 {
			p.t.Fatalf("%d of %d keys came", len(seen), len(p.names))
		}
		var ends []*settlement
		for i, u := range units {
			seen[u.key] = true
			if want := string(u.list[0].Payload); !strings.HasPrefix(want, u.key[3:]+".") {
				p.t.Errorf("%s came with %.40q", u.key, want)
			}
			if i == 0 {
				u.crashes = 0
				if !p.s.countStart(p.t.Context(), u) {
					p.t.Error("a start cannot be counted")
				}
			}
			for _, d := range u.list {
				d.Resolve(Outcome{Kind: kind, At: time.Now().Add(time.Hour), Err: "no"})
			}
			ends = append(ends, &settlement{unit: u, plan: planOf(u.list, time.Now())})
		}
		p.settle(ends)
		if err := p.single(renewScript, time.Minute.Milliseconds()); err != nil {
			p.t.Error(err)
		}
	}
}

// settle sends as many outcomes as a round trip takes, until all are sent.
func (p *lot) settle(ends []*settlement) {
	p.t.Helper()
	for len(ends) > 0 {
		trip := &roundTrip{own: p.own, sent: ends}
		if r := p.run(trip); r.err != nil || int(sum(trip)) != len(trip.sent) {
			p.t.Fatalf("%d of %d settled, %v", sum(trip), len(trip.sent), r.err)
		}
		ends = ends[len(trip.sent):]
	}
}

// move reshards the queue, and moves the dead payloads.
func (p *lot) move() {
	p.t.Helper()
	ctx := p.t.Context()
	if err := p.a.Reshard(ctx, "one", 2); err != nil {
		p.t.Fatal(err)
	}
	l, err := p.a.layout(ctx, "one")
	if err != nil {
		p.t.Fatal(err)
	}
	done, err := p.a.client.engine.retire(ctx, "one", l)
	if err != nil || !done {
		p.t.Fatalf("the older cut is forgotten: %v, %v", done, err)
	}
	p.count("requeued", p.keys)(p.a.RequeueAllMorgue(ctx, "one"))
}

// done starts a server that ends all jobs.
func (p *lot) done() {
	p.t.Helper()
	if err := p.single(releaseScript); err != nil {
		p.t.Error(err)
	}
	want := 0
	for i := range p.names {
		want += p.payloads(i)
	}
	p.push("alone/x") // a key with one payload, for ack.lua
	opt := p.w.quick()
	opt.Log = nil
	p.w.serve(opt, Worker{Queue: "one", Handle: blank, BatchSize: 100})
	until(p.t, "all are done", func() bool {
		st, err := p.c.Stats(p.t.Context(), "one")
		return err == nil && st.Length+st.Busy == 0 && st.Processed == int64(want)+1
	})
}
