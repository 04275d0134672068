package idempotency_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// desk is a store whose clock the test moves.
type desk struct {
	*idempotency.Store
	t   *testing.T
	db  *ledger.DB
	now *atomic.Int64
}

func (d *desk) clock() time.Time { return time.UnixMilli(d.now.Load()) }

// on runs a test on both databases.
func on(t *testing.T, story func(d *desk)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		d := &desk{t: t, db: db, now: &atomic.Int64{}}
		d.now.Store(time.Now().UnixMilli())
		d.Store = idempotency.New(db, idempotency.Options{Now: d.clock})
		story(d)
	})
}

var first = idempotency.Request{Tenant: "acme", Key: "k", Target: "POST /tasks"}

func (d *desk) claims(req idempotency.Request) *idempotency.Claim {
	d.t.Helper()
	c, a, err := d.Claim(d.t.Context(), req)
	if err != nil || c == nil || a != nil {
		d.t.Fatalf("Claim = %v, %v, %v, want a claim", c, a, err)
	}
	return c
}

func (d *desk) refuses(req idempotency.Request, want error) {
	d.t.Helper()
	if c, a, err := d.Claim(d.t.Context(), req); !errors.Is(err, want) {
		d.t.Fatalf("Claim = %v, %v, %v, want %v", c, a, err, want)
	}
}

func (d *desk) fine(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) is(err, want error) {
	d.t.Helper()
	if !errors.Is(err, want) {
		d.t.Fatalf("got %v, want %v", err, want)
	}
}

// TestARequestIsAnsweredOnce: a key is claimed, in use, answered, and deleted after a day. Keys of
// another tenant are other keys.
func TestARequestIsAnsweredOnce(t *testing.T) {
	on(t, func(d *desk) {
		ctx, other, elsewhere := t.Context(), first, first
		other.Target, elsewhere.Tenant = "POST /webhooks", "globex"
		c := d.claims(first)
		d.refuses(first, idempotency.ErrInFlight)
		d.refuses(other, idempotency.ErrReused)
		if e := d.claims(elsewhere); e.Ref == c.Ref {
			t.Error("two tenants have the same ref")
		}
		d.fine(d.Seal(ctx, c, "print"))
		want := idempotency.Answer{Print: "print", Status: 202, Head: `{"a":"é"}`, Body: []byte("{\"x\":\"\x00\"}")}
		d.fine(d.Keep(ctx, c, want))
		got, a, err := d.Claim(ctx, first)
		if err != nil || got != nil || a.Print != want.Print || a.Status != 202 || a.Head != want.Head ||
			string(a.Body) != string(want.Body) {
			t.Fatalf("Claim = %v, %+v, %v, want %+v", got, a, err, want)
		}
		d.refuses(other, idempotency.ErrReused)
		d.is(d.Keep(ctx, c, want), idempotency.ErrLost)
		d.fine(d.Release(ctx, c))
		if n, err := d.Sweep(ctx, 10); n != 0 || err != nil {
			t.Errorf("%d keys were swept too early, %v", n, err)
		}
		d.now.Add(24 * time.Hour.Milliseconds())
		if again := d.claims(other); again.Ref == c.Ref || again.Print != "" {
			t.Errorf("after a day: %+v", again)
		}
		if n, err := d.Sweep(ctx, 10); n != 1 || err != nil {
			t.Errorf("%d keys were swept, %v, want that of the other tenant", n, err)
		}
	})
}

// TestADeadClaimIsTakenOver: the new holder gets all that the old one has stored, and the old one
// can change nothing.
func TestADeadClaimIsTakenOver(t *testing.T) {
	on(t, func(d *desk) {
		ctx := t.Context()
		dead := d.claims(first)
		d.fine(d.db.InTx(ctx, func(tx ledger.Tx) error { return d.Mark(ctx, tx, dead, "print", "7 rows") }))
		d.now.Add(d.TTL().Milliseconds() - 1)
		d.refuses(first, idempotency.ErrInFlight)
		d.fine(d.Renew(ctx, dead))
		d.now.Add(d.TTL().Milliseconds() - 1)
		d.refuses(first, idempotency.ErrInFlight)
		d.now.Add(1)
		heir := d.claims(first)
		if heir.Ref != dead.Ref || heir.Print != "print" || heir.Mark != "7 rows" {
			t.Errorf("the heir knows %+v", heir)
		}
		for what, err := range map[string]error{
			"renews": d.Renew(ctx, dead),
			"seals":  d.Seal(ctx, dead, "print"),
			"marks":  d.db.InTx(ctx, func(tx ledger.Tx) error { return d.Mark(ctx, tx, dead, "print", "x") }),
			"keeps":  d.Keep(ctx, dead, idempotency.Answer{Status: 200}),
		} {
			if !errors.Is(err, idempotency.ErrLost) {
				t.Errorf("the dead %s: %v", what, err)
			}
		}
		d.fine(d.Release(ctx, dead))
		d.refuses(first, idempotency.ErrInFlight)
		d.is(d.Seal(ctx, heir, "another"), idempotency.ErrReused)
		d.fine(d.Keep(ctx, heir, idempotency.Answer{Print: "print", Status: 200}))
	})
}

// TestAReleasedClaim: the key is free at once. What was sealed stays.
func TestAReleasedClaim(t *testing.T) {
	on(t, func(d *desk) {
		ctx, other := t.Context(), first
		other.Target = "POST /else"
		d.fine(d.Release(ctx, d.claims(first)))
		c := d.claims(other)
		d.fine(d.Seal(ctx, c, "print"))
		d.fine(d.Release(ctx, c))
		d.refuses(first, idempotency.ErrReused)
		if again := d.claims(other); again.Ref != c.Ref || again.Print != "print" {
			t.Errorf("a sealed claim became %+v, was %+v", again, c)
		}
	})
}

// TestOneOfManyGetsTheClaim: of several processes that claim a key at the same time, one succeeds.
func TestOneOfManyGetsTheClaim(t *testing.T) {
	on(t, func(d *desk) {
		var got, busy atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				switch _, _, err := d.Claim(t.Context(), first); {
				case err == nil:
					got.Add(1)
				case errors.Is(err, idempotency.ErrInFlight):
					busy.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got.Load() != 1 || busy.Load() != 7 {
			t.Errorf("%d have the claim, %d wait, want 1 and 7", got.Load(), busy.Load())
		}
	})
}
