// Package lanes stores the progress of pushing rows of tasks to the queue.
//
// A lane is one kind of one tenant. Each task that is not done has a Feed in a lane. The feed has the
// position up to which the rows of the task were pushed. It also counts the rows that wait, are held, or
// must be pushed again. A feeder claims a lane, pushes rows, and advances the lane. One transaction
// changes positions, counts and held rows together. The package also stores the generation marks of
// Redis, and the counts of commits that reveal a restored ledger.
//
// At most one feeder has the claim of a lane at a time. A claim that another claim has replaced, or a
// claim under the mark of another Redis, has no effect. The cost of a statement does not grow with the
// number of waiting tasks.
//
// Package feed decides what to push. Package tasks owns the tasks and creates their feeds.
package lanes

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Store is the access to the lanes and feeds in a ledger. Make it with New.
type Store struct {
	db      *ledger.DB
	now     func() time.Time
	witness *ledger.Witness
	opens   func(kind, hours string) time.Time // returns when the run hours of the kind and the tenant begin next; zero during these hours
	opened  func(kind, hours string) time.Time // returns when the run hours of the kind or the tenant last began; zero for the whole day
}

// New returns a store in the ledger of ts, with the clock of ts.
func New(ts *tasks.Store) *Store {
	return &Store{db: ts.DB(), now: ts.Now, witness: ts.Witness(), opens: ts.Opens, opened: ts.Opened}
}
