package queue

import (
	"context"
	"slices"
	"testing"
	"time"
)

// limitOf returns the limit of one job at once for the jobs with a payload.
func limitOf(payload string) Limit { return Limit{Scope: payload, AtOnce: 1} }

// scoped runs the payloads of a key in order. Each takes a permit of the limit that its payload names,
// as with worker.AtOnce(1, "Customer"). The payload y fails, and waits an hour for a retry.
func scoped(p *Permits, ran *seen) Handler {
	return func(ctx context.Context, b *Batch) error {
		for i, d := range b.Deliveries {
			scope := string(d.Payload)
			permit, until, err := p.Take(ctx, "q", d.Key, limitOf(scope))
			if err != nil {
				return err
			}
			o := Outcome{Kind: Done}
			switch {
			case permit == nil:
				ran.add("%s refused", scope)
				o = Outcome{Kind: Return, At: until, Unstarted: true}
			case scope == "y":
				o = Outcome{Kind: Retry, At: time.Now().Add(time.Hour), Err: "no"}
				fallthrough
			default:
				ran.add("%s", scope)
			}
			permit.Give(ctx)
			d.Resolve(o)
			if o.Kind == Done {
				continue
			}
			for _, later := range b.Deliveries[i+1:] {
				later.Resolve(Outcome{Kind: Return})
			}
			break
		}
		return nil
	}
}

// ranOnce checks that a payload does not run again within a second.
func ranOnce(t *testing.T, ran *seen, payload string) {
	t.Helper()
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if n := ran.count(payload); n != 1 {
			t.Fatalf("%s ran %d times within its pause: %q", payload, n, ran.get())
		}
	}
}

func (s *seen) count(what string) (n int) {
	for _, have := range s.get() {
		if have == what {
			n++
		}
	}
	return n
}

// TestPermits_KeyWaitsForARetryOfAnotherScope_KeepsItsPause refuses a key for its row x. An earlier row
// y of the key arrives, as a resubmitted row does. It runs under its own limit, fails, and waits for
// its retry. Then a permit of x is given back.
func TestPermits_KeyWaitsForARetryOfAnotherScope_KeepsItsPause(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		blocker, _ := take(t, p, "blocker", limitOf("x"))
		var ran seen
		w.serve(w.quick(), Worker{Queue: "q", MaxRetries: 9, Handle: scoped(p, &ran)})
		w.push(Job{Key: "k", Payload: []byte("x"), Score: 2})
		until(t, "x is refused", func() bool { return ran.count("x refused") > 0 })
		w.push(Job{Key: "k", Payload: []byte("y"), Score: 1})
		until(t, "y waits for its retry", func() bool { return ran.count("y") == 1 && w.stats().Busy == 0 })
		blocker.Give(t.Context())
		ranOnce(t, &ran, "y")
	})
}

// TestPermits_DelayedJobAfterARefusal_KeepsItsTime deletes a refused job and pushes a delayed one of the
// same key, before a permit is given back.
func TestPermits_DelayedJobAfterARefusal_KeepsItsTime(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p, _ := permits(w, time.Minute)
		blocker, _ := take(t, p, "blocker", limitOf("x"))
		var ran seen
		w.serve(w.quick(), Worker{Queue: "q", Handle: scoped(p, &ran)})
		w.push(Job{Key: "k", Payload: []byte("x")})
		until(t, "the refused job is deleted", func() bool {
			if ran.count("x refused") == 0 || w.stats().Busy > 0 {
				return false
			}
			n, err := w.client().Admin().Delete(t.Context(), "q", "k")
			return err == nil && n == 1
		})
		w.push(Job{Key: "k", Payload: []byte("x"), RunAt: time.Now().Add(time.Hour)})
		w.push(Job{Key: "other", Payload: []byte("y")})
		blocker.Give(t.Context())
		until(t, "another key has run", func() bool { return ran.count("y") == 1 })
		ranOnce(t, &ran, "y")
		if n := ran.count("x"); n != 0 {
			t.Errorf("the delayed job ran %d times", n)
		}
	})
}

// TestPermits_GivenBackBeforeTheRefusedKey_IsWokenLate gives a permit back while a refused key is in
// flight. The node puts the key back only later, as after a long job of the same batch.
func TestPermits_GivenBackBeforeTheRefusedKey_IsWokenLate(t *testing.T) {
	for name, act := range map[string]func(*world){
		"alone": func(*world) {},
		"with a delayed job behind": func(w *world) {
			w.push(Job{Key: "k", Payload: []byte("later"), Score: 2, RunAt: time.Now().Add(2 * time.Hour)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(t *testing.T, w *world) {
				p, _ := permits(w, time.Minute)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); p.Run(ctx) }()
				defer func() { cancel(); <-done }()
				blocker, _ := take(t, p, "blocker", limitOf("x"))
				crowd(w, p, limitOf("x"))
				var ran seen
				refused, given := make(chan bool, 9), make(chan bool)
				w.serve(w.rare(), Worker{Queue: "q", Handle: func(ctx context.Context, b *Batch) error {
					d := b.Deliveries[0]
					permit, until, err := p.Take(ctx, "q", d.Key, limitOf("x"))
					if err != nil {
						return err
					}
					if permit == nil {
						refused <- true
						<-given
						for _, d := range b.Deliveries {
							d.Resolve(Outcome{Kind: Return, At: until, Unstarted: true})
						}
						return nil
					}
					ran.add("%s", d.Payload)
					permit.Give(ctx)
					return nil
				}})
				w.push(Job{Key: "k", Payload: []byte("now"), Score: 1})
				<-refused
				act(w)
				blocker.Give(t.Context())
				time.Sleep(200 * time.Millisecond) // the long job
				close(given)
				woken(t, "the key has run", func() bool { return slices.Contains(ran.get(), "now") })
			})
		})
	}
}
