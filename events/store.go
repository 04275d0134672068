package events

import (
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/partitions"
)

// Store is the store of events in the ledger. Create it with New.
type Store struct {
	db    *ledger.DB
	now   func() time.Time
	known sync.Map // runners by their number
	seen  sync.Map // when runners were last recorded as alive, in unix ms, by their number

	silent map[string][]string // by topic, the kinds without a Go callback

	witness    *ledger.Witness
	groupsOpen chan struct{} // holds a value for each open GroupTx
	partitions *partitions.Store
}

// Options holds the settings of a Store. The zero value is valid.
type Options struct {
	// Now returns the time. Default time.Now.
	Now func() time.Time

	// Silent lists, by topic, the kinds without a Go callback for the topic. For tasks of these kinds,
	// notices are written only if a webhook or callback URL receives the topic. Default: every kind may
	// have a callback.
	Silent map[string][]string
}

// New returns a store on `db`, which the caller keeps and closes.
func New(db *ledger.DB, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	places := groupsAtOnce
	if db.Pool == nil {
		places = 1
	}
	return &Store{
		db: db, now: opt.Now, silent: opt.Silent,
		witness: ledger.NewWitness(db), groupsOpen: make(chan struct{}, places),
		partitions: partitions.New(db, opt.Now),
	}
}

// Partitions returns the store of the partitions that hold the events.
func (s *Store) Partitions() *partitions.Store { return s.partitions }

// DB returns the ledger of the store.
func (s *Store) DB() *ledger.DB { return s.db }

// Now returns the time of the store.
func (s *Store) Now() time.Time { return s.now() }

// ErrSetBack means that the ledger lacks commits of this process, or that a task number now belongs
// to another task.
var ErrSetBack = ledger.ErrSetBack

// Point is the state of the Witness of a store at one moment. Its timeline changes only after the ledger
// was set back, which means restored to an older state.
type Point = ledger.Point

// Point returns the current state of the Witness: the commits that the ledger must still have.
func (s *Store) Point() Point { return s.witness.Point() }

// Witness returns the Witness of the store, which counts the commits that Record has made. By this count,
// the store detects that the ledger lost commits.
func (s *Store) Witness() *ledger.Witness { return s.witness }
