package ledger

import (
	"context"
	_ "embed"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
)

//go:embed sql/witness.sql
var witnessSQL string

// WitnessPrefix is the prefix of the names of the rows that hold witnesses in the table ledger.
const WitnessPrefix = "witness:"

// witnessAge is the time for which a witness keeps its name without a commit. A cleanup must keep the rows
// of witnesses for at least this time.
const witnessAge = 24 * time.Hour

// ErrSetBack means that the ledger lacks a commit that this process has made. The ledger was
// restored to an older state, or a standby has taken over without the last commits.
var ErrSetBack = errors.New("the ledger has lost commits: it was set back to an older state")

// eraSize is the length of the era in a generation mark, in bytes.
const eraSize = 8

// Era returns the era of a generation mark of Redis: its first eraSize bytes. The era of new marks
// changes only after the ledger was set back.
func Era(mark string) string { return mark[:min(eraSize, len(mark))] }

// Point is the state of a witness at one moment. The timeline of a witness increases only when the
// ledger was set back.
type Point struct {
	Timeline int64
	Name     string // of the witness; empty if it does not count
	Seen     int64  // commits of the witness that the ledger must have
}

// Witness is a counter of the commits of a process, in a row of the table ledger. The count changes in the
// transaction that it counts, so a ledger that is restored to an older state (set back) has a lower count.
// A Witness counts only after Renew has set a generation mark. It is safe for concurrent use.
type Witness struct {
	db *DB

	mu       sync.Mutex
	timeline int64
	mark     string
	name     string    // of its row
	seen     int64     // confirmed commits
	at       time.Time // time of the last of these commits
	back     bool      // the ledger lacks some of these commits
}

// NewWitness returns a Witness without a mark.
func NewWitness(db *DB) *Witness { return &Witness{db: db} }

// Renew starts a new count under a mark. If the witness has this mark already, Renew is a no-op. A mark
// after the first increases the timeline if the era differs, `back` is true, or SetBack is true for the old
// mark.
func (w *Witness) Renew(mark string, back bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mark == mark {
		return
	}
	if w.mark != "" && (back || w.back || Era(w.mark) != Era(mark)) {
		w.timeline++
	}
	w.mark = mark
	w.rename()
}

func (w *Witness) rename() {
	w.name = WitnessPrefix + w.mark + ":" + uuid.NewString()
	w.seen, w.at, w.back = 0, w.db.Now(), false
}

// InTx runs f as DB.InTx does, and counts the transaction if the witness has a mark. If the ledger
// lacks a counted commit, InTx changes nothing and returns ErrSetBack.
func (w *Witness) InTx(ctx context.Context, f func(Tx) error) error {
	return w.InTimeline(ctx, w.Point().Timeline, f)
}

// InTimeline works like InTx while the witness is in the given timeline. In another timeline it returns
// ErrSetBack.
func (w *Witness) InTimeline(ctx context.Context, timeline int64, f func(Tx) error) error {
	p := w.begin()
	switch {
	case p.Timeline != timeline:
		return ErrSetBack
	case p.Name == "":
		return w.db.InTx(ctx, f)
	}
	var n int64
	err := w.db.InTx(ctx, func(tx Tx) (err error) {
		if n, err = count(ctx, tx, p, w.db.Now()); err != nil {
			return err
		}
		return f(tx)
	})
	w.end(p.Name, n, err)
	return err
}

// CommitHeld counts a transaction of Begin, runs f in it, and commits it. It returns ErrSetBack if
// the witness is in another timeline, or if the ledger lacks a counted commit. After an error the
// caller rolls the transaction back.
func (w *Witness) CommitHeld(ctx context.Context, timeline int64, h *ManualTx, f func(Tx) error) error {
	p := w.begin()
	if p.Timeline != timeline {
		return ErrSetBack
	}
	var n int64
	err := func() (err error) {
		if p.Name != "" {
			n, err = count(ctx, h.own, p, w.db.Now())
		}
		if err == nil {
			err = f(h.own)
		}
		if err == nil {
			err = h.Commit(ctx)
		}
		return err
	}()
	if p.Name != "" {
		w.end(p.Name, n, err)
	}
	return err
}

// Point returns the current state of the witness.
func (w *Witness) Point() Point {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Point{w.timeline, w.name, w.seen}
}

func (w *Witness) begin() Point {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.mark != "" && w.db.Now().Sub(w.at) > witnessAge {
		w.rename()
	}
	return Point{w.timeline, w.name, w.seen}
}

func count(ctx context.Context, tx Tx, p Point, now time.Time) (n int64, err error) {
	found, err := Row(ctx, tx, witnessSQL, Args{
		"name": p.Name, "seen": p.Seen, "now": strconv.FormatInt(now.UnixMilli(), 10),
	}, &n)
	if err == nil && (!found || n <= p.Seen) {
		err = ErrSetBack
	}
	return n, err
}

func (w *Witness) end(name string, n int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case name != w.name:
	case err == nil:
		w.seen, w.at = max(w.seen, n), w.db.Now()
	case errors.Is(err, ErrSetBack):
		w.back = true
	}
}

// Last returns the name of the witness and the number of commits that it has counted.
// Before the first commit the name is empty.
func (w *Witness) Last() (name string, n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == 0 {
		return "", 0
	}
	return w.name, w.seen
}

// SetBack reports whether the witness has the given mark, and a transaction found that the ledger
// lacks commits.
func (w *Witness) SetBack(mark string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.back && w.mark == mark
}
