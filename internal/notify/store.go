package notify

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Options holds the settings of a Store. The zero value works.
type Options struct {
	// Now returns the current time. Default time.Now.
	Now func() time.Time

	// Seal seals the signing secrets. Nil stores them in plain text.
	Seal *Seal
}

// Store is the store of webhooks, signing secrets and deliveries in the ledger. Make it with New.
type Store struct {
	db    *ledger.DB
	now   func() time.Time
	maker string // of webhooks
	seal  *Seal
}

// New returns the store of db. The caller closes db.
func New(db *ledger.DB, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Store{db: db, now: opt.Now, seal: opt.Seal}
}

// As returns a store that adds webhooks with the given maker, the id of an API key or user.
func (s *Store) As(maker string) *Store {
	own := *s
	own.maker = maker
	return &own
}
